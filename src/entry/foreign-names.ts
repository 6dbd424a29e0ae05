/** Names that other packages use, with ours. Typed `never` in {@link Entry}; at run time a walk warns of each once. */
export const FOREIGN_NAMES: Readonly<Record<string, string>> = {
  lastMod: 'lastmod',
  lastModified: 'lastmod',
  lastmodISO: 'lastmod',
  changeFreq: 'changefreq',
  changeFrequency: 'changefreq',
  links: 'alternates',
  alternateRefs: 'alternates',
  image: 'images',
  img: 'images',
  video: 'videos',
}

/** Names that databases use for `lastmod`; said only where the entry has none. */
const LASTMOD_NAMES: readonly string[] = [
  'updatedAt',
  'updated_at',
  'updated',
  'modifiedAt',
  'modified_at',
  'modified',
]

/** Our name for one that is not read, or undefined. */
export function ourNameOf(name: string): string | undefined {
  return FOREIGN_NAMES[name] ?? (LASTMOD_NAMES.includes(name) ? 'lastmod' : undefined)
}

/** Names of ours that a later release writes; until then a walk warns of each once. */
const LATER_NAMES: readonly string[] = ['videos', 'news', 'group', 'extensions']

/** The names in `entry` that will not be read, without reading a value. */
export function foreignNames(entry: object): string[] {
  const found: string[] = []
  for (const name in entry)
    if (
      Object.hasOwn(FOREIGN_NAMES, name) ||
      LATER_NAMES.includes(name) ||
      (LASTMOD_NAMES.includes(name) && !('lastmod' in entry))
    )
      found.push(name)
  return found
}
