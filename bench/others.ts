import { rm } from 'node:fs/promises'
import { create } from 'xmlbuilder2'
import { createClient } from './ask.ts'
import type { ExpressServing } from './children/express-app.ts'
import { createPlainEngine, SILENT, take } from './engine.ts'
import { joinStrings, ORIGIN, plainRow, plainRows } from './entries.ts'
import { readFlags } from './flags.ts'
import { createEngine, resolveOptions } from './library.ts'
import {
  type Candidate,
  controlHolds,
  type Finding,
  type Measured,
  measureInTurn,
  milliseconds,
  percent,
  ratio,
  table,
  timed,
  whole,
} from './measure.ts'
import { installPackages, loadExpressSitemapXml, loadFeed, PACKAGES } from './others-packages.ts'
import { factsOf } from './parts.ts'
import { startProcess } from './processes.ts'
import { load } from './serve.ts'

const SITEMAPS = `express-sitemap-xml ${PACKAGES['express-sitemap-xml']}`
const FEED = `feed ${PACKAGES.feed}`

/** Against what a user would pick instead. */
export async function benchOthers(args: readonly string[]): Promise<Finding> {
  const flags = readFlags(args, ['entries', 'rounds'])
  const entries = flags.number('entries', flags.quick ? 5_000 : 50_000)
  const rounds = flags.number('rounds', flags.quick ? 3 : 15)
  const folder = await installPackages()
  try {
    const findings = [
      await urlsets(folder, entries, rounds),
      await feeds(folder, rounds * 5),
      await cached(folder, Math.min(rounds, flags.quick ? 2 : 7)),
    ]
    return {
      valid: findings.every(({ valid }) => valid),
      lines: findings.flatMap(({ lines }, i) => (i === 0 ? lines : ['', ...lines])),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** From entries to XML. */
async function urlsets(folder: string, entries: number, rounds: number): Promise<Finding> {
  const rows = plainRows(entries)
  const { buildSitemaps } = loadExpressSitemapXml(folder)
  const making: Readonly<Record<string, () => string | Promise<string>>> = {
    'string joining': () => joinStrings(rows).toString(),
    async 'live-sitemap, walk and render'() {
      const engine = createPlainEngine(rows, '64mb')
      const body = await take(engine, '/sitemap.xml', 'identity')
      await engine.close()
      return body.toString()
    },
    async [SITEMAPS]() {
      const urls = rows.map(({ loc, lastmod }) => ({ url: loc, lastMod: lastmod }))
      return (await buildSitemaps(urls, ORIGIN))['/sitemap.xml'] ?? ''
    },
    'xmlbuilder2 alone': () => {
      const url = rows.map(({ loc, lastmod }) => ({ loc: ORIGIN + loc, lastmod }))
      const urlset = { urlset: { '@xmlns': 'http://www.sitemaps.org/schemas/sitemap/0.9', url } }
      return create({ version: '1.0', encoding: 'UTF-8' }, urlset).end()
    },
    'string joining again (control)': () => joinStrings(rows).toString(),
  }
  const wanted = factsOf(joinStrings(rows).toString()).join()
  for (const [name, make] of Object.entries(making))
    if (factsOf(await make()).join() !== wanted) throw new Error(`${name} makes another document`)
  const all = await measureInTurn(candidatesOf(making), rounds, 2)
  return {
    valid: controlHolds(all.at(-1) as Measured, all[0] as Measured),
    lines: [
      `### ${whole(entries)} plain entries to a urlset`,
      '',
      ...timesTable(all, all[0] as Measured, 'joining', all[1] as Measured),
    ],
  }
}

const FEED_ITEMS = 1_000

/** From entries to RSS 2.0. */
async function feeds(folder: string, rounds: number): Promise<Finding> {
  const Feed = await loadFeed(folder)
  const items = Array.from({ length: FEED_ITEMS }, (_, i) => ({
    ...plainRow(i),
    title: `Tomato & basil no. ${i}`,
    description: `How we make it, told in a sentence or two that says <enough> of number ${i}.`,
    categories: ['Soup', 'Summer'],
  }))
  const site = { url: ORIGIN, title: 'Kitchen', description: 'What we cook', language: 'en' }
  const byFeed = (): string => {
    const feed = new Feed({ ...site, link: ORIGIN })
    for (const { loc, title, description, lastmod, categories } of items)
      feed.addItem({
        id: ORIGIN + loc,
        link: ORIGIN + loc,
        title,
        description,
        date: new Date(lastmod),
        category: categories.map((name) => ({ name })),
      })
    return feed.rss2()
  }
  const making: Readonly<Record<string, () => string | Promise<string>>> = {
    [FEED]: byFeed,
    async 'live-sitemap, walk and render'() {
      const engine = createEngine(
        resolveOptions({
          site,
          providers: { blog: () => items },
          feed: { limit: FEED_ITEMS },
          warmUp: false,
        }),
        { log: SILENT },
      )
      const body = await take(engine, '/feed.rss', 'identity')
      await engine.close()
      return body.toString()
    },
    [`${FEED} again (control)`]: byFeed,
  }
  for (const [name, make] of Object.entries(making)) {
    const text = await make()
    const missing = items.filter(({ loc }) => !text.includes(`<link>${ORIGIN}${loc}</link>`))
    if (missing.length > 0) throw new Error(`${name} leaves ${missing.length} items out`)
  }
  const all = await measureInTurn(candidatesOf(making), rounds, 10)
  return {
    valid: controlHolds(all.at(-1) as Measured, all[0] as Measured),
    lines: [
      `### ${whole(FEED_ITEMS)} entries to RSS 2.0`,
      '',
      ...timesTable(all, all[0] as Measured, FEED, all[1] as Measured),
    ],
  }
}

function candidatesOf(making: Readonly<Record<string, () => string | Promise<string>>>): Candidate[] {
  return Object.entries(making).map(([name, make]) => ({ name, once: () => timed(make) }))
}

function timesTable(
  all: readonly Measured[],
  base: Measured,
  baseName: string,
  ours: Measured,
): readonly string[] {
  return table(
    ['what', 'median', 'spread', `against ${baseName}`, 'against live-sitemap'],
    all.map((measured) => [
      measured.name,
      milliseconds(measured.median),
      percent(measured.spread),
      ratio(measured, base),
      ratio(measured, ours),
    ]),
  )
}

const CACHED_ENTRIES = 300

/** The answer from the cache, through Express. */
async function cached(folder: string, rounds: number): Promise<Finding> {
  const app = await startProcess<ExpressServing>('express-app', { folder, entries: CACHED_ENTRIES })
  const { bare, ours, theirs } = app.started
  try {
    const client = createClient(theirs, 1)
    const { headers } = await client.ask('/sitemap.xml')
    client.close()
    if (headers['content-encoding'] !== 'gzip') throw new Error(`${SITEMAPS} is not coded`)
    const at = (name: string, port: number, path: string): Candidate =>
      load(name, `http://127.0.0.1:${port}${path}`, { 'accept-encoding': 'gzip' }, 200)
    const all = await measureInTurn(
      [
        at('bare Express handler', bare, '/bare.xml'),
        at('live-sitemap/express', ours, '/sitemap.xml'),
        at(`${SITEMAPS} behind \`compression\``, theirs, '/sitemap.xml'),
        at('bare again (control)', bare, '/again.xml'),
      ],
      rounds,
      1,
    )
    const base = all[0] as Measured
    return {
      valid: controlHolds(all.at(-1) as Measured, base),
      lines: [
        `### ${whole(CACHED_ENTRIES)} entries from the cache through Express 5, gzip`,
        '',
        ...table(
          ['what', 'requests a second', 'spread', 'against bare'],
          all.map((measured) => [
            measured.name,
            whole(measured.median),
            percent(measured.spread),
            ratio(measured, base),
          ]),
        ),
      ],
    }
  } finally {
    await app.end()
  }
}
