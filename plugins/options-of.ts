import type { ServedProvider, SitemapOptions } from '../src/options.ts'

/** Options whose sections the compiler reads off the keys of `providers`, so that the handle can name them. */
export type OptionsOf<Section extends string> = SitemapOptions & {
  readonly providers: Readonly<Record<Section, ServedProvider>>
}
