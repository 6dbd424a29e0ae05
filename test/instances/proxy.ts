import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'

/** Stands between clients and a server. */
export interface Proxy {
  readonly port: number
  /** Every answer of the server comes so much later, in ms. */
  delay: number
  close(): Promise<void>
}

export async function startProxy(target: number): Promise<Proxy> {
  const sockets = new Set<net.Socket>()
  const server = net.createServer((client) => {
    const behind = net.connect(target, '127.0.0.1')
    client.pipe(behind)
    behind.on('data', (bytes) => {
      // What was asked before keeps its turn: all delays of one time are equal.
      if (proxy.delay === 0) client.write(bytes)
      else setTimeout(() => client.writable && client.write(bytes), proxy.delay)
    })
    for (const [socket, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: Proxy = {
    port: (server.address() as AddressInfo).port,
    delay: 0,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}
