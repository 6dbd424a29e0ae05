import { describe, expect, it } from 'vitest'
import { createLog } from '../../src/log.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { createLines } from '../support/site.ts'

function createTestLog() {
  const clock = createManualClock()
  const { lines, logger } = createLines()
  return { clock, lines, log: createLog(logger, clock) }
}

const FAILED = 'LSM_ERR_PROVIDER_FAILED'

describe('log (DESIGN 2)', () => {
  it('at most one line a minute of a kind and subject', async () => {
    const { clock, lines, log } = createTestLog()
    log.error(FAILED, 'posts', {}, '1')
    log.error(FAILED, 'posts', {}, '2')
    await clock.advance(59_999)
    log.error(FAILED, 'posts', {}, '3')
    await clock.advance(1)
    log.error(FAILED, 'posts', {}, '4')
    log.error(FAILED, 'posts', {}, '5')
    expect(lines.map(({ message }) => message)).toEqual(['1', '4'])
  })

  it('another subject and another kind have lines of their own', () => {
    const { lines, log } = createTestLog()
    log.error(FAILED, 'posts', {}, '1')
    log.error(FAILED, 'pages', {}, '2')
    log.error('LSM_ERR_PROVIDER_TIMEOUT', 'posts', {}, '3')
    log.warn('LSM_WARN_ENTRY_SKIPPED', 'posts', {}, '4')
    expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'error 1',
      'error 2',
      'error 3',
      'warn 4',
    ])
  })

  it('once is once in the life of the process', async () => {
    const { clock, lines, log } = createTestLog()
    log.once('LSM_WARN_ORDER_CHANGED', 'posts', {}, '1')
    await clock.advance(365 * 86_400_000)
    log.once('LSM_WARN_ORDER_CHANGED', 'posts', {}, '2')
    expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual(['warn 1'])
  })

  it('a line carries its code and the details', () => {
    const seen: object[] = []
    const log = createLog(
      {
        info: (details) => seen.push(details),
        warn: (details) => seen.push(details),
        error: (details) => seen.push(details),
      },
      createManualClock(),
    )
    log.info({ section: 'posts' }, 'read again')
    log.warn('LSM_WARN_ORDER_CHANGED', 'posts', { section: 'posts' }, 'x')
    log.error(FAILED, 'posts', { err: 1 }, 'x')
    expect(seen).toEqual([
      { section: 'posts' },
      { code: 'LSM_WARN_ORDER_CHANGED', section: 'posts' },
      { code: FAILED, err: 1 },
    ])
  })

  it('information is not limited: it answers a line that was', () => {
    const { lines, log } = createTestLog()
    for (let n = 0; n < 3; n++) log.info({}, 'read again')
    expect(lines).toHaveLength(3)
  })

  it('says whether a line was written', () => {
    const { log } = createTestLog()
    const write = () => log.warn('LSM_WARN_ORDER_CHANGED', 'posts', {}, 'x')
    expect([write(), write()]).toEqual([true, false])
  })

  it('a logger that throws breaks nothing', () => {
    const broken = () => {
      throw new Error('stream is closed')
    }
    const log = createLog({ info: broken, warn: broken, error: broken }, createManualClock())
    log.info({}, 'x')
    log.warn('LSM_WARN_ORDER_CHANGED', 'posts', {}, 'x')
    log.error(FAILED, 'posts', {}, 'x')
    log.once('LSM_WARN_ORDER_CHANGED', 'posts', {}, 'x')
  })

  it('a method of the logger is called as a method', () => {
    const lines: string[] = []
    class Pino {
      readonly #lines = lines
      info(_: object, message: string) {
        this.#lines.push(message)
      }
      warn = this.info
      error = this.info
    }
    createLog(new Pino(), createManualClock()).info({}, 'x')
    expect(lines).toEqual(['x'])
  })

  it('what is remembered is bounded', () => {
    const { lines, log } = createTestLog()
    for (let n = 0; n < 5_000; n++) log.warn('LSM_WARN_ENTRY_SKIPPED', `section ${n}`, {}, 'x')
    expect(lines).toHaveLength(5_000)
  })

  it('a clock that was set back does not silence it, and once stays once', () => {
    let nowMs = Date.UTC(2026, 10, 30)
    const { lines, logger } = createLines()
    const log = createLog(logger, { now: () => nowMs, after: () => () => {} })
    const say = (message: string) => {
      log.error(FAILED, 'posts', {}, message)
      log.once('LSM_WARN_ORDER_CHANGED', 'posts', {}, `once ${message}`)
    }
    say('1')
    nowMs -= 3_600_000
    say('2')
    nowMs += 60_000
    say('3')
    const messages = lines.map(({ message }) => message)
    expect(messages).toContain('3')
    expect(messages.filter((message) => message.startsWith('once'))).toEqual(['once 1'])
  })
})
