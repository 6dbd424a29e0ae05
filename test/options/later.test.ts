import { describe, expect, it } from 'vitest'
import { least, refusal } from './resolving.ts'

describe('options of a later release', () => {
  const later = 'the work of a later release.'
  it.each<{ name: string; options: Record<string, unknown>; start: string }>([
    { name: 'webhooks', options: { webhooks: [] }, start: `option "webhooks" is ${later} Add a route` },
  ])('$name is refused, with what to do today', ({ options, start }) => {
    const error = refusal({ ...least, ...options })
    expect(error.code).toBe('LSM_ERR_OPTION_LATER')
    expect(error.message.startsWith(start), error.message).toBe(true)
    expect(error.message.split('\n')).toHaveLength(1)
  })

  it.each([
    { name: 'unknown alone', options: { zzz: 1, yyy: 1 }, code: 'LSM_ERR_OPTION_UNKNOWN' },
    { name: 'later alone', options: { webhooks: [] }, code: 'LSM_ERR_OPTION_LATER' },
    { name: 'unknown and later', options: { zzz: 1, webhooks: [] }, code: 'LSM_ERR_OPTION_INVALID' },
    { name: 'unknown and invalid', options: { zzz: 1, limit: 0 }, code: 'LSM_ERR_OPTION_INVALID' },
  ])('$name → $code', ({ options, code }) => {
    expect(refusal({ ...least, ...options }).code).toBe(code)
  })
})
