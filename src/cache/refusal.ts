/** What a server answers while it cannot answer: another node, or a later moment, can. */
const PASSING = /^(LOADING|BUSY|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|MOVED|ASK|NOREPLICAS|UNKILLABLE)\b/

/** What a file system answers while it is there. */
const FILE_CODES: ReadonlySet<unknown> = new Set([
  'EACCES',
  'EDQUOT',
  'EFBIG',
  'EISDIR',
  'ENOSPC',
  'ENOTDIR',
  'EPERM',
  'EROFS',
])

/**
 * Whether a store is well and refused this one call: no memory left (OOM), no permission (NOPERM), a foreign type under
 * the key (WRONGTYPE), a full disk. Other calls may go on; a lost connection or a deadline is no refusal.
 *
 * Reply errors of ioredis and iovalkey are named `ReplyError`; those of node-redis descend from `ErrorReply`.
 */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && FILE_CODES.has(error.code)) return true
  return isReply(error) && !PASSING.test(error.message)
}

function isReply(error: Error): boolean {
  if (error.name === 'ReplyError') return true
  for (let proto: unknown = Object.getPrototypeOf(error); proto instanceof Error; ) {
    if (proto.constructor.name === 'ErrorReply') return true
    proto = Object.getPrototypeOf(proto)
  }
  return false
}
