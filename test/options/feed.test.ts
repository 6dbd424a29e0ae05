import { describe, expect, it } from 'vitest'
import type { FeedSettings } from '../../src/formats/feed-document.ts'
import { refusal, refuseAll, resolve } from './resolving.ts'

describe('feed', () => {
  it.each<{ name: string; feed: Record<string, unknown>; settings: Partial<FeedSettings> }>([
    {
      name: 'a path below the site',
      feed: { image: '/logo.png' },
      settings: { image: { url: 'https://www.example.com/logo.png' } },
    },
    {
      name: 'a path from where the site lies',
      feed: { image: 'logo ü.png'.replace(' ', '-') },
      settings: { image: { url: 'https://www.example.com/shop/logo-%C3%BC.png' } },
    },
    {
      name: 'a URL elsewhere',
      feed: { image: new URL('https://cdn.example/logo.png?v=[1]') },
      settings: { image: { url: 'https://cdn.example/logo.png?v=%5B1%5D' } },
    },
    {
      name: 'an image at its largest (SPEC F13)',
      feed: { image: { url: '/logo.png', width: 144, height: 400 } },
      settings: { image: { url: 'https://www.example.com/logo.png', width: 144, height: 400 } },
    },
    {
      name: 'an image with one size',
      feed: { image: { url: new URL('https://cdn.example/'), height: 1 } },
      settings: { image: { url: 'https://cdn.example/', height: 1 } },
    },
    { name: 'an hour', feed: { ttl: '1h' }, settings: { ttlMinutes: 60 } },
    { name: 'seconds', feed: { ttl: 60 }, settings: { ttlMinutes: 1 } },
    { name: 'a minute and a half, cut off (SPEC F12)', feed: { ttl: '90s' }, settings: { ttlMinutes: 1 } },
    {
      name: 'one hub',
      feed: { hubs: 'https://hub.example' },
      settings: { hubs: ['https://hub.example/'] },
    },
    {
      name: 'hubs, each once (SPEC F16)',
      feed: { hubs: ['https://b.example/', 'http://a.example/x?y', 'https://B.example'] },
      settings: { hubs: ['https://b.example/', 'http://a.example/x?y'] },
    },
    {
      name: 'texts',
      feed: { copyright: '© Example & sons', author: 'Ada' },
      settings: { copyright: '© Example & sons', author: 'Ada' },
    },
    {
      name: 'addresses (SPEC F8)',
      feed: { managingEditor: 'a@e.com', webMaster: 'root@localhost (Ada, Lovelace)' },
      settings: { managingEditor: 'a@e.com', webMaster: 'root@localhost (Ada, Lovelace)' },
    },
    { name: 'a category', feed: { categories: 'News' }, settings: { categories: ['News'] } },
    {
      name: 'categories, each once (SPEC F10)',
      feed: { categories: ['News', 'Goods', 'News'] },
      settings: { categories: ['News', 'Goods'] },
    },
  ])('$name', ({ feed, settings }) => {
    const resolved = resolve({ site: { url: 'https://www.example.com/shop/' }, feed }).feed.settings
    expect(resolved).toMatchObject(settings)
    // No size that nobody gave.
    if (settings.image !== undefined) expect(resolved.image).toEqual(settings.image)
  })

  it('content is the function itself', () => {
    const content = async () => '<p>'
    expect(resolve({ feed: { content } }).feed.content).toBe(content)
  })

  it('an image below a faulty site is no second fault', () => {
    const { message } = refusal({
      site: { url: 'example' },
      providers: { a: [] },
      feed: { image: '/logo.png' },
    })
    expect(message).toMatch(/^option "site\.url" is [^\n]+$/)
  })
})

describe('faults', () => {
  refuseAll([
    {
      name: 'a slip in a section of the feed',
      more: { feed: { sections: ['page'] } },
      line: 'option "feed.sections" is a list with "page" (string): expected sections of providers. Did you mean "pages"?',
    },
    {
      name: 'an unknown section of the feed',
      more: { feed: { sections: ['blog'] } },
      line: 'option "feed.sections" is a list with "blog" (string): expected sections of providers. Known are pages.',
    },
    {
      name: 'no section in the feed',
      more: { feed: { sections: [] } },
      line: 'option "feed.sections" is a list of 0 (object): expected a list of sections that is not empty. Leave it out for all; to switch the feed off write routes: { rss: false }.',
    },
    {
      name: 'a section of the feed whose formats leave it out',
      more: { feed: { sections: ['a'] }, providers: { a: { entries: [], formats: ['xml'] } } },
      line: `option "feed.sections" is a list with "a" (string): expected sections with the format feed. Add 'feed' to providers.a.formats, or take the section out of the list.`,
    },
    {
      name: 'a section of the feed whose formats are faulty, which is one fault',
      more: { feed: { sections: ['a'] }, providers: { a: { entries: [], formats: ['rss'] } } },
      line: 'option "providers.a.formats" is a list with "rss" (string)',
    },
    ...['xml', 'application/xml; charset=utf-8', 'application/xml\r\na: b', ''].map((mediaType) => ({
      name: `the media type ${JSON.stringify(mediaType)}`,
      more: { feed: { mediaType } },
      line: `option "feed.mediaType" is ${JSON.stringify(mediaType)} (string): expected a media type without parameters (charset=utf-8 is added). Write 'application/xml', or leave it out.`,
    })),
    {
      name: 'content that is HTML',
      more: { feed: { content: '<p>' } },
      line: 'option "feed.content" is "<p>" (string): expected a function. Write content: async (entry) => html, or leave it out.',
    },
    // picture
    ...[
      7,
      '',
      ' ',
      [],
      true,
      'ftp://example.com/a.png',
      'data:image/png;base64,AA==',
      '/a b.png',
      '/a\n.png',
    ].map((image) => ({
      name: `the image ${JSON.stringify(image)}`,
      more: { feed: { image } },
      line: `: expected the URL or path of a picture, or an object with url. Write '/logo.png', or leave the image out.`,
    })),
    {
      name: 'an image with a password, which is not shown',
      more: { feed: { image: new URL('https://ada:secret@example.com/a.png') } },
      line: 'option "feed.image" is "https://***@example.com/a.png" (string): expected',
    },
    {
      name: 'an image without url',
      more: { feed: { image: { width: 88 } } },
      line: 'option "feed.image.url" is missing: expected the URL or path of a picture.',
    },
    {
      name: 'a wide image (SPEC F13)',
      more: { feed: { image: { url: '/a.png', width: 145 } } },
      line: 'option "feed.image.width" is 145 (number): expected a whole number from 1 to 144. Write 88, or leave it out.',
    },
    {
      name: 'a high image (SPEC F13)',
      more: { feed: { image: { url: '/a.png', height: 400.5 } } },
      line: 'option "feed.image.height" is 400.5 (number): expected a whole number from 1 to 400. Write 31, or leave it out.',
    },
    // ttl
    ...['59s', 59.9, 0, '0m'].map((ttl) => ({
      name: `ttl ${ttl}, which is below a minute (SPEC F12)`,
      more: { feed: { ttl } },
      line: `(${typeof ttl}): expected a duration of 1m or more. Write '1h', or leave it out.`,
    })),
    {
      name: 'ttl without a unit',
      more: { feed: { ttl: '60' } },
      line: `option "feed.ttl" is "60" (string): expected a duration: text such as '10m' (ms s m h d), or a number of seconds. Write '60s' or '60ms', or leave it out.`,
    },
    {
      name: 'milliseconds as ttl',
      more: { feed: { ttl: 3_600_000 } },
      line: `option "feed.ttl" is 3600000 (number), which is 41 d 16 h: numbers are seconds. Write '1h' if milliseconds were meant, '1000h' if seconds.`,
    },
    // hubs
    ...['pubsubhubbub.appspot.com', '/hub', 'wss://hub.example/', 'https://ada@hub.example/'].map((hub) => ({
      name: `the hub ${hub}`,
      more: { feed: { hubs: ['https://hub.example/', hub] } },
      line: `(string): expected an absolute http or https URL without user. Write 'https://pubsubhubbub.appspot.com/'.`,
    })),
    {
      name: 'a hub alone',
      more: { feed: { hubs: '/hub' } },
      line: 'option "feed.hubs" is "/hub" (string): expected',
    },
    {
      name: 'a hub in a list',
      more: { feed: { hubs: ['/hub'] } },
      line: 'option "feed.hubs[0]" is "/hub" (string): expected',
    },
    // texts
    ...['copyright', 'author'].flatMap((name) =>
      ['', 'a\nb', 7].map((value) => ({
        name: `${name} ${JSON.stringify(value)}`,
        more: { feed: { [name]: value } },
        line: `option "feed.${name}" is ${JSON.stringify(value)} (${typeof value}): expected text of one line that is not empty.`,
      })),
    ),
    ...['managingEditor', 'webMaster'].flatMap((name) =>
      [
        { value: 'Ada Lovelace', way: 'a@example.com (Ada)' },
        { value: 'Ada <a@e.com>', way: 'a@e.com (Ada)' },
        { value: '"Lovelace, Ada" <a@e.com>', way: 'a@e.com (Lovelace, Ada)' },
        { value: 'a@e.com\n(Ada)', way: 'a@example.com (Ada)' },
        { value: 'a@e.com(Ada)', way: 'a@example.com (Ada)' },
        { value: 'a@e.com, b@e.com', way: 'a@example.com (Ada)' },
        { value: '@e.com', way: 'a@example.com (Ada)' },
        { value: '', way: 'a@example.com (Ada)' },
        { value: 7, way: 'a@example.com (Ada)' },
      ].map(({ value, way }) => ({
        name: `${name} ${JSON.stringify(value)} (SPEC F8)`,
        more: { feed: { [name]: value } },
        line: `option "feed.${name}" is ${JSON.stringify(value)} (${typeof value}): expected an e-mail address, as in 'a@e.com' or 'a@e.com (Name)'. Write '${way}'.`,
      })),
    ),
    {
      name: 'an empty category',
      more: { feed: { categories: ['News', ''] } },
      line: `option "feed.categories[1]" is "" (string): expected text of one line that is not empty, or a list of such texts. Write ['News', 'Goods'], or leave it out.`,
    },
    {
      name: 'a category over two lines',
      more: { feed: { categories: 'a\nb' } },
      line: 'option "feed.categories" is "a\\nb" (string): expected text of one line',
    },
  ])
})
