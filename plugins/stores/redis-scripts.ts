/**
 * What has to happen in one step. Each script touches one key, or keys that have one `{tag}`, so that it runs on a
 * cluster; each is sent whole, since a cluster's nodes and a restarted server know no scripts.
 *
 * A value is a hash: `h` is its head (generation, count of chunks, length, revision), `0` its first chunk, and
 * `<generation>.<i>` each further one. Chunks are written before the head that names them. `w` lists the generations
 * that are being written, each with its count of chunks and the second it began.
 */

/** Removes a generation's chunks (of 1 GB at most: a broken head must not keep the server), and those of dead writers. */
const SWEEP = `
local function drop(generation, count)
  for i = 1, math.min(count, 4096) - 1 do redis.call('HDEL', KEYS[1], generation .. '.' .. i) end
end
local function rewrite(own, keep)
  local list = redis.call('HGET', KEYS[1], 'w')
  if not list then return end
  local now, rest = tonumber(redis.call('TIME')[1]), {}
  for generation, count, since in string.gmatch(list, '(%S+):(%d+):(%d+)') do
    if generation ~= own then
      if now - tonumber(since) > keep then drop(generation, tonumber(count))
      else rest[#rest + 1] = generation .. ':' .. count .. ':' .. since end
    end
  end
  if #rest == 0 then redis.call('HDEL', KEYS[1], 'w') else redis.call('HSET', KEYS[1], 'w', table.concat(rest, ' ')) end
end
`

/**
 * KEYS: value. ARGV: generation, index from 1, bytes, count of chunks, seconds that a writer may take.
 * 0 where the chunks before this one are gone.
 */
export const WRITE_CHUNK: string = `${SWEEP}
local list = redis.call('HGET', KEYS[1], 'w')
if ARGV[2] == '1' then
  rewrite('', tonumber(ARGV[5]))
  list = redis.call('HGET', KEYS[1], 'w')
  local own = ARGV[1] .. ':' .. ARGV[4] .. ':' .. redis.call('TIME')[1]
  redis.call('HSET', KEYS[1], 'w', list and (list .. ' ' .. own) or own)
elseif not list or not string.find(list, ARGV[1], 1, true) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1] .. '.' .. ARGV[2], ARGV[3])
if redis.call('HEXISTS', KEYS[1], 'h') == 0 then redis.call('PEXPIRE', KEYS[1], tonumber(ARGV[5]) * 1000) end
return 1
`

/**
 * KEYS: value. ARGV: generation, count of chunks, length, revision or '-', ms to live, first chunk, seconds that a writer
 * may take. 1 where it is set, 0 where a greater revision stands, -1 where its chunks are gone.
 */
export const WRITE_HEAD: string = `${SWEEP}
local count, standing = tonumber(ARGV[2]), redis.call('HGET', KEYS[1], 'h')
local generation, chunks, revision
if standing then generation, chunks, revision = string.match(standing, '^(%S+) (%d+) %d+ (%S+)$') end
if ARGV[4] ~= '-' and revision and revision ~= '-' and tonumber(revision) > tonumber(ARGV[4]) then
  drop(ARGV[1], count)
  rewrite(ARGV[1], tonumber(ARGV[7]))
  return 0
end
if count > 1 then
  local list = redis.call('HGET', KEYS[1], 'w')
  if not list or not string.find(list, ARGV[1], 1, true) then return -1 end
end
if generation then drop(generation, tonumber(chunks)) end
redis.call('HSET', KEYS[1], 'h', table.concat({ ARGV[1], ARGV[2], ARGV[3], ARGV[4] }, ' '), '0', ARGV[6])
rewrite(ARGV[1], tonumber(ARGV[7]))
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 1
`

/** KEYS: values. ARGV: ms to live. 1 or 0 for each: a value that was never completed is none. */
export const TOUCH: string = `
local found = {}
for i, key in ipairs(KEYS) do
  if redis.call('HEXISTS', key, 'h') == 0 and redis.call('HEXISTS', key, 'w') == 1 then found[i] = 0
  else found[i] = redis.call('PEXPIRE', key, ARGV[1]) end
end
return found
`

/** KEYS: fields. */
export const FIELDS: string = `return redis.call('HGETALL', KEYS[1])`

/** KEYS: fields. ARGV: name, value, ms to live. */
export const SET_FIELD: string = `
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return redis.call('PEXPIRE', KEYS[1], ARGV[3])
`

/** KEYS: lease. ARGV: token, ms to live. */
export const LOCK: string = `
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`

/** KEYS: lease. ARGV: token, ms to live. */
export const RENEW: string = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`

/** KEYS: lease. ARGV: token. */
export const UNLOCK: string = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
`

/**
 * Begins a new life where there is none, or where one of the two keys is gone: an eviction takes them one by one, and
 * tags without which nothing was invalidated must not look like that.
 */
const LIFE = `
local noted = redis.call('HGET', KEYS[1], 'noted')
if redis.call('HEXISTS', KEYS[1], 'epoch') == 0 or (noted and redis.call('EXISTS', KEYS[2]) == 0) then
  redis.call('DEL', KEYS[1], KEYS[2])
  redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'rev', 0, 'floor', 0)
end
`

/** KEYS: state, tags. ARGV: an epoch, most tags, channel, the tags. The new revision. */
export const INVALIDATE: string = `${LIFE}
local rev = redis.call('HINCRBY', KEYS[1], 'rev', 1)
for i = 4, #ARGV do redis.call('ZADD', KEYS[2], rev, ARGV[i]) end
if #ARGV > 3 then redis.call('HSET', KEYS[1], 'noted', 1) end
local surplus = redis.call('ZCARD', KEYS[2]) - tonumber(ARGV[2])
if surplus > 0 then
  local last = redis.call('ZRANGE', KEYS[2], surplus - 1, surplus - 1, 'WITHSCORES')
  redis.call('ZREMRANGEBYRANK', KEYS[2], 0, surplus - 1)
  redis.call('HSET', KEYS[1], 'floor', last[2])
end
redis.pcall('PUBLISH', ARGV[3], rev)
return rev
`

/** KEYS: state, tags. ARGV: an epoch, a revision. Epoch, revision, floor, then tags with their revisions. */
export const STATE: string = `${LIFE}
local state = redis.call('HMGET', KEYS[1], 'epoch', 'rev', 'floor')
return { state[1], state[2], state[3], redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. ARGV[2], '+inf', 'WITHSCORES') }
`

/**
 * The sum of the sizes stands in the field without a name: a key has one. Values that ran out are taken off.
 */
const BUDGET = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local function forget(key)
  local size = redis.call('HGET', KEYS[2], key)
  if size then
    redis.call('HDEL', KEYS[2], key)
    redis.call('HINCRBY', KEYS[2], '', -size)
  end
  redis.call('ZREM', KEYS[1], key)
end
`

/**
 * KEYS: ends, sizes. ARGV: value's key, size, ms to live, budget. Counts the value; the keys that have to go for it,
 * those that end first first.
 */
export const COUNT: string = `${BUDGET}
for _, key in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, 1000)) do forget(key) end
forget(ARGV[1])
local victims = {}
while tonumber(redis.call('HGET', KEYS[2], '') or '0') + ARGV[2] > tonumber(ARGV[4]) do
  local key = redis.call('ZRANGE', KEYS[1], 0, 0)[1]
  if not key then
    redis.call('DEL', KEYS[2])
    break
  end
  forget(key)
  victims[#victims + 1] = key
end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('HINCRBY', KEYS[2], '', ARGV[2])
return victims
`

/** KEYS: ends, sizes. ARGV: ms to live, then pairs of a value's key and whether it is still there. */
export const RENEW_ENDS: string = `${BUDGET}
for i = 2, #ARGV, 2 do
  if ARGV[i + 1] == '1' then redis.call('ZADD', KEYS[1], 'XX', now + ARGV[1], ARGV[i]) else forget(ARGV[i]) end
end
return 1
`
