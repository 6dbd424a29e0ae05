import { path } from '../plugins/fastify.ts'
import { type Locale, locales } from './texts.ts'

/** Path of the start page in a language: `/`, `/fr/`. */
export function homePath(locale: Locale): string {
  return locale === 'en' ? '/' : `/${locale}/`
}

/** Path of a page that exists in every language: `/about`, `/fr/about`. */
export function pagePath(locale: Locale, page: 'about' | 'articles'): string {
  return homePath(locale) + page
}

/** Path of an article. The slug comes from the CMS and may hold anything, a slash too: `path` encodes it as one segment. */
export function articlePath(locale: Locale, slug: string): string {
  return locale === 'en' ? path`/articles/${slug}` : path`/${locale}/articles/${slug}`
}

/** Path of a product. */
export function productPath(slug: string): string {
  return path`/products/${slug}`
}

/** Path of a product's picture. */
export function productImagePath(slug: string): string {
  return path`/images/products/${slug}.svg`
}

/** Every language version of a page and the one for all other readers, as `alternates` of an entry. */
export function alternatesOf(pathIn: (locale: Locale) => string): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(locales.map((locale) => [locale, pathIn(locale)])),
    'x-default': pathIn('en'),
  }
}
