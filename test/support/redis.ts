/** A real Redis or Valkey server of PATH, on a free port of 127.0.0.1, in a folder of its own, without persistence. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from './eventually.ts'

/** A server of the test's own. */
export interface RedisServer {
  readonly port: number
  readonly url: string
  /** Ends it and removes its folder. */
  stop(): Promise<void>
  /** Takes its breath away: connections stay open, nothing is answered. */
  pause(): void
  resume(): void
  /** Ends it as a crash does; the port stays free for `restart()`. */
  kill(): Promise<void>
  /** A new, empty server on the same port. */
  restart(): Promise<void>
}

/** Three nodes that share the slots. */
export interface RedisCluster {
  readonly nodes: readonly RedisServer[]
  stop(): Promise<void>
}

const REQUIRED = process.env.LIVE_SITEMAP_REDIS === 'required'
const STARTS_WITHIN_MS = 20_000
const ATTEMPTS = 5

const [serverCommand, cliCommand] = commands()

/** Whether there is a server to test with; fails where there has to be one. */
export function hasRedis(): boolean {
  if (serverCommand !== undefined) return true
  if (REQUIRED)
    throw new Error('LIVE_SITEMAP_REDIS=required, and PATH has neither redis-server nor valkey-server')
  console.log('skipped: needs redis-server or valkey-server in PATH')
  return false
}

/** Starts a server that answers; `args` are those of the command, such as `['--maxmemory', '2mb']`. */
export async function startRedis({
  port,
  args = [],
}: {
  readonly port?: number
  readonly args?: readonly string[]
} = {}): Promise<RedisServer> {
  return start(args, port === undefined ? freePort : async () => port)
}

async function start(args: readonly string[], findPort: () => Promise<number>): Promise<RedisServer> {
  const dir = await mkdtemp(join(tmpdir(), 'live-sitemap-redis-'))
  for (let attempt = 1; ; attempt++) {
    const port = await findPort()
    try {
      return serverOf(port, dir, args, await launch(port, dir, args))
    } catch (error) {
      // Between finding a free port and listening on it another process may have taken it.
      if (attempt < ATTEMPTS) continue
      await rm(dir, { recursive: true, force: true })
      throw error
    }
  }
}

function serverOf(port: number, dir: string, args: readonly string[], first: ChildProcess): RedisServer {
  let child = first
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    kill,
    async restart() {
      await kill()
      child = await launch(port, dir, args)
    },
    async stop() {
      await kill()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** Three masters; `redis-cli` shares the slots between them. */
export async function startCluster(): Promise<RedisCluster> {
  const cluster = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000']
  const nodes = await Promise.all([1, 2, 3].map(() => start(cluster, clusterPort)))
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()))
  }
  try {
    const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`)
    await cli(['--cluster', 'create', ...addresses, '--cluster-yes'])
    for (const { port } of nodes) {
      await eventually(async () =>
        (await cli(['-p', String(port), 'cluster', 'info'])).includes('cluster_state:ok'),
      )
    }
  } catch (error) {
    await stop()
    throw error
  }
  return { nodes, stop }
}

async function launch(port: number, dir: string, args: readonly string[]): Promise<ChildProcess> {
  if (serverCommand === undefined) throw new Error('ask hasRedis() first')
  const settings = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    dir,
    '--save',
    '',
    '--appendonly',
    'no',
  ]
  const child = spawn(serverCommand, [...settings, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  outlivesNobody(child)
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      log = `${log}${String(text)}`.slice(-2_000)
    })
  }
  let ended = false
  child.once('error', () => {
    ended = true
  })
  child.once('exit', () => {
    ended = true
  })
  await eventually(async () => {
    if (ended) throw new Error(`${serverCommand} did not start:\n${log}`)
    return (await ask(port, 'PING')).startsWith('+PONG')
  })
  return child
}

/**
 * Ends a child when this process is gone, however it went: its end of the pipe closes then. What ends the whole group of
 * processes is not to end the watcher first.
 */
function outlivesNobody(child: ChildProcess): void {
  if (child.pid === undefined) return
  const watcher = spawn(
    'sh',
    ['-c', 'trap "" TERM INT HUP; cat >/dev/null; kill -9 "$0"', String(child.pid)],
    {
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  )
  child.once('exit', () => watcher.kill('SIGKILL'))
}

/** The first bytes of the answer to a command; '' where nobody listens. */
function ask(port: number, command: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(`${command}\r\n`))
    const settle = (text: string) => {
      socket.destroy()
      resolve(text)
    }
    socket.once('data', (bytes) => settle(String(bytes)))
    socket.once('error', () => settle(''))
    socket.once('close', () => settle(''))
  })
}

async function cli(args: readonly string[]): Promise<string> {
  if (cliCommand === undefined) throw new Error('PATH has neither redis-cli nor valkey-cli')
  const { stdout } = await promisify(execFile)(cliCommand, [...args], { timeout: STARTS_WITHIN_MS })
  return stdout
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** The nodes of a cluster talk on a port of their own, 10,000 above the first: that has to be one too. */
async function clusterPort(): Promise<number> {
  for (;;) {
    const port = await freePort()
    if (port < 55_000) return port
  }
}

function commands(): readonly (string | undefined)[] {
  return ['server', 'cli'].map((part) =>
    [`redis-${part}`, `valkey-${part}`].find((name) => spawnSync(name, ['--version']).status === 0),
  )
}
