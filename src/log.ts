import type { Clock } from './clock.ts'
import type { SitemapErrorCode } from './errors.ts'
import type { Logger } from './providers/provider.ts'

/** The user's logger behind a limit: one line a minute of each kind and subject, never one a request. */
export interface Log {
  /** Not limited: for what answers a line that was. */
  info(details: object, message: string): void
  /** Whether the line was written. */
  warn(code: SitemapErrorCode, subject: string, details: object, message: string): boolean
  /** Whether the line was written. */
  error(code: SitemapErrorCode, subject: string, details: object, message: string): boolean
  /** Once in the life of the process. */
  once(code: SitemapErrorCode, subject: string, details: object, message: string): void
}

const A_MINUTE_MS = 60_000
/** Kinds remembered; far more than there are codes and sections in any configuration seen. */
const KINDS = 1_000

export function createLog(logger: Logger, clock: Clock): Log {
  const lastMs = new Map<string, number>()

  function mayLog(kind: string, everyMs: number): boolean {
    const nowMs = clock.now()
    const last = lastMs.get(kind)
    // A clock that was set back must not silence a kind until it has caught up.
    if (
      last !== undefined &&
      (everyMs === Number.POSITIVE_INFINITY || (nowMs >= last && nowMs - last < everyMs))
    )
      return false
    if (lastMs.size >= KINDS) lastMs.clear()
    lastMs.set(kind, nowMs)
    return true
  }

  /** A logger that throws (a closed stream) must not break a request or a walk. */
  function line(level: 'info' | 'warn' | 'error', details: object, message: string): void {
    try {
      logger[level](details, message)
    } catch {
      // There is nowhere left to say it.
    }
  }

  function limited(
    level: 'warn' | 'error',
    code: SitemapErrorCode,
    subject: string,
    details: object,
    message: string,
  ): boolean {
    const may = mayLog(`${code} ${subject}`, A_MINUTE_MS)
    if (may) line(level, { code, ...details }, message)
    return may
  }

  return {
    info: (details, message) => line('info', details, message),
    warn: (code, subject, details, message) => limited('warn', code, subject, details, message),
    error: (code, subject, details, message) => limited('error', code, subject, details, message),
    once(code, subject, details, message) {
      if (mayLog(`${code} ${subject}`, Number.POSITIVE_INFINITY)) line('warn', { code, ...details }, message)
    },
  }
}

/** `console` for warnings and errors: what a host without a logger gets. */
export const consoleLogger: Logger = {
  info() {},
  warn: (_details, message) => console.warn(`[live-sitemap] ${message}`),
  error: (_details, message) => console.error(`[live-sitemap] ${message}`),
}
