/**
 * Ends by itself where nothing of ours holds a process: run with the name of a case.
 * The provider of `hangs` never ends, that of the others gives two entries.
 */
import Fastify from 'fastify'
import sitemapPlugin from '../../../plugins/fastify.ts'

const [name = ''] = process.argv.slice(2)
const app = Fastify()
await app.register(sitemapPlugin, {
  site: { url: 'https://www.example.com' },
  providers: { posts: () => (name.includes('hangs') ? new Promise<never>(() => {}) : ['/', '/a']) },
})
if (name.startsWith('inject')) {
  // Nobody listens and nobody closes: our timers and walks must not keep the process.
  for (const url of ['/sitemap.xml', '/feed.rss'])
    void app.inject(url).then(({ statusCode }) => console.log(statusCode))
}
if (name.startsWith('listen')) {
  await app.listen({ port: 0, host: '127.0.0.1' })
  app.sitemap.invalidate('posts').catch(({ code }) => console.log(code))
  await new Promise((resolve) => setImmediate(resolve))
  await app.close()
  console.log('closed')
}
