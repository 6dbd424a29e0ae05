/** Ends with 0 where an invalidation that fails and is not awaited leaves the process alive. */
import { createHandle } from '../../../src/handle.ts'
import { createEngine, resolveOptions } from '../../../src/index.ts'

let calls = 0
const engine = createEngine(
  resolveOptions({
    site: { url: 'https://www.example.com' },
    retries: 0,
    providers: {
      posts: () => {
        calls++
        throw new Error('the CMS is down')
      },
    },
    log: { info() {}, warn() {}, error() {} },
  }),
)
const handle = createHandle(engine)
void handle.invalidate()
void handle.invalidate('posts')
void handle.refresh('posts')
await engine.respond({ method: 'GET', path: '/sitemap.xml', header: () => undefined })
// A rejection nobody handles ends the process at the end of this turn.
await new Promise((resolve) => setTimeout(resolve, 50))
await handle.close()
void handle.invalidate()
void handle.refresh(undefined, { force: true })
await new Promise((resolve) => setTimeout(resolve, 50))
console.log(JSON.stringify({ calls, state: handle.report().sections.posts?.state }))
