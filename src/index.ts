/** The door of the engine: what plugins are built on. */
export type { Clock } from './clock.ts'
export { createEngine, type Engine } from './engine.ts'
export { createHandle } from './handle.ts'
export * from './helpers.ts'
export { type ResolvedOptions, resolveOptions } from './options.ts'
export { STYLESHEET_PATH } from './table/paths.ts'
