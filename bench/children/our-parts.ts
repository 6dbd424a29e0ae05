/** All parts by live-sitemap: walked, rendered, gzip'd, and taken as a client takes them. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { pathsIn } from '../ask.ts'
import { take } from '../engine.ts'
import { ORIGIN, streamRows } from '../entries.ts'
import { createEngine, resolveOptions } from '../library.ts'
import { peakRss, resetPeak, settledRss } from '../memory.ts'
import { contentOf, folderBytes, type PartsMade, type PartsOrder } from '../parts.ts'
import { answerCommands, given } from './process.ts'

const { entries, folder, formats = 'xml' } = given<PartsOrder>()
const dir = join(folder, 'spool')
const engine = createEngine(
  resolveOptions({
    site: { url: ORIGIN },
    providers: {
      blog: { entries: () => streamRows(entries), ...(formats === 'xml' ? { formats: ['xml'] } : {}) },
    },
    // The index at any size, as `sitemap` gives it.
    routes: { sitemap: false, ...(formats === 'xml' ? { html: false, txt: false, rss: false } : {}) },
    cache: { dir },
    warmUp: false,
    log: { info() {}, warn: console.error, error: console.error },
  }),
)

const before = await settledRss()
resetPeak()
const started = performance.now()
// A first request would wait for `deadline` alone.
if (!(await engine.ready(3_600_000))) throw new Error('the walk failed')
const paths = pathsIn(gunzipSync(await take(engine, '/sitemap_index.xml', 'gzip')).toString())
let bytes = 0
for (const [i, path] of paths.entries()) {
  const body = await take(engine, path, 'gzip')
  bytes += body.length
  await writeFile(join(folder, `${i + 1}.xml.gz`), body)
}
const ms = performance.now() - started
const peak = peakRss()
const made: PartsMade = {
  ms,
  parts: paths.length,
  bytes,
  before,
  peak,
  after: await settledRss(),
  held: engine.report().memory.used,
  spooled: await folderBytes(dir),
  content: await contentOf(folder, paths.length),
}
answerCommands(made, {}, () => engine.close())
