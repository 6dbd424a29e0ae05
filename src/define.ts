import type { SitemapOptions } from './options.ts'

/** Types its argument, nothing else. */
export function defineSitemap<Section extends string>(
  options: SitemapOptions<Section>,
): SitemapOptions<Section> {
  return options
}
