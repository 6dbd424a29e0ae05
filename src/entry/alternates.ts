import { COUNTRIES, LANGUAGES } from './iso-codes.ts'

/** What a text says of a language. */
export interface ReadLanguage {
  /** The tag as documents write it; undefined where the text is none. */
  readonly tag: string | undefined
  /** What is wrong where there is no tag; what was mended, or looks like a slip, where there is one. To stand behind the field's name. */
  readonly remark: string | undefined
}

const TAG = /^([A-Za-z]{2,3})(?:-([A-Za-z]{4}))?(?:-([A-Za-z]{2}|\d{3}))?$/

const NOT_A_TAG: ReadLanguage = refused('is no language tag such as fr, fr-CA or x-default')
const NOT_A_LANGUAGE: ReadLanguage = refused(
  'begins with a code that is no language of ISO 639-1 (Japanese is ja, Czech cs, Greek el, Danish da, Chinese zh, Ukrainian uk, Vietnamese vi)',
)
const NOT_A_REGION: ReadLanguage = refused('has a region that is none of ISO 3166-1')

const MENDED_UK = 'region UK was written as GB'
/** Languages of their own whose codes are countries of better known ones: written as given. */
const DOUBTFUL: Readonly<Record<string, string>> = {
  kr: 'kr is Kanuri; Korean is ko',
  se: 'se is Northern Sami; Swedish is sv',
}

/** Sites use a handful of tags, each once an entry. Twelve characters: a longer slice would keep the text it was cut from. */
const known = new Map<string, ReadLanguage>()
const MOST_KNOWN = 1_000
const LONGEST_KNOWN = 12

/**
 * Reads a language tag: language, optionally script and region, hyphens between, each in its usual case (SPEC E74); or
 * `x-default`. CMS locale ids with underscores are mended, and so is the region `UK` (E75). Languages of two letters
 * are those of ISO 639-1, regions of two letters those of ISO 3166-1.
 */
export function readLanguage(input: string): ReadLanguage {
  const before = known.get(input)
  if (before !== undefined) return before
  const language = parse(input)
  if (known.size < MOST_KNOWN && input.length <= LONGEST_KNOWN) known.set(input, language)
  return language
}

/** The tag of {@link readLanguage}, or undefined. */
export function normaliseLanguage(input: string): string | undefined {
  return readLanguage(input).tag
}

function parse(input: string): ReadLanguage {
  const text = input.trim().replaceAll('_', '-')
  const match = TAG.exec(text)
  if (match === null) return /^x-default$/i.test(text) ? { tag: 'x-default', remark: undefined } : NOT_A_TAG
  const language = (match[1] ?? '').toLowerCase()
  const script = match[2]
  let region = match[3]?.toUpperCase()
  if (language.length === 2 && !LANGUAGES.has(language)) return NOT_A_LANGUAGE
  let remark = DOUBTFUL[language]
  if (region === 'UK') {
    region = 'GB'
    remark = MENDED_UK
  }
  if (region?.length === 2 && !COUNTRIES.has(region)) return NOT_A_REGION
  let tag = language
  if (script !== undefined) tag += `-${script.charAt(0).toUpperCase()}${script.slice(1).toLowerCase()}`
  if (region !== undefined) tag += `-${region}`
  return { tag, remark }
}

function refused(remark: string): ReadLanguage {
  return Object.freeze({ tag: undefined, remark })
}
