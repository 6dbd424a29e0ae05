import { randomUUID } from 'node:crypto'
import { digestOf } from '../digest.ts'
import type { ResolvedOptions, ResolvedProvider } from '../options.ts'
import { takesPart } from '../table/takes-part.ts'
import { VERSION } from '../version.ts'
import { EVERYTHING } from './revisions.ts'

/** The layout of keys and values; raised when either changes, so that no release reads what it cannot. */
const LAYOUT = 'ls1'
/** Characters of a digest in a key: 60 bits tell all shelves of a store apart. */
const SHORT = 10

/** The names under which one shelf keeps what it shares. What stands in braces keeps them on one node of a cluster. */
export interface ShelfKeys {
  /** The record of a release, by its shape. */
  record(shape: string): string
  /** The shape of the record that was written last, whichever release wrote it. */
  readonly newest: string
  readonly lease: string
  readonly held: string
  /** What only reading its partitions teaches. */
  readonly learned: string
  /** A run of compressed blocks, by its content. */
  blob(shape: string, digest: string): string
  /** What an invalidation may name to mean this shelf. */
  readonly tags: readonly string[]
}

/**
 * Identity: a snapshot of another site, URL or layout is never used (DESIGN 4). Two applications on one store are told
 * apart by `cache.namespace`.
 */
export function shelfKeys(options: ResolvedOptions, section: string, partition?: string): ShelfKeys {
  const { site, cache } = options
  const identity = digestOf(JSON.stringify([cache.namespace, site.id, site.url])).slice(0, SHORT)
  const name = partition === undefined ? section : `${section}/${partition}`
  const base = `${LAYOUT}:{${plain(site.id)}|${name}|${identity}}`
  return {
    record: (shape) => `${base}:r:${shape}`,
    newest: `${base}:n`,
    lease: `${base}:l`,
    held: `${base}:h`,
    learned: `${base}:t`,
    blob: (shape, digest) => `${base}:b:${shape}:${digest}`,
    tags: tagsOf(options, section, partition),
  }
}

/** The tag that an invalidation of this scope raises: all sites, or sections, where none is named. */
export function tagOf(
  namespace: string,
  site: string | undefined,
  section?: string | undefined,
  partition?: string,
): string {
  const scope = [digestOf(namespace).slice(0, SHORT), site ?? EVERYTHING, section ?? EVERYTHING]
  return (partition === undefined ? scope : [...scope, partition]).join('|')
}

/** Every tag that means a shelf. */
function tagsOf(
  { site, cache: { namespace } }: ResolvedOptions,
  section: string,
  partition?: string,
): string[] {
  const scopes = [undefined, site.id].flatMap((id) =>
    partition === undefined
      ? [tagOf(namespace, id), tagOf(namespace, id, section)]
      : [
          tagOf(namespace, id),
          tagOf(namespace, id, section, EVERYTHING),
          tagOf(namespace, id, section, partition),
        ],
  )
  return [EVERYTHING, ...scopes]
}

/** An id is the user's text: braces would name another slot, and spaces break tools. */
function plain(id: string): string {
  return id.replace(/[^\w.:-]/g, '_').slice(0, 80)
}

/**
 * Shape: all plain options that shape entries and cuts, the package's version, and `cache.version` for what is no plain
 * option. A snapshot of another shape is last good, and stale (DESIGN 4). A list of the user's own is part of it: it
 * stands as it is until the next deploy, which may bring another.
 */
export function shapeOf(options: ResolvedOptions, provider: ResolvedProvider): string {
  const { limit, maxBytes, trailingSlash, scope, onInvalid, i18n, news, feed, html, namespaces } = options
  return digestOf(
    JSON.stringify([
      VERSION,
      options.cache.version ?? null,
      [limit, maxBytes, trailingSlash, scope, onInvalid, options.excluded],
      [i18n, news, feed.limit, html.pageSize, namespaces],
      takesPart(options, provider),
      [provider.defaults, provider.lang ?? null, provider.adjacentGroups, listText(provider.list)],
      options.transform !== undefined,
    ]),
  ).slice(0, SHORT)
}

function listText(list: ResolvedProvider['list']): string | null {
  if (list === undefined) return null
  try {
    return digestOf(JSON.stringify(list))
  } catch {
    // It has no text (a bigint, a ring): it is equal to no other.
    return randomUUID()
  }
}
