/**
 * Two instances of the shop, as they stand behind a balancer: one database, one CMS, one store. Both name the URLs of the
 * first, as a balancer's would be.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startCms } from './cms.ts'
import { openDatabase } from './database.ts'
import { siteUrlOf } from './site.ts'

const host = process.env.HOST || '127.0.0.1'
const dataDir = process.env.DATA_DIR || fileURLToPath(new URL('./data', import.meta.url))
const first = Number(process.env.PORT || '3000')

// Filled before both open it.
openDatabase(dataDir).close()
const cms = await startCms()
const instances = [first, first + 1].map(start)

console.log(
  `Two instances over ${process.env.REDIS_URL ? 'Redis' : 'one folder'}. Publish in the admin of one, look at the other.`,
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
// One alone is not what was asked for.
await Promise.race(instances.map(({ gone }) => gone))
end()
const codes = await Promise.all(instances.map(({ gone }) => gone))
await cms.close()
process.exitCode = codes.every((code) => code === 0) ? 0 : 1

function start(port: number): { readonly child: ChildProcess; readonly gone: Promise<number | null> } {
  const child = fork(fileURLToPath(new URL('./server.ts', import.meta.url)), {
    env: {
      ...process.env,
      PORT: String(port),
      HOST: host,
      DATA_DIR: dataDir,
      SITE_URL: siteUrlOf(host, first),
      CMS_URL: cms.url,
      CMS_TOKEN: cms.token,
      SHARED: '1',
    },
  })
  return { child, gone: once(child, 'exit').then(([code]: (number | null)[]) => code ?? null) }
}

function end(): void {
  for (const { child } of instances) if (child.connected) child.disconnect()
}
