import fc from 'fast-check'
import { expect, it } from 'vitest'
import { address, attribute, escapeHtml, fileAddress, shownText } from '../../src/formats/html-text.ts'

it.each([
  { href: 'https://example.com/a?b=c&d=%20#e', safe: 'https://example.com/a?b=c&d=%20#e' },
  { href: 'HTTP://example.com', safe: 'HTTP://example.com' },
  { href: '/sitemap.html', safe: '/sitemap.html' },
  { href: 'http://[::1]:8080/', safe: 'http://[::1]:8080/' },
  { href: 'https://example.com/café', safe: 'https://example.com/café' },
  { href: 'https://example.com/a b"<>', safe: 'https://example.com/a%20b%22%3C%3E' },
  { href: 'https://example.com/100%/%zz/%E4', safe: 'https://example.com/100%25/%25zz/%E4' },
  { href: 'https://example.com/\ud800\u0000\uFDD0', safe: 'https://example.com/%EF%BF%BD%00%EF%B7%90' },
  { href: 'javascript:alert(1)', safe: undefined },
  { href: 'data:,x', safe: undefined },
  { href: '//evil.example/', safe: undefined },
  { href: '/\\evil.example/', safe: undefined },
  { href: 'page.html', safe: undefined },
  { href: '', safe: undefined },
  { href: undefined, safe: undefined },
])('address $href: $safe (SPEC H8)', ({ href, safe }) => {
  expect(address(href)).toBe(safe)
})

it('every address leads where the text leads', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
      expect(new URL(address(url) ?? '').href).toBe(new URL(url).href)
    }),
  )
})

it.each([
  { href: '/site.css', safe: '/site.css' },
  { href: 'site.css?v=1', safe: 'site.css?v=1' },
  { href: '../a b.css', safe: '../a%20b.css' },
  { href: '//cdn.example/site.css', safe: '//cdn.example/site.css' },
  { href: 'javascript:alert(1)', safe: undefined },
  { href: 'data:text/css,', safe: undefined },
  { href: 'http://', safe: undefined },
  { href: undefined, safe: undefined },
])('address of a file $href: $safe', ({ href, safe }) => {
  expect(fileAddress(href)).toBe(safe)
})

it.each([
  { text: 'About us', shown: 'About us' },
  { text: ' \n About\t\r\n us\f', shown: 'About us' },
  { text: 'a\u00A0b', shown: 'a\u00A0b' },
  { text: 'a\u0000\u0007\u0085\uFFFE\u{1FFFF}b', shown: 'ab' },
  { text: '\ud800', shown: '\uFFFD' },
  { text: '\u200B\u2800\u00AD', shown: undefined },
  { text: '', shown: undefined },
  { text: ' ', shown: undefined },
  { text: undefined, shown: undefined },
])('shown of $text: $shown (SPEC H5)', ({ text, shown }) => {
  expect(shownText(text)).toBe(shown)
})

it('shown text is shown as it is: cleaning is done once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
      const shown = shownText(text)
      expect(shownText(shown)).toBe(shown)
      expect(shown?.isWellFormed() ?? true).toBe(true)
    }),
  )
})

it('escapes the five characters everywhere (SPEC H8)', () => {
  expect(escapeHtml(`<a href="x" title='y'>&amp;`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;',
  )
  expect(attribute('title', '"')).toBe(' title="&quot;"')
  expect(attribute('title', '')).toBe(' title=""')
  expect(attribute('title', undefined)).toBe('')
})

it('takes very long texts, with and without work in them', () => {
  for (const piece of ['a', ' ', 'é', '<', '\u0000', '\ud800', 'a ', '&;']) {
    const text = piece.repeat(200_000)
    expect(escapeHtml(shownText(text) ?? '')).not.toMatch(/[<>"']/)
    expect(address(`https://example.com/${text}`)).toMatch(/^https:\/\/example\.com\//)
  }
})
