import { describe, expectTypeOf, it } from 'vitest'
import type { Entry, SitemapOptions } from '../../plugins/fastify.ts'

describe('what is no entry', () => {
  it('has no address, or one of a wrong type', () => {
    expectTypeOf({}).not.toExtend<Entry>()
    expectTypeOf({ title: 'About' }).not.toExtend<Entry>()
    expectTypeOf({ loc: 404 }).not.toExtend<Entry>()
    expectTypeOf({ loc: null }).not.toExtend<Entry>()
    expectTypeOf({ loc: undefined, url: null }).not.toExtend<Entry>()
    expectTypeOf<number>().not.toExtend<Entry>()
    expectTypeOf(['/']).not.toExtend<Entry>()
  })

  it('has a field as another package names it', () => {
    expectTypeOf({ loc: '/', lastMod: '2024-05-01' }).not.toExtend<Entry>()
    expectTypeOf({ loc: '/', lastModified: new Date() }).not.toExtend<Entry>()
    expectTypeOf({ loc: '/', changeFreq: 'daily' as const }).not.toExtend<Entry>()
    expectTypeOf({ loc: '/', changeFrequency: 'daily' as const }).not.toExtend<Entry>()
    expectTypeOf({ loc: '/', links: [{ lang: 'en', url: '/en' }] }).not.toExtend<Entry>()
    expectTypeOf({ loc: '/', img: '/cover.jpg' }).not.toExtend<Entry>()
    expectTypeOf({ loc: '/', image: '/cover.jpg' }).not.toExtend<Entry>()
    expectTypeOf({ loc: '/', images: [{ url: '/cover.jpg' }] }).not.toExtend<Entry>()
    expectTypeOf({ loc: '/', alternates: [{ lang: 'en', url: '/en' }] }).not.toExtend<Entry>()
  })

  it('has a value that the field does not take', () => {
    expectTypeOf({ loc: '/', changefreq: 'dayly' as const }).not.toExtend<Entry>()
    expectTypeOf({ loc: '/', updatePeriod: 'daily' as const }).not.toExtend<Entry>()
    expectTypeOf({ loc: '/', lastmod: true }).not.toExtend<Entry>()
    expectTypeOf({ loc: '/', noindex: 'yes' }).not.toExtend<Entry>()
    expectTypeOf({ loc: '/', news: { title: 'Undated' } }).not.toExtend<Entry>()
    expectTypeOf({ loc: '/', videos: [{ title: 'A', description: 'B' }] }).not.toExtend<Entry>()
    expectTypeOf({ loc: '/', enclosure: { url: '/a.mp3' } }).not.toExtend<Entry>()
    expectTypeOf({ loc: '/', extensions: [{ text: '5' }] }).not.toExtend<Entry>()
  })

  it('is a misspelt field in a list', () => {
    // @ts-expect-error
    const list: readonly Entry[] = [{ loc: '/', lastmd: '2024-05-01' }]
    expectTypeOf(list).toEqualTypeOf<readonly Entry[]>()
  })

  it('is told in a provider that yields it', () => {
    type Providers = SitemapOptions['providers']
    // @ts-expect-error
    const foreign: Providers = { posts: () => [{ loc: '/', lastMod: '2024-05-01' }] }
    // @ts-expect-error
    const nowhere: Providers = { posts: async () => [{ title: 'About' }] }
    // @ts-expect-error
    const often: Providers = { posts: { entries: () => [{ loc: '/', changefreq: 'dayly' }] } }
    // @ts-expect-error
    const numbers: Providers = { posts: () => [1, 2, 3] }
    // @ts-expect-error
    const nothing: Providers = { posts: () => undefined }
    const generators = {
      foreign: function* () {
        yield { loc: '/', lastMod: '2024-05-01' }
      },
      nowhere: async function* () {
        yield { title: 'About' }
      },
      often: async function* () {
        yield { loc: '/', changefreq: 'dayly' as const }
      },
    }
    type Provider = Providers[string]
    expectTypeOf(generators.foreign).not.toExtend<Provider>()
    expectTypeOf(generators.nowhere).not.toExtend<Provider>()
    expectTypeOf(generators.often).not.toExtend<Provider>()
    expectTypeOf([foreign, nowhere, often, numbers, nothing]).toEqualTypeOf<Providers[]>()
  })
})

describe('what is an entry', () => {
  it('is text, a URL, or an object with an address', () => {
    expectTypeOf<string>().toExtend<Entry>()
    expectTypeOf<URL>().toExtend<Entry>()
    expectTypeOf({ loc: '/' }).toExtend<Entry>()
    expectTypeOf({ loc: new URL('https://www.example.com/a') }).toExtend<Entry>()
    expectTypeOf({ url: '/' }).toExtend<Entry>()
    expectTypeOf({ loc: '/', url: null }).toExtend<Entry>()
  })

  it('has fields as a database row gives them', () => {
    interface Row {
      readonly loc: string
      readonly lastmod: Date | null
      readonly title: string | undefined
      readonly priority: number | string | null
      readonly images: (string | undefined)[]
      readonly keywords: readonly string[] | null
      readonly noindex: boolean | null
    }
    expectTypeOf<Row>().toExtend<Entry>()
    expectTypeOf<Readonly<Row>>().toExtend<Entry>()
    expectTypeOf<Partial<Row> & { loc: string }>().toExtend<Entry>()
  })

  it('has every field in each of its forms', () => {
    expectTypeOf({ loc: '/', lastmod: 1_714_521_600 }).toExtend<Entry>()
    expectTypeOf({ loc: '/', lastmod: '2024-05-01 10:00:00' }).toExtend<Entry>()
    expectTypeOf({ loc: '/', images: '/cover.jpg' }).toExtend<Entry>()
    expectTypeOf({ loc: '/', images: [{ loc: new URL('https://cdn.example.com/a.jpg') }] }).toExtend<Entry>()
    expectTypeOf({
      loc: '/',
      alternates: { en: '/en', fr: new URL('https://fr.example.com') },
    }).toExtend<Entry>()
    expectTypeOf({ loc: '/', alternates: [{ hreflang: 'x-default', href: '/' }] }).toExtend<Entry>()
    expectTypeOf({ loc: '/', news: true, title: 'A', published: new Date() }).toExtend<Entry>()
    expectTypeOf({
      loc: '/',
      enclosure: { url: '/a.mp3', type: 'audio/mpeg', length: null },
    }).toExtend<Entry>()
    expectTypeOf({ loc: '/', robots: ['nofollow', 'noarchive'] }).toExtend<Entry>()
    expectTypeOf({ loc: '/', extensions: [{ name: 'shop:price', text: '5' }] }).toExtend<Entry>()
  })
})
