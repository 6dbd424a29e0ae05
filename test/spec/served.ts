/** A site whose documents are read as a client gets them. */
import type { Document } from '@xmldom/xmldom'
import type { Entry, EntryObject } from '../../src/index.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { type Answer, createTestEngine, type TestEngine, type TestOptions } from '../support/site.ts'
import { parseXml } from '../support/xsd.ts'

export const IDENTITY = { 'accept-encoding': 'identity' } as const

export interface Served {
  readonly site: TestEngine
  /** The answer, which has to be 200, without a content-coding. */
  get(path: string): Promise<Answer>
  text(path: string): Promise<string>
  /** Parsed; well-formed for libxml2, or it throws. */
  xml(path: string): Promise<Document>
  /** Reasons of section `pages`, as the report counts them. */
  reasons(): Readonly<Record<string, number>>
}

/** The instant at which sites begin: what the tests date in May 2026 is past, and no news any more. */
export const START_MS: number = Date.UTC(2026, 5, 1)

export function serve(
  options: TestOptions,
  clock: TestEngine['clock'] = createManualClock(START_MS),
): Served {
  const site = createTestEngine(options, clock)
  const get = async (path: string): Promise<Answer> => {
    const answer = await site.ask(path, IDENTITY)
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
    return answer
  }
  const text = async (path: string): Promise<string> => (await get(path)).text
  return {
    site,
    get,
    text,
    xml: async (path) => parseXml(await text(path)),
    reasons: () => site.handle.report().sections.pages?.skipped.reasons ?? {},
  }
}

/** A site with one section, `pages`. */
export function serveEntries(
  entries: readonly Entry[],
  options: Partial<TestOptions> = {},
  clock?: TestEngine['clock'],
): Served {
  // A function: what a list holds is typed more narrowly than what a database gives.
  return serve({ ...options, providers: { pages: () => entries } }, clock)
}

/** An entry with values that the types refuse and that data holds nevertheless. */
export function untyped(fields: Readonly<Record<string, unknown>>): EntryObject {
  return fields as unknown as EntryObject
}
