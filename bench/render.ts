import { Readable } from 'node:stream'
import { SitemapStream, streamToPromise } from 'sitemap'
import { createPlainEngine, drain, take } from './engine.ts'
import { joinStrings, ORIGIN, plainRows } from './entries.ts'
import { readFlags } from './flags.ts'
import {
  type Candidate,
  controlHolds,
  type Finding,
  type Measured,
  measureInTurn,
  percent,
  ratio,
  timed,
} from './measure.ts'

const COUNT = 50_000
const rows = plainRows(COUNT)
const wanted = joinStrings(rows)
const join: Candidate = { name: 'string joining', once: () => timed(() => joinStrings(rows)) }
const control: Candidate = { name: 'string joining again (control)', once: join.once }

const walkAndRender: Candidate = {
  name: 'live-sitemap, walk and render',
  async once() {
    const fresh = createPlainEngine(rows, '64mb')
    const ms = await timed(() => drain(fresh, '/sitemap.xml', 'identity'))
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
export async function benchRender(flags: readonly string[]): Promise<Finding> {
  const given = readFlags(flags, ['rounds'])
  const rounds = given.number('rounds', given.quick ? 5 : 31)
  // What is compared must be the same document.
  const probe = createPlainEngine(rows, '64mb')
  if (!(await take(probe, '/sitemap.xml', 'identity')).equals(wanted))
    throw new Error('the documents differ: nothing to compare')
  await probe.close()

  // Holds the blobs (half of it) and refuses the rendered document (3/8 of it).
  const warm = createPlainEngine(rows, '1200kb')
  await take(warm, '/sitemap.xml', 'gzip')
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const fromBlobs = (coding: string): Candidate => ({
    name: `from blobs, ${coding}`,
    once: () => timed(() => drain(warm, '/sitemap.xml', coding)),
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
      `Walk and render: ${ratio(walk, base)} of joining (budget: 2.5), ${(other.median / walk.median).toFixed(1)} times as fast as \`sitemap\` 9.0.1 (budget: 6). From blobs: ${ratio(identity, base)} of joining plain, ${ratio(gzip, base)} gzip (budget: 0.5).`,
    ],
  }
}
