/** Ends by itself where nothing of ours holds a process: run with the name of a case. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { sitemap } from '../../../plugins/express.ts'

const [name = ''] = process.argv.slice(2)
const sm = sitemap({
  site: { url: 'https://www.example.com' },
  providers: { posts: () => (name.includes('hangs') ? new Promise<never>(() => {}) : ['/', '/a']) },
})
if (name === 'invalidated') {
  // Neither awaited nor closed.
  void sm.invalidate('posts')
}
if (name.startsWith('served')) {
  const server = http.createServer(sm)
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    // Warm-up and its timers begin with the first request.
    http.get({ port, host: '127.0.0.1', path: '/elsewhere', agent: false }, (response) => {
      response.resume()
      server.close()
    })
  })
}
