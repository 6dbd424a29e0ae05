/**
 * Which locale an entry belongs to: the one its language names, else the one its language begins with (`fr-CA` → `fr`,
 * as RFC 4647 §3.4 looks up), else the default.
 */
export function createLocaleLookup(
  locales: readonly string[],
  defaultLocale: string | undefined,
): (lang: string | undefined) => string | undefined {
  const known = new Set(locales)
  return (lang) => {
    for (let tag = lang ?? ''; tag !== ''; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-'))))
      if (known.has(tag)) return tag
    return defaultLocale
  }
}
