import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { ProviderContext } from '../../src/providers/provider.ts'
import { faultOf, refuseAll, resolve, resolveProvider } from './resolving.ts'

describe('providers', () => {
  it.each([
    { key: 'posts', title: 'Posts' },
    { key: 'blogPosts', title: 'Blog posts' },
    { key: 'news_items', title: 'News items' },
    { key: 'FAQ', title: 'FAQ' },
    { key: 'HTMLPages', title: 'HTML pages' },
    { key: 'a__b_', title: 'A b' },
    { key: 'Year2024', title: 'Year2024' },
  ])('$key is headed "$title"', ({ key, title }) => {
    expect(resolve({ providers: { [key]: [] } }).providers).toMatchObject([{ section: key, title }])
  })

  it('keep the order in which they are written', () => {
    const { providers } = resolve({ providers: { zebra: [], ape: [], Mole: [] } })
    expect(providers.map((one) => one.section)).toEqual(['zebra', 'ape', 'Mole'])
  })

  it('a list is the list itself, alone and as entries', () => {
    const list = ['/a', { loc: '/b' }]
    expect(resolveProvider(list)).toMatchObject({ list, entries: undefined })
    expect(resolveProvider(list).list).toBe(list)
    expect(resolveProvider({ entries: list }).list).toBe(list)
    expect(Object.isFrozen(list)).toBe(false)
  })

  it('a function is the function itself', () => {
    const entries = () => ['/a']
    expect(resolveProvider(entries).entries).toBe(entries)
    expect(resolveProvider(entries).list).toBeUndefined()
  })

  it('an object keeps its settings', () => {
    const resolved = resolveProvider({
      entries: () => [],
      ttl: '1h',
      title: 'Journal',
      defaults: { changefreq: 'daily', priority: 0.3, robots: ['nofollow'], author: null },
      formats: ['xml', 'feed', 'news'],
      lang: 'de',
      groups: 'adjacent',
      optional: true,
      maxShrink: 1,
      timeout: 5,
      retries: 0,
    })
    expect(resolved).toMatchObject({
      ttlMs: 3_600_000,
      title: 'Journal',
      defaults: { changefreq: 'daily', priority: 0.3, robots: ['nofollow'] },
      formats: new Set(['xml', 'feed', 'news']),
      lang: 'de',
      adjacentGroups: true,
      optional: true,
      maxShrink: 1,
      timeoutMs: 5_000,
      retries: 0,
    })
    expect(resolved.defaults).not.toHaveProperty('author')
  })

  it('the language has its usual case, however often it is given', () => {
    expect(resolveProvider({ entries: [], lang: 'FR-ca', defaults: { lang: 'fr-CA' } }).lang).toBe('fr-CA')
  })

  it('methods of a class are called on their object', () => {
    class Cms {
      readonly #slugs = ['/a', '/b']
      get ttl() {
        return '5m'
      }
      entries() {
        return this.#slugs
      }
      version() {
        return this.#slugs.length
      }
    }
    const { entries, version, ttlMs } = resolveProvider(new Cms())
    const ctx = {} as ProviderContext
    expect(entries?.(ctx)).toEqual(['/a', '/b'])
    expect(version?.(ctx)).toBe(2)
    expect(ttlMs).toBe(300_000)
  })

  const started = (async function* () {})()
  it.each([
    {
      name: 'a started async generator',
      value: started,
      came: 'a started generator or iterator, which can be walked only once',
    },
    {
      name: 'an iterator of a list',
      value: ['/'].values(),
      came: 'a started generator or iterator, which can be walked only once',
    },
    { name: 'a Readable', value: Readable.from(['/']), came: 'a stream, which can be walked only once' },
    { name: 'a web stream', value: new ReadableStream(), came: 'a stream, which can be walked only once' },
    { name: 'a promise', value: Promise.resolve(['/']), came: 'a promise, which can be walked only once' },
  ])('$name is refused for the function that makes it', ({ value, came }) => {
    expect(faultOf({ providers: { posts: value } })).toBe(
      `option "providers.posts" is ${came}: expected a list, a function, or an object with entries. Pass the function that makes it, called at each refresh: "posts": () => …`,
    )
    expect(faultOf({ providers: { posts: { entries: value } } })).toBe(
      `option "providers.posts.entries" is ${came}: expected a list or a function. Pass the function that makes it, called at each refresh: entries: () => …`,
    )
  })

  it.each([
    { name: 'a Set', value: new Set(['/']), came: 'a Set' },
    { name: 'a Map, although it has a method entries', value: new Map([['/', 1]]), came: 'a Map' },
    { name: 'an iterable of the user', value: { *[Symbol.iterator]() {} }, came: 'a walkable object' },
    {
      name: 'an async iterable of the user',
      value: { async *[Symbol.asyncIterator]() {} },
      came: 'a walkable object',
    },
  ])('$name is refused for a list or a function', ({ value, came }) => {
    for (const [path, posts] of [
      ['providers.posts', value],
      ['providers.posts.entries', { entries: value }],
    ] as const) {
      const line = faultOf({ providers: { posts } })
      expect(line).toContain(`option "${path}" is ${came}: expected`)
      expect(line).toContain('Pass a list, [...them], or a function that returns it')
    }
  })

  it('a section may be called entries', () => {
    expect(faultOf({ providers: { entries: 7 } })).toContain(
      'expected a list, a function, or an object with entries.',
    )
  })

  it.each([
    { key: 'my-posts', hint: 'Write "my_posts".' },
    { key: '2024posts', hint: 'Write "posts".' },
    { key: '_x', hint: 'Write "x".' },
    { key: 'été', hint: 'Write "t_".' },
    { key: '', hint: 'Write "posts".' },
    { key: '__proto__', hint: 'Write "proto__".' },
    { key: 'a\nb', hint: 'Write "a_b".' },
  ])('"$key" is no section key', ({ key, hint }) => {
    const line = faultOf({ providers: Object.fromEntries([[key, []]]) })
    expect(line).toContain(
      `option ${JSON.stringify(`providers.${key}`)} is no section key: expected a letter`,
    )
    expect(line).toContain(hint)
  })
})

describe('faults', () => {
  refuseAll([
    {
      name: 'no section',
      more: { providers: {} },
      line: `option "providers" is {} (object): expected an object with one provider or more, each under its section. Write providers: { pages: ['/', '/about'] }.`,
    },
    {
      name: 'providers as a list',
      more: { providers: [['/']] },
      line: 'option "providers" is a list of 1 (object): expected an object with one provider or more',
    },
    {
      name: 'providers as a Map',
      more: { providers: new Map([['pages', ['/']]]) },
      line: 'option "providers" is a Map: expected an object with one provider or more',
    },
    {
      name: 'text as a provider',
      more: { providers: { posts: '/about' } },
      line: `option "providers.posts" is "/about" (string): expected a list, a function, or an object with entries. Write "posts": ['/about'], or "posts": async function* () { … }.`,
    },
    {
      name: 'an undefined provider',
      more: { providers: { posts: undefined } },
      line: 'option "providers.posts" is missing: expected a list, a function, or an object with entries.',
    },
    {
      name: 'a provider object without entries',
      more: { providers: { posts: { ttl: '1h' } } },
      line: `option "providers.posts.entries" is missing: expected a list or a function. Write entries: ['/about'], or entries: async function* () { … }.`,
    },
    ...[
      {
        field: 'version',
        value: 'v1',
        line: 'is "v1" (string): expected a function. Write version: () => token',
      },
      {
        field: 'title',
        value: ' ',
        line: `is " " (string): expected text of one line that is not empty. Leave it out for 'A'.`,
      },
      { field: 'ttl', value: 'soon', line: 'is "soon" (string): expected a duration' },
      { field: 'timeout', value: 0, line: 'is 0 (number): expected a duration above 0' },
      { field: 'retries', value: 0.5, line: 'is 0.5 (number): expected a whole number from 0' },
      { field: 'maxShrink', value: -0.1, line: 'is -0.1 (number): expected a share from 0 to 1' },
      {
        field: 'groups',
        value: 'scattered',
        line: `is "scattered" (string): expected 'adjacent'. Write 'adjacent', or leave it out.`,
      },
      { field: 'groups', value: true, line: `is true (boolean): expected 'adjacent'.` },
      { field: 'optional', value: 1, line: 'is 1 (number): expected true or false. Leave it out for false.' },
      {
        field: 'lang',
        value: 'en_US',
        line: `is "en_US" (string): expected a language tag: language (ISO 639), optionally script and region (ISO 3166), such as en, fr-CA or zh-Hant-TW. Write 'en-US'.`,
      },
      {
        field: 'lang',
        value: 'ca-valencia',
        line: `is "ca-valencia" (string): expected a language tag: language (ISO 639), optionally script`,
      },
      {
        field: 'formats',
        value: [],
        line: `is a list of 0 (object): expected a list of 'xml', 'txt', 'html', 'feed' or 'news' that is not empty.`,
      },
      {
        field: 'formats',
        value: 'xml',
        line: `is "xml" (string): expected a list of 'xml', 'txt', 'html', 'feed' or 'news' that is not empty.`,
      },
      {
        field: 'formats',
        value: ['xml', 'rss'],
        line: `is a list with "rss" (string): expected a list of 'xml', 'txt', 'html', 'feed' or 'news'`,
      },
      {
        field: 'defaults',
        value: 'daily',
        line: 'is "daily" (string): expected an object. Its keys are changefreq,',
      },
    ].map(({ field, value, line }) => ({
      name: `a provider's ${field} ${JSON.stringify(value)}`,
      more: { providers: { a: { entries: [], [field]: value } } },
      line: `option "providers.a.${field}" ${line}`,
    })),
    ...[
      { field: 'changefreq', value: 'often', line: `is "often" (string): expected 'always', 'hourly',` },
      { field: 'priority', value: 5, line: 'is 5 (number): expected a number from 0 to 1.' },
      { field: 'priority', value: 'high', line: 'is "high" (string): expected a number from 0 to 1.' },
      { field: 'lang', value: 'en_US', line: 'is "en_US" (string): expected a language tag' },
      { field: 'robots', value: true, line: 'is true (boolean): expected text, or a list of texts.' },
      { field: 'type', value: '', line: 'is "" (string): expected text that is not empty.' },
      { field: 'sortOrder', value: -1, line: 'is -1 (number): expected a whole number from 0.' },
      { field: 'resourceOf', value: 1, line: 'is 1 (number): expected text that is not empty.' },
      { field: 'updatePeriod', value: 'daily', line: `is "daily" (string): expected 'hour', 'day',` },
      { field: 'author', value: [1], line: 'is a list of 1 (object): expected text, or a list of texts.' },
      { field: 'categories', value: {}, line: 'is {} (object): expected text, or a list of texts.' },
      { field: 'keywords', value: 1, line: 'is 1 (number): expected text, or a list of texts.' },
    ].map(({ field, value, line }) => ({
      name: `defaults.${field} ${JSON.stringify(value)}`,
      more: { providers: { a: { entries: [], defaults: { [field]: value } } } },
      line: `option "providers.a.defaults.${field}" ${line}`,
    })),
    {
      name: 'two languages for one section',
      more: { providers: { a: { entries: [], lang: 'de', defaults: { lang: 'fr' } } } },
      line: 'option "providers.a.defaults.lang" is "fr" (string): expected the same language as providers.a.lang, "de". Give one of the two.',
    },
  ])
})
