import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  address,
  attribute,
  bounded,
  breakable,
  escapeHtml,
  fileAddress,
  shownText,
} from '../../src/formats/html-text.ts'

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

it.each([
  { name: 'short', text: 'one two', cut: 'one two' },
  { name: 'just as long', text: 'one two th', cut: 'one two th' },
  { name: 'between words', text: 'one two three', cut: 'one two…' },
  { name: 'behind a word that ends there', text: 'one two xy z', cut: 'one two…' },
  { name: 'before a space', text: 'one twoxy z', cut: 'one twoxy…' },
  { name: 'in a long word', text: 'Donaudampfschiff', cut: 'Donaudamp…' },
  { name: 'a space long before', text: 'an endless-word', cut: 'an endles…' },
  { name: 'not in a surrogate pair', text: '😀😀😀😀😀😀', cut: '😀😀😀😀…' },
  { name: 'not in a family', text: '👍🏽x👩‍👩‍👧‍👦', cut: '👍🏽x…' },
  { name: 'not before its marks', text: 'abcdefghe\u0301z', cut: 'abcdefgh…' },
  { name: 'one letter under marks', text: `z${'\u0335'.repeat(20)}`, cut: `z${'\u0335'.repeat(8)}…` },
  { name: 'a pair under marks', text: `${'\u{1D165}'.repeat(20)}`, cut: `${'\u{1D165}'.repeat(4)}…` },
])('$name: cut at 10 characters', ({ text, cut }) => {
  expect(bounded(text, 10)).toBe(cut)
})

it('a text that is cut is a beginning of itself with … behind it, and well-formed', () => {
  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom(' ', '👩‍👩‍👧', '\u0301', 'word', '\u{1D165}', ','),
        fc.string({ unit: 'binary', maxLength: 4 }),
      ),
      { maxLength: 40 },
    )
    .map((parts) => shownText(parts.join('')) ?? '')
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 40 }), (whole, length) => {
      const cut = bounded(whole, length)
      expect(cut.length).toBeLessThanOrEqual(length)
      expect(cut.isWellFormed()).toBe(true)
      if (whole.length <= length) expect(cut).toBe(whole)
      else {
        expect(cut.endsWith('…')).toBe(true)
        expect(whole.startsWith(cut.slice(0, -1))).toBe(true)
      }
    }),
  )
})

it.each([
  { name: 'a path, not before it', text: '/blog/2026/a-walk.html', broken: '/blog/|2026/|a-walk.html' },
  { name: 'not behind the last slash', text: '/blog/2026/a-walk/', broken: '/blog/|2026/|a-walk/' },
  { name: 'not beside other signs', text: '/documents//a/.b/c', broken: '/documents//a/.b/|c' },
  { name: 'encoded and blank', text: '/%E9t%C3%A9/%20/_a/~b/-c', broken: '/%E9t%C3%A9/|%20/|_a/|~b/|-c' },
  {
    name: 'host and path',
    text: 'blog.example.com/a.b.html',
    broken: 'blog.|example.|com/|a.b.html',
  },
  {
    name: 'a whole address',
    text: 'https://www.example.com/a/b',
    broken: 'https://www.|example.|com/|a/|b',
  },
  { name: 'numbers stay', text: 'version-1.2.3-of-2026', broken: 'version-1.2.3-of-2026' },
  { name: 'so do short words', text: 'TCP/IP and example.com', broken: 'TCP/IP and example.com' },
  {
    name: 'long words among others',
    text: 'see www.example.com/a for more',
    broken: 'see www.|example.|com/|a for more',
  },
  { name: 'other scripts', text: '/كتب/قديمة/من/الساحل', broken: '/كتب/|قديمة/|من/|الساحل' },
  {
    name: 'not before a mark',
    text: '/documents/\u0301a.\u0301b/cc',
    broken: '/documents/\u0301a.\u0301b/|cc',
  },
  {
    name: 'markup is text',
    text: '</title></a><script>',
    broken: '&lt;/|title&gt;&lt;/|a&gt;&lt;script&gt;',
  },
])('$name: $text may be broken', ({ text, broken }) => {
  expect(breakable(escapeHtml(text))).toBe(broken.replaceAll('|', '<wbr>'))
})

it('places to break add nothing to a text', () => {
  const text = fc
    .array(fc.constantFrom('/', '.', 'a', 'https://', 'word', '\u0301', '<', '&', ' ', '%20', 'é'))
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, (whole) => {
      expect(breakable(escapeHtml(whole)).replaceAll('<wbr>', '')).toBe(escapeHtml(whole))
    }),
  )
})

it('takes very long texts, with and without work in them', () => {
  for (const piece of ['a', ' ', 'é', '<', '\u0000', '\ud800', 'a ', '&;', '/', 'a/', 'a.', '\u0301']) {
    const text = piece.repeat(200_000)
    const shown = shownText(text) ?? ''
    expect(escapeHtml(shown)).not.toMatch(/[<>"']/)
    expect(breakable(escapeHtml(shown))).toMatch(/^(?:[^<]|<wbr>)*$/)
    expect(bounded(shown, 200).length).toBeLessThanOrEqual(200)
    expect(address(`https://example.com/${text}`)).toMatch(/^https:\/\/example\.com\//)
  }
})
