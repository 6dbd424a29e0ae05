import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from './ask.ts'
import { readFlags } from './flags.ts'
import {
  type Candidate,
  controlHolds,
  type Finding,
  type Measured,
  measureInTurn,
  median,
  percent,
  ratio,
  table,
  whole,
} from './measure.ts'
import { cpuMsOf } from './memory.ts'
import { startProcess } from './processes.ts'
import { LOAD_SECONDS, load, type Serving } from './serve.ts'

/** A cached answer against the finished file from nginx: what the machine can do at all. */
export async function benchNginx(args: readonly string[]): Promise<Finding> {
  const flags = readFlags(args, ['rounds'])
  const rounds = flags.number('rounds', flags.quick ? 2 : 7)
  const server = await startProcess<Serving>('server')
  const folder = await mkdtemp(join(tmpdir(), 'bench-nginx-'))
  let nginx: Nginx | undefined
  try {
    const ours = createClient(server.started.port, 1)
    const { body } = await ours.ask('/sitemap.xml')
    ours.close()
    nginx = await startNginx(folder, body)
    if (nginx === undefined)
      return { valid: true, lines: ['### nginx', '', 'nginx is not on PATH: skipped.'] }

    const theirs = createClient(nginx.port, 1)
    const file = await theirs.ask('/sitemap.xml')
    theirs.close()
    if (file.headers['content-encoding'] !== 'gzip' || !file.body.equals(body))
      throw new Error('nginx sends something else: nothing to compare')

    const gzip = { 'accept-encoding': 'gzip' }
    const atNginx = `http://127.0.0.1:${nginx.port}/sitemap.xml`
    const atOurs = (path: string): string => `http://127.0.0.1:${server.started.port}${path}`
    const cpu = new Map<string, number[]>()
    const rows: string[][] = []
    let valid = true
    for (const [status, their, our] of [
      [200, gzip, gzip],
      [
        304,
        { ...gzip, 'if-none-match': file.headers.etag ?? '' },
        { ...gzip, 'if-none-match': server.started.etag },
      ],
    ] as const) {
      const candidate = (name: string, url: string, headers: Record<string, string>, pid: number) =>
        withCpu(load(`${name}, ${status}`, url, headers, status), pid, cpu)
      const all = await measureInTurn(
        [
          candidate('nginx, the finished file', atNginx, their, nginx.pid),
          candidate('live-sitemap', atOurs('/sitemap.xml'), our, server.pid),
          candidate('bare Fastify handler', atOurs('/bare.xml'), our, server.pid),
          candidate('nginx again (control)', atNginx, their, nginx.pid),
        ],
        rounds,
        1,
      )
      const base = all[0] as Measured
      valid &&= controlHolds(all.at(-1) as Measured, base)
      for (const measured of all)
        rows.push([
          measured.name,
          whole(measured.median),
          percent(measured.spread),
          ratio(measured, base),
          cpuText(cpu.get(measured.name)),
        ])
    }
    return {
      valid,
      lines: [
        `### nginx ${nginx.version}, one process, ${whole(body.length)} bytes of gzip`,
        '',
        ...table(['what', 'requests a second', 'spread', 'against nginx', 'CPU a request'], rows),
      ],
    }
  } finally {
    await nginx?.end()
    await server.end()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The same, noting what CPU time the serving process used for a request: the load itself has a limit, too. */
function withCpu({ name, once: measure }: Candidate, pid: number, cpu: Map<string, number[]>): Candidate {
  return {
    name,
    async once() {
      const before = cpuMsOf(pid)
      const rate = await measure()
      const after = cpuMsOf(pid)
      if (before !== undefined && after !== undefined)
        cpu.set(name, [...(cpu.get(name) ?? []), ((after - before) * 1_000) / (rate * LOAD_SECONDS)])
      return rate
    },
  }
}

function cpuText(values: readonly number[] | undefined): string {
  return values === undefined ? '' : `${median(values).toFixed(1)} µs`
}

interface Nginx {
  readonly port: number
  readonly pid: number
  readonly version: string
  end(): Promise<void>
}

/** nginx with a configuration of its own, in the foreground and in one process; undefined where it is not installed. */
async function startNginx(folder: string, gzipped: Buffer): Promise<Nginx | undefined> {
  const version = await versionOf()
  if (version === undefined) return undefined
  const port = await freePort()
  await mkdir(join(folder, 'www'))
  await writeFile(join(folder, 'www', 'sitemap.xml.gz'), gzipped)
  await writeFile(join(folder, 'nginx.conf'), configuration(port))
  const child = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await listening(child, port)
  return {
    port,
    pid: child.pid ?? 0,
    version,
    async end() {
      const gone = once(child, 'exit')
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGTERM')) await gone
    },
  }
}

function configuration(port: number): string {
  return `
daemon off;
master_process off;
pid nginx.pid;
error_log stderr warn;
events { worker_connections 1024; }
http {
  access_log off;
  types { application/xml xml; }
  gzip_static on;
  gzip_vary on;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=16 inactive=1h;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  server { listen 127.0.0.1:${port}; root www; }
}
`
}

async function versionOf(): Promise<string | undefined> {
  const child = spawn('nginx', ['-v'], { stdio: ['ignore', 'ignore', 'pipe'] })
  let text = ''
  child.stderr.on('data', (chunk) => {
    text += chunk
  })
  try {
    await once(child, 'close')
  } catch {
    return undefined
  }
  return /nginx\/([\d.]+)/.exec(text)?.[1]
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function listening(child: ChildProcess, port: number): Promise<void> {
  for (let i = 0; i < 100; i++) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`)
    const socket = net.connect(port, '127.0.0.1')
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (connected) return
    await sleep(50)
  }
  child.kill()
  throw new Error('nginx does not listen')
}
