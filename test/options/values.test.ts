import { describe, expect, it } from 'vitest'
import type { Entry } from '../../src/entry/entry.ts'
import { refuseAll, resolve } from './resolving.ts'

describe('values', () => {
  it('reach the result, durations in ms and sizes in bytes', () => {
    const transform = (entry: Entry) => entry
    const log = { info() {}, warn() {}, error() {} }
    const resolved = resolve({
      limit: 1,
      maxBytes: 10_485_760,
      trailingSlash: 'always',
      scope: 'off',
      onInvalid: 'fail',
      onEmpty: 404,
      transform,
      cache: {
        ttl: 0.05,
        staleWhileRevalidate: '1d',
        wait: '250ms',
        memory: 2000,
        dir: '/var/cache/example',
      },
      cacheControl: 'no-cache',
      xRobotsTag: 'noindex, nofollow',
      encodings: ['gzip'],
      deadline: 3_600,
      timeout: '1.5h',
      walkTimeout: 604_800,
      retries: 5,
      concurrency: 1,
      feed: { limit: 1_000, sections: ['pages'], mediaType: 'application/xml' },
      html: { pageSize: 50_000, stylesheet: '/a.css' },
      log,
      name: 'news2',
      routes: { sitemap: '/map/sitemap.xml', rss: false, report: '/sitemap-report.json', atom: false },
      logLevel: 'warn',
      logSerializers: {},
    })
    expect(resolved).toMatchObject({
      limit: 1,
      maxBytes: 10_485_760,
      trailingSlash: 'always',
      scope: 'off',
      onInvalid: 'fail',
      onEmpty: 404,
      cache: {
        ttlMs: 50,
        staleWhileRevalidateMs: 86_400_000,
        waitMs: 250,
        memory: 2_000,
        dir: '/var/cache/example',
      },
      cacheControl: 'no-cache',
      xRobotsTag: 'noindex, nofollow',
      encodings: ['gzip'],
      weakEtags: false,
      deadlineMs: 3_600_000,
      walkTimeoutMs: 604_800_000,
      concurrency: 1,
      providers: [{ ttlMs: 50, timeoutMs: 5_400_000, retries: 5 }],
      feed: { limit: 1_000, sections: new Set(['pages']), mediaType: 'application/xml' },
      html: { pageSize: 50_000, stylesheet: '/a.css' },
      name: 'news2',
      routes: { sitemap: '/map/sitemap.xml', rss: false, report: '/sitemap-report.json' },
    })
    expect(resolved.transform).toBe(transform)
    expect(resolved.log).toBe(log)
  })

  it.each([
    { value: '50mb', bytes: 52_428_800 },
    { value: '10mb', bytes: 10_485_760 },
    { value: 1_024, bytes: 1_024 },
  ])('maxBytes $value → $bytes', ({ value, bytes }) => {
    expect(resolve({ maxBytes: value }).maxBytes).toBe(bytes)
  })

  it('a console is a log, and so is a function with methods', () => {
    expect(resolve({ log: console }).log).toBe(console)
    const log = Object.assign(() => {}, { info() {}, warn() {}, error() {} })
    expect(resolve({ log }).log).toBe(log)
  })
})

describe('faults', () => {
  const duration = "text such as '10m' (ms s m h d), or a number of seconds"

  refuseAll([
    // durations
    {
      name: 'milliseconds as timeout',
      more: { timeout: 30_000 },
      line: `option "timeout" is 30000 (number), which is 8 h 20 min: numbers are seconds. Write '30s'.`,
    },
    {
      name: 'just above an hour',
      more: { deadline: 3_601 },
      line: `option "deadline" is 3601 (number), which is 1 h 1 s: numbers are seconds. Write '3601s', or '3601ms' if milliseconds were meant.`,
    },
    {
      name: 'whole hours',
      more: { cache: { wait: 7_200 } },
      line: `option "cache.wait" is 7200 (number), which is 2 h: numbers are seconds. Write '7200ms' if milliseconds were meant, '2h' if seconds.`,
    },
    {
      name: 'milliseconds as ttl',
      more: { cache: { ttl: 900_000 } },
      line: `option "cache.ttl" is 900000 (number), which is 10 d 10 h: numbers are seconds. Write '15m' if milliseconds were meant, '250h' if seconds.`,
    },
    {
      name: 'just above a week',
      more: { cache: { staleWhileRevalidate: 604_801 } },
      line: `option "cache.staleWhileRevalidate" is 604801 (number), which is 7 d 1 s: numbers are seconds. Write '604801s', or '604801ms' if milliseconds were meant.`,
    },
    {
      name: 'milliseconds as walkTimeout',
      more: { walkTimeout: 605_000 },
      line: `option "walkTimeout" is 605000 (number), which is 7 d 3 min: numbers are seconds. Write '605s'.`,
    },
    {
      name: "milliseconds as a provider's timeout",
      more: { providers: { a: { entries: [], timeout: 5_000 } } },
      line: `option "providers.a.timeout" is 5000 (number), which is 1 h 23 min: numbers are seconds. Write '5s'.`,
    },
    {
      name: "milliseconds as a provider's ttl",
      more: { providers: { a: { entries: [], ttl: 3_000_000 } } },
      line: `option "providers.a.ttl" is 3000000 (number), which is 34 d 17 h: numbers are seconds. Write '50m'.`,
    },
    {
      name: 'text that is no duration',
      more: { cache: { staleWhileRevalidate: '10 minutes' } },
      line: `option "cache.staleWhileRevalidate" is "10 minutes" (string): expected a duration: ${duration}. Write '10m', or leave it out.`,
    },
    {
      name: 'digits out of an environment variable',
      more: { deadline: '10' },
      line: `option "deadline" is "10" (string): expected a duration: ${duration}. Write '10s' or '10ms', or leave it out.`,
    },
    {
      name: 'a timeout of 0',
      more: { timeout: 0 },
      line: `option "timeout" is 0 (number): expected a duration above 0: ${duration}. Write '30s', or leave it out.`,
    },
    {
      name: 'a walkTimeout of 0',
      more: { walkTimeout: '0s' },
      line: `option "walkTimeout" is "0s" (string): expected a duration above 0: ${duration}. Write '30m', or leave it out.`,
    },
    {
      name: 'null as a duration',
      more: { deadline: null },
      line: `option "deadline" is null (null): expected a duration: ${duration}. Write '10s', or leave it out.`,
    },
    // numbers and sizes
    {
      name: 'limit 0',
      more: { limit: 0 },
      line: 'option "limit" is 0 (number): expected a whole number from 1 to 50,000. Write 50000, or leave it out.',
    },
    {
      name: 'limit above the protocol',
      more: { limit: 50_001 },
      line: 'option "limit" is 50001 (number): expected a whole number from 1 to 50,000. Write 50000, or leave it out.',
    },
    {
      name: 'limit as text',
      more: { limit: '500' },
      line: 'option "limit" is "500" (string): expected a whole number from 1 to 50,000. Write 50000, or leave it out.',
    },
    {
      name: 'limit with a fraction',
      more: { limit: 1.5 },
      line: 'option "limit" is 1.5 (number): expected a whole number from 1 to 50,000. Write 50000, or leave it out.',
    },
    {
      name: 'maxBytes too small',
      more: { maxBytes: 1_023 },
      line: `option "maxBytes" is 1023 (number): expected a size in bytes from 1,024 to 52,428,800: text such as '64mb' (b kb mb gb), or a whole number. Write 52428800, or leave it out.`,
    },
    {
      name: 'maxBytes too large',
      more: { maxBytes: '51mb' },
      line: `option "maxBytes" is "51mb" (string): expected a size in bytes from 1,024 to 52,428,800: text such as '64mb' (b kb mb gb), or a whole number. Write 52428800, or leave it out.`,
    },
    {
      name: 'memory 0',
      more: { cache: { memory: 0 } },
      line: `option "cache.memory" is 0 (number): expected a size in bytes from 1: text such as '64mb' (b kb mb gb), or a whole number. Write '64mb', or leave it out.`,
    },
    {
      name: 'retries below 0',
      more: { retries: -1 },
      line: 'option "retries" is -1 (number): expected a whole number from 0. Write 2, or leave it out.',
    },
    {
      name: 'no walk at once',
      more: { concurrency: 0 },
      line: 'option "concurrency" is 0 (number): expected a whole number from 1. Write 2, or leave it out.',
    },
    {
      name: 'endless concurrency',
      more: { concurrency: Number.POSITIVE_INFINITY },
      line: 'option "concurrency" is Infinity (number): expected a whole number from 1. Write 2, or leave it out.',
    },
    {
      name: 'maxShrink in percent',
      more: { maxShrink: 50 },
      line: 'option "maxShrink" is 50 (number): expected a share from 0 to 1. Write 0.5, or leave it out.',
    },
    {
      name: 'maxShrink NaN',
      more: { maxShrink: Number.NaN },
      line: 'option "maxShrink" is NaN (number): expected a share from 0 to 1. Write 0.5, or leave it out.',
    },
    {
      name: 'feed.limit above 1,000',
      more: { feed: { limit: 1_001 } },
      line: 'option "feed.limit" is 1001 (number): expected a whole number from 1 to 1,000. Write 50, or leave it out.',
    },
    {
      name: 'html.pageSize 0',
      more: { html: { pageSize: 0 } },
      line: 'option "html.pageSize" is 0 (number): expected a whole number from 1 to 50,000. Write 1000, or leave it out.',
    },
    // choices
    {
      name: 'a slip in a choice',
      more: { trailingSlash: 'allways' },
      line: `option "trailingSlash" is "allways" (string): expected 'preserve', 'always' or 'never'. Write 'always', or leave it out.`,
    },
    {
      name: 'a boolean for a choice',
      more: { trailingSlash: true },
      line: `option "trailingSlash" is true (boolean): expected 'preserve', 'always' or 'never'. Write 'preserve', or leave it out.`,
    },
    {
      name: 'another word for a choice',
      more: { scope: 'domain' },
      line: `option "scope" is "domain" (string): expected 'host', 'path' or 'off'. Write 'host', or leave it out.`,
    },
    {
      name: 'onInvalid throw',
      more: { onInvalid: 'throw' },
      line: `option "onInvalid" is "throw" (string): expected 'skip' or 'fail'. Write 'skip', or leave it out.`,
    },
    {
      name: '404 as text',
      more: { onEmpty: '404' },
      line: `option "onEmpty" is "404" (string): expected 'urlset' or 404. Write 404, or leave it out.`,
    },
    {
      name: 'warmUp as text',
      more: { warmUp: 'yes' },
      line: 'option "warmUp" is "yes" (string): expected true or false. Leave it out for true.',
    },
    // functions and objects
    {
      name: 'transform that is no function',
      more: { transform: {} },
      line: 'option "transform" is {} (object): expected a function. Write transform: (entry) => entry, or leave it out.',
    },
    {
      name: 'a log without warn and error',
      more: { log: { info() {} } },
      line: 'option "log" is an object without warn, error: expected an object with the functions info, warn and error. Write log: console, or leave it out for the host\'s logger.',
    },
    {
      name: 'log false',
      more: { log: false },
      line: 'option "log" is false (boolean): expected an object with the functions info, warn and error. Write log: console, or leave it out for the host\'s logger.',
    },
    {
      name: 'cache false',
      more: { cache: false },
      line: 'option "cache" is false (boolean): expected an object. Its keys are ttl, staleWhileRevalidate, wait, memory, dir, store, namespace, version.',
    },
    {
      name: 'a list for html',
      more: { html: [] },
      line: 'option "html" is a list of 0 (object): expected an object. Its keys are pageSize, stylesheet, head, template, strings, profileUri.',
    },
    {
      name: 'a name with a hyphen',
      more: { name: 'site-map' },
      line: `option "name" is "site-map" (string): expected an identifier: a letter, then letters and digits. Write 'sitemap2', or leave it out.`,
    },
    {
      name: 'an empty dir',
      more: { cache: { dir: '' } },
      line: `option "cache.dir" is "" (string): expected text of one line that is not empty. Write '/var/cache/example', or leave it out.`,
    },
    // headers
    {
      name: 'an empty cacheControl',
      more: { cacheControl: ' ' },
      line: `option "cacheControl" is " " (string): expected the value of a header: ASCII text on one line, not empty. Write 'public, max-age=300, stale-while-revalidate=60, stale-if-error=604800', or leave it out.`,
    },
    {
      name: 'cacheControl false',
      more: { cacheControl: false },
      line: `option "cacheControl" is false (boolean): expected the value of a header: ASCII text on one line, not empty. Write 'public, max-age=300, stale-while-revalidate=60, stale-if-error=604800', or leave it out.`,
    },
    {
      name: 'a header smuggled in',
      more: { xRobotsTag: 'noindex\r\nset-cookie: a=b' },
      line: `option "xRobotsTag" is "noindex\\r\\nset-cookie: a=b" (string): expected the value of a header: ASCII text on one line, not empty, or false. Write 'noindex', or leave it out.`,
    },
  ])
})
