import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ReplyError } from 'ioredis'
import { ErrorReply, SimpleError } from 'redis'
import { expect, it } from 'vitest'
import { isRefusal } from '../../src/cache/refusal.ts'

const OOM = "OOM command not allowed when used memory > 'maxmemory'."

it.each([
  { what: 'no memory, by ioredis', error: new ReplyError(OOM), refused: true },
  { what: 'no memory, by node-redis', error: new SimpleError(OOM), refused: true },
  { what: 'no permission', error: new ErrorReply('NOPERM User has no permissions'), refused: true },
  { what: 'a foreign type', error: new SimpleError('WRONGTYPE Operation against a key'), refused: true },
  {
    what: 'a server that loads',
    error: new ReplyError('LOADING Redis is loading the dataset'),
    refused: false,
  },
  {
    what: 'a cluster that is down',
    error: new SimpleError('CLUSTERDOWN The cluster is down'),
    refused: false,
  },
  {
    what: 'a script that takes long',
    error: new ReplyError('BUSY Redis is busy running a script.'),
    refused: false,
  },
  { what: 'a lost connection', error: new Error('Connection is closed.'), refused: false },
  { what: 'a full disk', error: Object.assign(new Error('no space'), { code: 'ENOSPC' }), refused: true },
  {
    what: 'a refused connection',
    error: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
    refused: false,
  },
  { what: 'no error at all', error: 'OOM', refused: false },
  { what: 'nothing', error: undefined, refused: false },
])('$what is a refusal: $refused', ({ error, refused }) => {
  expect(isRefusal(error)).toBe(refused)
})

it('a folder in place of a file is a refusal', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'live-sitemap-'))
  try {
    expect(isRefusal(await readFile(dir).catch((error: unknown) => error))).toBe(true)
  } finally {
    await rm(dir, { recursive: true })
  }
})
