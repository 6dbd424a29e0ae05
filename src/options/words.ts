/** A value that an option names as its choice. */
export type Literal = string | number

/** The place of a key: `cache.ttl`. */
export function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

/** How a line about the option at `path` begins. */
export function subject(path: string): string {
  return path === '' ? 'the options are' : `option ${quote(path)} is`
}

/** In quotes and on one line, whatever a key holds. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 77)}...` : text)
}

/** As it is written in code. */
export function literal(value: Literal): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

/** `'host', 'path' or 'off'`. */
export function alternatives(values: readonly Literal[]): string {
  const words = values.map(literal)
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** `from 1 to 50,000`. */
export function bounds(least: number, most: number): string {
  const from = `from ${least.toLocaleString('en-US')}`
  return most === Infinity ? from : `${from} to ${most.toLocaleString('en-US')}`
}
