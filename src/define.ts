import type { SitemapOptions } from './options.ts'

/** Types its argument, nothing else. */
export function defineSitemap<T extends SitemapOptions>(options: T & NoOthers<T>): T {
  return options
}

/** A type parameter takes any key beside those of its bound: a misspelt option would compile. */
type NoOthers<T> = { readonly [K in Exclude<keyof T, keyof SitemapOptions>]: never }
