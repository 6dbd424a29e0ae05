/**
 * Hono and its server on Node, by `require` and with the few types used here: their own take the DOM library for
 * granted, and every library's types are checked (skipLibCheck).
 */
import type { Server } from 'node:http'
import { createRequire } from 'node:module'

type Awaitable<T> = T | Promise<T>

export interface HonoContext {
  readonly req: { readonly raw: Request }
  res: Response
  text(text: string): Response
}

export interface HonoApp {
  // biome-ignore lint/suspicious/noConfusingVoidType: middleware that goes on gives nothing
  use(run: (context: HonoContext, next: () => Promise<void>) => Awaitable<Response | undefined | void>): void
  all(path: string, run: (context: HonoContext) => Awaitable<Response>): void
  basePath(path: string): HonoApp
  request(path: string): Promise<Response>
  readonly fetch: (request: Request) => Awaitable<Response>
}

interface ServeOptions {
  readonly fetch: HonoApp['fetch']
  readonly port: number
  readonly hostname: string
  readonly overrideGlobalObjects?: boolean
}

const load = createRequire(import.meta.url)

export const Hono: new () => HonoApp = load('hono').Hono
export const serve: (options: ServeOptions, listening?: (at: { readonly port: number }) => void) => Server =
  load('@hono/node-server').serve
