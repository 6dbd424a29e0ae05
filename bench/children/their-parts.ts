/** All parts by npm `sitemap`, as its README writes parts and index. */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { SitemapAndIndexStream, SitemapStream } from 'sitemap'
import { ORIGIN, streamRows } from '../entries.ts'
import { peakRss, resetPeak, settledRss } from '../memory.ts'
import { contentOf, folderBytes, type PartsMade, type PartsOrder } from '../parts.ts'
import { answerCommands, given } from './process.ts'

const { entries, folder } = given<PartsOrder>()
let parts = 0

async function* items(): AsyncGenerator<{ readonly url: string; readonly lastmod: string }> {
  for await (const { loc, lastmod } of streamRows(entries)) yield { url: loc, lastmod }
}

const before = await settledRss()
resetPeak()
const started = performance.now()
const index = new SitemapAndIndexStream({
  limit: 50_000,
  getSitemapStream(i) {
    parts = i + 1
    const name = `${parts}.xml.gz`
    const part = new SitemapStream({ hostname: ORIGIN })
    const file = part.pipe(createGzip()).pipe(createWriteStream(join(folder, name)))
    return [`${ORIGIN}/${name}`, part, file]
  },
})
await pipeline(Readable.from(items()), index, createGzip(), createWriteStream(join(folder, 'index.xml.gz')))
const ms = performance.now() - started
const peak = peakRss()
const made: PartsMade = {
  ms,
  parts,
  bytes: await folderBytes(folder),
  before,
  peak,
  after: await settledRss(),
  content: await contentOf(folder, parts),
}
answerCommands(made)
