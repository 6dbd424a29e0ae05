import http from 'node:http'

/** An answer with its body as it came over the wire. */
export interface Answer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

/** A client of 127.0.0.1 on kept-alive connections. */
export interface Client {
  /** gzip is asked for unless `headers` says otherwise. */
  ask(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  close(): void
}

export function createClient(port: number, connections: number = Number.POSITIVE_INFINITY): Client {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  return {
    ask: (path, headers = {}) =>
      new Promise<Answer>((resolve, reject) => {
        const options = {
          port,
          host: '127.0.0.1',
          path,
          agent,
          headers: { 'accept-encoding': 'gzip', ...headers },
        }
        const request = http.get(options, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.once('error', reject)
          response.once('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks),
            }),
          )
        })
        request.once('error', reject)
      }),
    close: () => agent.destroy(),
  }
}

/** Paths of the documents that an index names. */
export function pathsIn(index: string): string[] {
  return [...index.matchAll(/<loc>https?:\/\/[^/<]+([^<]*)<\/loc>/g)].map(([, path = '']) => path)
}

/** Runs `work` for each, `width` at a time. */
export async function forEach<T>(
  all: Iterable<T>,
  width: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const rest = all[Symbol.iterator]()
  const lane = async (): Promise<void> => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: width }, lane))
}
