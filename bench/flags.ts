import { parseArgs } from 'node:util'

/** Flags of a question: `--quick`, and numbers as `--entries=1000`. Unknown ones are refused. */
export interface Flags<Name extends string> {
  readonly quick: boolean
  /** A flag's number, or what stands for it. */
  number(name: Name, otherwise: number): number
  has(name: Name): boolean
}

export function readFlags<Name extends string = never>(
  args: readonly string[],
  names: readonly Name[] = [],
): Flags<Name> {
  const { values } = parseArgs({
    args: args.map((arg) => (arg.includes('=') || arg === '--quick' ? arg : `${arg}=1`)),
    options: {
      quick: { type: 'boolean', default: false },
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' } as const])),
    },
  })
  const given = values as Readonly<Record<string, string | boolean | undefined>>
  return {
    quick: given.quick === true,
    has: (name) => given[name] !== undefined,
    number(name, otherwise) {
      const text = given[name]
      if (text === undefined) return otherwise
      const value = Number(String(text).replaceAll('_', ''))
      if (!(value > 0)) throw new Error(`--${name} is ${text}: expected a number above 0`)
      return value
    },
  }
}
