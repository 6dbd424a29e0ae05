import { isFilled } from './values.ts'

export interface Walkable {
  /** The value in words. */
  readonly what: string
  /** A second refresh would find it empty. */
  readonly once: boolean
}

/** What `value` is that can be walked but is no list, or undefined. */
export function walkable(value: unknown): Walkable | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const has = (name: string | symbol) =>
    typeof (value as Record<string | symbol, unknown>)[name] === 'function'
  if (has('then')) return { what: 'a promise', once: true }
  if (has('pipe') || has('getReader')) return { what: 'a stream', once: true }
  if (has('next')) return { what: 'a started generator or iterator', once: true }
  if (has(Symbol.asyncIterator) || has(Symbol.iterator)) return { what: `a ${kindOf(value)}`, once: false }
  return undefined
}

/** `Set`, `Map`, or `walkable object` where it has no name of its own. */
function kindOf(value: object): string {
  const name: unknown = value.constructor?.name
  return isFilled(name) && name !== 'Object' ? name : 'walkable object'
}
