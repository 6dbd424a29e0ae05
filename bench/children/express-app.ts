/** One Express app for each way to a cached sitemap, as a user of Express would write it. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import compression from 'compression'
import express from 'express'
import { createClient } from '../ask.ts'
import { ORIGIN, plainRows } from '../entries.ts'
import { sitemap } from '../library.ts'
import { loadExpressSitemapXml } from '../others-packages.ts'
import { answerCommands, given } from './process.ts'

export interface ExpressOrder {
  /** Where the other packages are installed. */
  readonly folder: string
  readonly entries: number
}

export interface ExpressServing {
  readonly bare: number
  readonly ours: number
  readonly theirs: number
}

const { folder, entries } = given<ExpressOrder>()
const rows = plainRows(entries)

async function listen(app: express.Express): Promise<number> {
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const ours = express()
const middleware = sitemap({ site: { url: ORIGIN }, providers: { blog: rows }, warmUp: false })
ours.use(middleware)
const oursAt = await listen(ours)

// The floor: our bytes and headers, and no question asked.
const client = createClient(oursAt, 1)
const { body, headers: all } = await client.ask('/sitemap.xml')
client.close()
const headers = Object.fromEntries(
  Object.entries(all).filter(
    ([name]) => !['date', 'connection', 'content-length', 'keep-alive'].includes(name),
  ),
)
const bare = express()
for (const path of ['/bare.xml', '/again.xml'])
  bare.get(path, (_request, response) => void response.status(200).set(headers).send(body))

// It codes nothing itself: `compression` stands before it, as the documentation of Express has it.
const theirs = express()
theirs.use(compression())
theirs.use(
  loadExpressSitemapXml(folder)(
    async () => rows.map(({ loc, lastmod }) => ({ url: loc, lastMod: lastmod })),
    ORIGIN,
  ),
)

const serving: ExpressServing = { bare: await listen(bare), ours: oursAt, theirs: await listen(theirs) }
answerCommands(serving, {}, () => middleware.close())
