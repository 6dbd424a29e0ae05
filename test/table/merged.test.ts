import { afterEach, expect, it } from 'vitest'
import type { Size } from '../../src/index.ts'
import { closeEngines, createSource, createTestEngine, entriesOf } from '../support/site.ts'

afterEach(closeEngines)

it.each<Size>(['100kb', '200kb', '64mb'])(
  '/sitemap.xml stays the merged urlset while the site fits one part, however little memory there is: %s (DESIGN 3, paths)',
  async (memory) => {
    const a = createSource(entriesOf('a', 3_000))
    const { ask, handle } = createTestEngine({
      providers: { a: a.entries, b: entriesOf('b', 3_000) },
      cache: { memory },
    })
    const kinds: string[] = []
    for (let round = 0; round < 4; round++) {
      kinds.push(/<(urlset|sitemapindex) /.exec((await ask('/sitemap.xml')).text)?.[1] ?? 'none')
      a.set(entriesOf(`a${round}`, 3_000))
      await handle.refresh('a')
    }
    expect(kinds).toEqual(['urlset', 'urlset', 'urlset', 'urlset'])
  },
)
