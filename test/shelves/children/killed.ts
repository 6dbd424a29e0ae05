/** A site whose blobs go to a folder; says so in the middle of its second walk, and waits there to be killed. */
import { createHandle } from '../../../src/handle.ts'
import { createEngine, resolveOptions } from '../../../src/index.ts'

const [dir = ''] = process.argv.slice(2)
let calls = 0

async function* posts(): AsyncGenerator<string> {
  calls++
  for (let i = 0; i < 30_000; i++) {
    if (calls === 2 && i === 20_000) {
      console.log('in the middle')
      await new Promise((resolve) => setTimeout(resolve, 60_000))
    }
    yield `/${calls}/${i}`
  }
}

const handle = createHandle(
  createEngine(
    resolveOptions({
      site: { url: 'https://www.example.com' },
      providers: { posts },
      cache: { memory: '64kb', dir },
      log: { info() {}, warn() {}, error() {} },
      warmUp: false,
    }),
  ),
)
await handle.refresh()
await handle.refresh()
