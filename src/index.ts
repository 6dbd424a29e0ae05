/** The door of the engine: what plugins are built on. */
export type { Clock } from './clock.ts'
export { createEngine, type Engine } from './engine.ts'
export { createHandle } from './handle.ts'
export * from './helpers.ts'
export { type AnswerRequest, createAnswerer, type HostRequest, REPORT_HEADERS } from './http/host.ts'
export type { SitemapRequest, SitemapResponse } from './http/message.ts'
export { type DocumentPaths, documentPaths } from './http/routes.ts'
export { type ResolvedOptions, resolveOptions } from './options.ts'
