import type { Check } from './check.ts'
import { NEWS } from './keys.ts'
import type { ResolvedOptions, ResolvedSite } from './resolved.ts'

/** What articles that say nothing of it are published in. */
export function resolveNews(check: Check, value: unknown, site: ResolvedSite): ResolvedOptions['news'] {
  const news = check.record('news', value, NEWS)
  return Object.freeze({
    name: check.text('news.name', news.name, site.title, 'Leave it out for site.title.'),
    language: check.language('news.language', news.language, site.language),
  })
}
