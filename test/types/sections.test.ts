import Fastify from 'fastify'
import { describe, expectTypeOf, it } from 'vitest'
import * as express from '../../plugins/express.ts'
import sitemapPlugin, { defineSitemap } from '../../plugins/fastify.ts'
import * as fetched from '../../plugins/fetch.ts'

const site = { url: 'https://www.example.com' } as const
const providers = { pages: ['/'], posts: () => ['/a'] }
const web = express.sitemap
const edge = fetched.sitemap

// Nothing here is called: what matters is what compiles.
describe('an unknown section among the options does not compile', () => {
  it('in the feed', () => {
    const uncalled = [
      // @ts-expect-error
      () => web({ site, providers, feed: { sections: ['pots'] } }),
      // @ts-expect-error
      () => edge({ site, providers, feed: { sections: ['posts', 'page'] } }),
      // @ts-expect-error
      () => defineSitemap({ site, providers, feed: { sections: ['pots'] } }),
      () => web({ site, providers, feed: { sections: ['posts'] } }),
      () => web(defineSitemap({ site, providers, feed: { sections: ['posts'] } })),
    ]
    expectTypeOf(uncalled).items.toBeFunction()
  })

  it('in llms.txt', () => {
    const uncalled = [
      // @ts-expect-error
      () => web({ site, providers, llms: { sections: ['pots'] } }),
      // @ts-expect-error
      () => edge({ site, providers, llms: { optional: ['page'] } }),
      () => edge({ site, providers, llms: { sections: ['posts'], optional: ['posts'] } }),
    ]
    expectTypeOf(uncalled).items.toBeFunction()
  })
})

describe('defineSitemap', () => {
  it('may stand where the options do, with generators that take the context', () => {
    const uncalled = [
      () => Fastify().register(sitemapPlugin, defineSitemap({ site, providers: { posts: generated } })),
      () =>
        Fastify().register(sitemapPlugin, {
          ...defineSitemap({
            site,
            providers: {
              async *posts({ signal }) {
                if (!signal.aborted) yield '/a'
              },
            },
          }),
          name: 'second',
        }),
      // @ts-expect-error
      () => Fastify().register(sitemapPlugin, defineSitemap({ site, providers, exlude: '/a' })),
    ]
    expectTypeOf(uncalled).items.toBeFunction()

    async function* generated({ signal }: { readonly signal: AbortSignal }) {
      if (!signal.aborted) yield '/a'
    }
  })

  it('keeps the names of the sections for the handle', () => {
    const make = () => web(defineSitemap({ site, providers }))
    expectTypeOf(make).returns.toEqualTypeOf<express.SitemapMiddleware<'pages' | 'posts'>>()
  })
})
