import { expect, it } from 'vitest'
import { SitemapError } from '../../src/errors.ts'
import {
  type ResolvedOptions,
  type ResolvedProvider,
  resolveOptions,
  type SitemapOptions,
} from '../../src/options.ts'
import type { Site } from '../../src/providers/provider.ts'

export const site: Site = { url: 'https://www.example.com' }
export const least: Pick<SitemapOptions, 'site' | 'providers'> = { site, providers: { pages: ['/'] } }

/** The least options with `more` laid over them. */
export function resolve(more: Record<string, unknown> = {}): ResolvedOptions {
  return resolveOptions({ ...least, ...more })
}

/** The one provider of a site, its section called posts. */
export function resolveProvider(value: unknown, more: Record<string, unknown> = {}): ResolvedProvider {
  const [only] = resolve({ ...more, providers: { posts: value } }).providers
  if (only === undefined) throw new Error('no provider came back')
  return only
}

/** The error that `options` are refused with. */
export function refusal(options: unknown): SitemapError {
  try {
    resolveOptions(options)
  } catch (error) {
    if (error instanceof SitemapError) return error
    throw error
  }
  throw new Error('the options were taken')
}

/** The one line that `more` is refused with. */
export function faultOf(more: Record<string, unknown>): string {
  const { message } = refusal({ ...least, ...more })
  expect(message.split('\n')).toHaveLength(1)
  return message
}

/** Options beside the least ones, and what stands in the one line that they are refused with. */
export interface Fault {
  readonly name: string
  readonly more: Record<string, unknown>
  readonly line: string
}

/** One test a row. */
export function refuseAll(rows: readonly Fault[]): void {
  it.each(rows)('$name', ({ more, line }) => {
    expect(faultOf(more)).toContain(line)
    expect(refusal({ ...least, ...more }).code).toBe('LSM_ERR_OPTION_INVALID')
  })
}
