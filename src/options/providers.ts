import type { Entry } from '../entry/entry.ts'
import type { EntriesFunction, FormatName, ProviderContext } from '../providers/provider.ts'
import { SECTION_KEY } from '../table/paths.ts'
import { type Check, WAITING } from './check.ts'
import { resolveDefaults } from './defaults.ts'
import { resolveFormats } from './formats.ts'
import { PARTITIONED, PROVIDER } from './keys.ts'
import type { ResolvedPartitions, ResolvedProvider } from './resolved.ts'
import { type Fields, isRecord, localeOf } from './values.ts'
import { walkable } from './walkable.ts'
import { quote } from './words.ts'

/** What a provider takes over where it says nothing. */
interface ProviderFallbacks {
  readonly timeoutMs: number
  readonly ttlMs: number
  readonly retries: number
  readonly maxShrink: number
}

/** All providers, in the order given. */
export function resolveProviders(
  check: Check,
  value: unknown,
  fallbacks: ProviderFallbacks,
): readonly ResolvedProvider[] {
  const expected = 'an object with one provider or more, each under its section'
  const wayOut = "Write providers: { pages: ['/', '/about'] }."
  const walked = walkable(value)
  if (!isRecord(value) || walked !== undefined) {
    check.invalid('providers', value, expected, wayOut, walked?.what)
    return []
  }
  const keys = Object.keys(value)
  if (keys.length === 0) check.invalid('providers', value, expected, wayOut)
  const resolved = keys.map((key) => {
    if (!SECTION_KEY.test(key)) refuseSectionKey(check, key)
    return resolveProvider(check, key, value[key], fallbacks)
  })
  return Object.freeze(resolved)
}

function refuseSectionKey(check: Check, key: string): void {
  const mended = key.replace(/^[^A-Za-z]+/, '').replace(/[^A-Za-z0-9_]+/g, '_')
  const example = SECTION_KEY.test(mended) ? mended : 'posts'
  check.invalid(
    `providers.${key}`,
    key,
    'a letter, then letters, digits and underscores, at most 64 in all: the first hyphen of a part ends its section',
    `Write ${quote(example)}.`,
    'no section key',
  )
}

function resolveProvider(
  check: Check,
  section: string,
  value: unknown,
  fallbacks: ProviderFallbacks,
): ResolvedProvider {
  const path = `providers.${section}`
  const bare = Array.isArray(value) || typeof value === 'function'
  const fields = bare ? { entries: value } : providerFields(check, section, value)
  const partitioned =
    fields?.partitions === undefined ? undefined : resolvePartitions(check, path, fields, value)
  const entries =
    fields === undefined || partitioned !== undefined
      ? undefined
      : resolveEntries(check, `${path}.entries`, fields.entries)
  const { ttl, title, formats, lang, groups, optional, version, defaults, ...rest } = fields ?? {}
  const resolvedDefaults = resolveDefaults(check, `${path}.defaults`, defaults)
  const resolvedLang = check.locale(`${path}.lang`, lang)
  const defaultLang = localeOf(resolvedDefaults.lang)
  if (resolvedLang !== undefined && defaultLang !== undefined && resolvedLang !== defaultLang) {
    const words = `the same language as ${path}.lang, ${quote(resolvedLang)}`
    check.invalid(`${path}.defaults.lang`, resolvedDefaults.lang, words, 'Give one of the two.')
  }
  const call = check.fn<(ctx: ProviderContext) => unknown>(
    `${path}.version`,
    version,
    'Write version: () => token, or leave it out.',
  )
  return Object.freeze({
    section,
    title: check.text(`${path}.title`, title, inWords(section), `Leave it out for '${inWords(section)}'.`),
    list: Array.isArray(entries) ? entries : undefined,
    // Called on the user's own object, so that a method may use `this`.
    entries: typeof entries === 'function' ? (bare ? entries : entries.bind(value)) : undefined,
    partitioned,
    version: call?.bind(value),
    ttlMs: ttl === undefined ? fallbacks.ttlMs : check.duration(`${path}.ttl`, ttl, '10m'),
    defaults: resolvedDefaults,
    formats: resolveFormats(check, `${path}.formats`, formats, defaultFormats(partitioned)),
    lang: resolvedLang,
    adjacentGroups: resolveGroups(check, `${path}.groups`, groups),
    optional: check.bool(`${path}.optional`, optional, false),
    maxShrink: check.share(`${path}.maxShrink`, rest.maxShrink, fallbacks.maxShrink),
    timeoutMs:
      rest.timeout === undefined
        ? fallbacks.timeoutMs
        : check.duration(`${path}.timeout`, rest.timeout, '30s', { above0: true, mostS: WAITING }),
    retries: check.whole(`${path}.retries`, rest.retries, fallbacks.retries, 0),
  })
}

/** Whether the entries of a group come next to each other. */
function resolveGroups(check: Check, path: string, value: unknown): boolean {
  if (value !== undefined && value !== 'adjacent')
    check.invalid(path, value, "'adjacent'", "Write 'adjacent', or leave it out.")
  return value === 'adjacent'
}

/** The fields of a provider object, or undefined where `value` is none or one of a later release. */
function providerFields(check: Check, section: string, value: unknown): Fields | undefined {
  const path = `providers.${section}`
  if (!isRecord(value) || walkable(value) !== undefined) {
    refuseEntries(check, path, value, 'a list, a function, or an object with entries', quote(section))
    return undefined
  }
  const known = value.partitions === undefined ? PROVIDER : PARTITIONED
  const fields = check.record(path, value, known)
  // Named one by one: fields of a class may be getters of its prototype, which a spread would lose.
  return Object.fromEntries(Object.keys(known).map((key) => [key, fields[key]]))
}

/** The functions of a provider that is read slice by slice, called on the user's own object. */
function resolvePartitions(
  check: Check,
  path: string,
  fields: Fields,
  value: unknown,
): ResolvedPartitions | undefined {
  const fn = <T extends (...args: never[]) => unknown>(key: string, wayOut: string): T | undefined =>
    check.fn<(...args: unknown[]) => unknown>(`${path}.${key}`, fields[key], wayOut)?.bind(value) as
      | T
      | undefined
  const partitions = fn<ResolvedPartitions['partitions']>(
    'partitions',
    'Write partitions: () => [{ id }, …].',
  )
  const entries = fn<ResolvedPartitions['entries']>(
    'entries',
    'Write entries: ({ partition }) => the entries of one.',
  )
  if (fields.entries === undefined)
    check.invalid(
      `${path}.entries`,
      undefined,
      'a function that reads one partition',
      'Write entries: ({ partition }) => …',
    )
  if (partitions === undefined || entries === undefined) return undefined
  return Object.freeze({
    partitions,
    entries,
    changedSince: fn<NonNullable<ResolvedPartitions['changedSince']>>(
      'changedSince',
      'Write changedSince: ({ since }) => ids of partitions, or leave it out.',
    ),
    fullEveryMs: check.duration(`${path}.fullEvery`, fields.fullEvery, '1d', { above0: true }),
    latest: fn<NonNullable<ResolvedPartitions['latest']>>(
      'latest',
      'Write latest: () => entries, or leave it out.',
    ),
  })
}

/** A partitioned section is read for its parts alone; in feeds it is through `latest` (DESIGN 3, partitions). */
function defaultFormats(partitioned: ResolvedPartitions | undefined): readonly FormatName[] | undefined {
  if (partitioned === undefined) return undefined
  return partitioned.latest === undefined ? ['xml', 'txt'] : ['xml', 'txt', 'feed', 'news']
}

function resolveEntries(
  check: Check,
  path: string,
  value: unknown,
): readonly Entry[] | EntriesFunction | undefined {
  if (Array.isArray(value)) return value as readonly Entry[]
  if (typeof value === 'function') return value as EntriesFunction
  refuseEntries(check, path, value, 'a list or a function', 'entries')
  return undefined
}

/** `key` is the name that the way out writes the value under. */
function refuseEntries(check: Check, path: string, value: unknown, expected: string, key: string): void {
  const walked = walkable(value)
  if (walked === undefined) {
    check.invalid(path, value, expected, `Write ${key}: ['/about'], or ${key}: async function* () { … }.`)
  } else if (walked.once) {
    const wayOut = `Pass the function that makes it, called at each refresh: ${key}: () => …`
    check.invalid(path, value, expected, wayOut, `${walked.what}, which can be walked only once`)
  } else {
    const wayOut = `Pass a list, [...them], or a function that returns it, called at each refresh: ${key}: () => …`
    check.invalid(path, value, expected, wayOut, walked.what)
  }
}

/** `blogPosts` → `Blog posts`; words in capitals stay: `FAQ`. */
function inWords(key: string): string {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_]+/)
    .filter((word) => word !== '')
    .map((word) => (/^[A-Z][A-Z0-9]+$/.test(word) ? word : word.toLowerCase()))
    .join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
