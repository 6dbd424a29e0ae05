import { Readable } from 'node:stream'
import { SitemapStream, streamToPromise } from 'sitemap'
import type { Engine } from '../src/index.ts'
import { joinStrings, ORIGIN, plainRows } from './entries.ts'
import { createEngine, resolveOptions } from './library.ts'
import { type Candidate, controlHolds, type Measured, measureInTurn, percent, ratio } from './measure.ts'

const COUNT = 50_000
const rows = plainRows(COUNT)
const wanted = joinStrings(rows)
const silent = { info() {}, warn() {}, error() {} }

/** An engine that keeps the blobs of one section of plain entries, and no rendered document (its cache is too small). */
function engine(memory: string): Engine {
  const options = resolveOptions({
    site: { url: ORIGIN },
    providers: { blog: () => rows },
    routes: { html: false, txt: false, rss: false },
    cache: { memory },
    warmUp: false,
  })
  return createEngine(options, { log: silent })
}

async function get(from: Engine, coding: string): Promise<Buffer> {
  const answer = await from.respond({
    method: 'GET',
    path: '/sitemap.xml',
    header: (name) => (name === 'accept-encoding' ? coding : undefined),
  })
  const { body } = answer
  if (answer.status !== 200 || body === undefined) throw new Error(`status ${answer.status}`)
  answer.done?.()
  if (Buffer.isBuffer(body)) return body
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

const join: Candidate = { name: 'string joining', once: () => timed(() => joinStrings(rows)) }
const control: Candidate = { name: 'string joining again (control)', once: join.once }

const walkAndRender: Candidate = {
  name: 'live-sitemap, walk and render',
  async once() {
    const fresh = engine('64mb')
    const ms = await timed(() => get(fresh, 'identity'))
    await fresh.close()
    return ms
  },
}

const sitemapPackage: Candidate = {
  name: 'sitemap 9.0.1',
  once: () =>
    timed(async () => {
      const stream = new SitemapStream({ hostname: ORIGIN })
      const body = streamToPromise(
        Readable.from(rows.map(({ loc, lastmod }) => ({ url: loc, lastmod }))).pipe(stream),
      )
      await body
    }),
}

/** Rows 1 and 2 of the budgets. */
export async function benchRender(
  rounds: number,
): Promise<{ readonly lines: string[]; readonly valid: boolean }> {
  // What is compared must be the same document.
  const probe = engine('64mb')
  if (!(await get(probe, 'identity')).equals(wanted))
    throw new Error('the documents differ: nothing to compare')
  await probe.close()

  // Holds the blobs (half of it) and refuses the rendered document (3/8 of it).
  const warm = engine('1200kb')
  await get(warm, 'gzip')
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const fromBlobs = (coding: string): Candidate => ({
    name: `from blobs, ${coding}`,
    once: () => timed(() => get(warm, coding)),
  })

  const all = await measureInTurn(
    [join, walkAndRender, sitemapPackage, fromBlobs('identity'), fromBlobs('gzip'), control],
    rounds,
    5,
  )
  await warm.close()
  const [base, walk, other, identity, gzip, again] = all as [
    Measured,
    Measured,
    Measured,
    Measured,
    Measured,
    Measured,
  ]
  const line = (measured: Measured): string =>
    `| ${measured.name} | ${measured.median.toFixed(1)} ms | ${percent(measured.spread)} | ${ratio(measured, base)} |`
  return {
    valid: controlHolds(again, base),
    lines: [
      `### Rows 1 and 2: ${COUNT.toLocaleString('en')} plain entries, ${(wanted.length / 1e6).toFixed(1)} MB of XML`,
      '',
      '| what | median | spread | against joining |',
      '| --- | --- | --- | --- |',
      ...[base, walk, other, identity, gzip, again].map(line),
      '',
      `Walk and render against \`sitemap\` 9.0.1: ${(other.median / walk.median).toFixed(1)} times as fast.`,
    ],
  }
}
