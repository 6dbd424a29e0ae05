import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ApplyProfileOptions,
  applyRobotsProfile,
  type ProfileUse,
} from '../../src/robots-profile/apply.ts'
import { parseHtml } from '../formats/parse-html.ts'
import {
  BLOCKS,
  FOREIGN,
  FORM,
  FORMATTING,
  ORDINARY,
  pagesOf,
  parsePage,
  RAW_TEXT,
  SCOPES,
  SHREDDED,
  TABLE,
  VOID,
} from './pages.ts'

const USES: readonly ProfileUse[] = ['index', 'archive', 'snippet']
const HEAD =
  '<!doctype html><html lang="en"><head><title>T</title><link rel="profile" href="/robots-profile">'

const apply = (html: string, use: ProfileUse, more: Partial<ApplyProfileOptions> = {}) =>
  applyRobotsProfile(html, { for: use, profile: true, ...more })

/** `div.noindex > p` as HTML, with the words "in or out" innermost. */
function htmlOf(path: string): string {
  return path
    .split(' > ')
    .reverse()
    .reduce((inner, step) => {
      const [name = '', ...classes] = step.split('.')
      return `<${name} class="${classes.map((one) => `robots-${one}`).join(' ')}">${inner}</${name}>`
    }, 'in or out')
}

describe('test vectors of SPEC 7.2', () => {
  it.each([
    { path: 'div.noindex > p', isIn: false },
    { path: 'div.noindex > p.index', isIn: true },
    { path: 'div.noindex > p.index > b.noindex', isIn: false },
    { path: 'p.noindex.index', isIn: false },
    { path: 'p.index.noindex', isIn: false },
    { path: 'div.nofollow > p.noindex > a', isIn: false },
    { path: 'div.nofollow > p', isIn: true },
    { path: 'div.noarchive > p', isIn: true },
    { path: 'div.index', isIn: true },
    { path: 'div', isIn: true },
  ])('$path → in: $isIn', ({ path, isIn }) => {
    const html = htmlOf(path)
    expect(apply(html, 'index').includes('in or out')).toBe(isIn)
    // H36: the same holds for the archive, in its own words.
    const archive = html
      .replaceAll('robots-noindex', 'robots-noarchive')
      .replaceAll('robots-index', 'robots-archive')
    if (!path.includes('noarchive')) expect(apply(archive, 'archive').includes('in or out')).toBe(isIn)
  })

  it('profile missing → all in', () => {
    const html = `<!doctype html><title>T</title>${htmlOf('div.noindex > p')}`
    for (const use of USES) expect(applyRobotsProfile(html, { for: use })).toBe(html)
  })
})

describe('whether classes count (SPEC H31)', () => {
  const body = '<body><p class="robots-noindex">x</p>y</body></html>'

  it.each([
    { name: 'link', html: `${HEAD}</head>${body}`, options: {}, isCut: true },
    {
      name: 'head profile',
      html: `<html><head profile="http://exemple.org/xmdp/robots-profile#"></head>${body}`,
      options: {},
      isCut: true,
    },
    { name: 'nothing', html: `<html><head></head>${body}`, options: {}, isCut: false },
    {
      name: 'named, but the caller says no',
      html: `${HEAD}</head>${body}`,
      options: { profile: false },
      isCut: false,
    },
    { name: 'not named, but the caller vouches', html: body, options: { profile: true }, isCut: true },
    {
      name: "the caller's URI",
      html: `<head profile="a b"></head>${body}`,
      options: { profile: 'b' },
      isCut: true,
    },
    {
      name: "none of the caller's URIs",
      html: `<head profile="a b"></head>${body}`,
      options: { profile: ['c'] },
      isCut: false,
    },
    {
      name: 'named behind the content',
      html: `${body}<link rel=profile href=/robots-profile>`,
      options: {},
      isCut: true,
    },
  ])('$name → $isCut', ({ html, options, isCut }) => {
    const expected = isCut ? html.replace('<p class="robots-noindex">x</p>', '') : html
    expect(applyRobotsProfile(html, { for: 'index', ...options })).toBe(expected)
  })
})

describe('meta robots of the page beats every class (SPEC H38, H50 to H54)', () => {
  it.each([
    { content: 'noindex', out: ['index', 'snippet'] },
    { content: 'NONE', out: ['index', 'snippet'] },
    { content: 'noarchive', out: ['archive'] },
    { content: 'nocache', out: ['archive'] },
    { content: 'nosnippet', out: ['snippet'] },
    { content: 'max-snippet: 0', out: ['snippet'] },
    { content: 'nofollow, max-snippet:-1, index', out: [] },
  ])('$content → out for $out', ({ content, out }) => {
    const html = `${HEAD}<meta name="robots" content="${content}"></head><body class="robots-index robots-archive">x`
    expect(USES.filter((use) => applyRobotsProfile(html, { for: use }) === '')).toEqual(out)
    expect(USES.filter((use) => apply(html.replace('link', 'x'), use, { profile: false }) === '')).toEqual(
      out,
    )
  })

  it('a meta of one robot counts for who asks for it', () => {
    const html = '<meta name="googlebot" content="noindex">x'
    expect(applyRobotsProfile(html, { for: 'index' })).toBe(html)
    expect(applyRobotsProfile(html, { for: 'index', agent: 'GoogleBot' })).toBe('')
  })
})

describe("for: 'index'", () => {
  it.each([
    { name: 'a part', html: 'a <b class="robots-noindex">x</b> c', expected: 'a  c' },
    {
      name: 'two parts',
      html: '<p class="robots-noindex">a</p><p>b</p><p class="robots-noindex">c</p>',
      expected: '<p>b</p>',
    },
    { name: 'a void element', html: '<img class=robots-noindex src=x>a', expected: 'a' },
    {
      name: 'a part with everything in it',
      html: '<div class=robots-noindex><!-- c --><script>s</script><p>x<img></div>a',
      expected: 'a',
    },
    {
      name: 'a carve-out with the elements around it (SPEC H36)',
      html: '<ul class="robots-noindex">\n<li>a</li>\n<li class="robots-index">b</li>\n<li>c</li>\n</ul>',
      expected: '<ul class="robots-noindex">\n\n<li class="robots-index">b</li>\n\n</ul>',
    },
    {
      name: 'carve-outs with the words and comments between them',
      html: '<p class="robots-noindex">a <b class="robots-index">b</b> c <!-- d --> <i class="robots-index">e</i> f</p>',
      expected:
        '<p class="robots-noindex"> <b class="robots-index">b</b>  <i class="robots-index">e</i> </p>',
    },
    {
      name: 'white space between carve-outs stays',
      html: '<p class="robots-noindex"><b class="robots-index">b</b> <i class="robots-index">e</i></p>',
      expected: '<p class="robots-noindex"><b class="robots-index">b</b> <i class="robots-index">e</i></p>',
    },
    {
      name: 'a carve-out in a table',
      html: '<table class=robots-noindex><tr><td>a<tr><td>b<td class=robots-index>c</table>d',
      expected: '<table class=robots-noindex><tr><td class=robots-index>c</table>d',
    },
    {
      name: 'an end tag that what went had implied',
      html: '<section class=robots-noindex><p class=robots-index>a<div>b</div>c</section>d',
      expected: '<section class=robots-noindex><p class=robots-index>a</p></section>d',
    },
    {
      name: 'a paragraph that a part ended',
      html: '<p>a<div class=robots-noindex>b</div>c',
      expected: '<p>a</p>c',
    },
    {
      name: 'a link that a link ended',
      html: '<a href=/a>a<a href=/b class=robots-noindex>b</a>c',
      expected: '<a href=/a>a</a>c',
    },
    { name: 'a block between two words', html: 'a<p class=robots-noindex>b</p>c', expected: 'a c' },
    { name: 'a block beside white space', html: 'a <p class=robots-noindex>b</p>c', expected: 'a c' },
    { name: 'a block beside a tag', html: '<i>a</i><p class=robots-noindex>b</p>c', expected: '<i>a</i>c' },
    { name: 'a part of a word', html: 'a<b class=robots-noindex>b</b>c', expected: 'ac' },
    {
      name: 'formatting over two paragraphs',
      html: '<p>a<b class=robots-noindex>b</p><p>c</b>d</p>',
      expected: '<p>a</p><p>d</p>',
    },
    {
      name: 'a block that outlives the formatting around it',
      html: '<b class=robots-noindex>a<p>b</b>c</p>d',
      expected: '<p>c</p>d',
    },
    {
      name: 'text that a table moves before it',
      html: '<table class=robots-noindex>a<tr><td>b</table>',
      expected: 'a',
    },
    {
      name: 'a body',
      html: '<html><head></head><body class=robots-noindex>a</body></html>',
      expected: '<html><head></head></html>',
    },
    { name: 'a part that is never closed', html: 'a<div class=robots-noindex>b<p>c', expected: 'a' },
    { name: 'a tag that is never closed', html: 'a<b class=robots-noindex>b</b><a href="', expected: 'a' },
    { name: 'an end tag that is never closed', html: 'a<b class=robots-noindex>b</b ', expected: 'a' },
    {
      name: 'a comment that is never closed',
      html: 'a<b class=robots-noindex>b</b><!-- c',
      expected: 'a<!-- c',
    },
    {
      name: 'a < in front of parts and a word behind them',
      html: '<<b class=robots-noindex>a</b><i class=robots-noindex>b</i>img src=x onerror=x>',
      expected: '< img src=x onerror=x>',
    },
    {
      name: 'noarchive',
      html: '<p class=robots-noarchive>a</p>',
      expected: '<p class=robots-noarchive>a</p>',
    },
  ])('$name', ({ html, expected }) => {
    expect(apply(html, 'index')).toBe(expected)
  })

  it.each([
    {
      name: 'on the link',
      html: '<a class="robots-nofollow" href="/a">',
      expected: '<a rel="nofollow" class="robots-nofollow" href="/a">',
    },
    {
      name: 'noanchortext',
      html: '<a class="robots-noanchortext" href>',
      expected: '<a rel="nofollow" class="robots-noanchortext" href>',
    },
    {
      name: 'around the link',
      html: '<p class=robots-nofollow><a href=/a>x',
      expected: '<p class=robots-nofollow><a rel="nofollow" href=/a>x',
    },
    {
      name: 'an area',
      html: '<p class=robots-nofollow><area href=/a/>',
      expected: '<p class=robots-nofollow><area rel="nofollow" href=/a/>',
    },
    {
      name: 'rel there already',
      html: '<a class=robots-nofollow rel="NoFollow" href=/a>',
      expected: '<a class=robots-nofollow rel="NoFollow" href=/a>',
    },
    {
      name: 'another rel',
      html: '<a class=robots-nofollow rel="noopener" href=/a>',
      expected: '<a class=robots-nofollow rel="noopener nofollow" href=/a>',
    },
    {
      name: 'single quotes',
      html: "<a class=robots-nofollow rel='a&amp;' href=/a>",
      expected: "<a class=robots-nofollow rel='a&amp; nofollow' href=/a>",
    },
    {
      name: 'no quotes',
      html: '<a class=robots-nofollow rel=noopener href=/a>',
      expected: '<a class=robots-nofollow rel=noopener&#32;nofollow href=/a>',
    },
    {
      name: 'no value',
      html: '<a class=robots-nofollow rel href=/a>',
      expected: '<a class=robots-nofollow rel="nofollow" href=/a>',
    },
    {
      name: 'an empty value',
      html: '<a class=robots-nofollow href=/a rel=>',
      expected: '<a class=robots-nofollow href=/a rel=&#32;nofollow>',
    },
    {
      name: 'the second of two',
      html: '<a class=robots-nofollow rel=a rel=nofollow href=/a>',
      expected: '<a class=robots-nofollow rel=a&#32;nofollow rel=nofollow href=/a>',
    },
    {
      name: 'slashes for spaces',
      html: '<A/CLASS=robots-nofollow HREF=/a>',
      expected: '<A/CLASS=robots-nofollow HREF=/a>'.replace('<A', '<A rel="nofollow"'),
    },
    {
      name: 'carved out',
      html: '<p class=robots-nofollow><a class=robots-follow href=/a>',
      expected: '<p class=robots-nofollow><a class=robots-follow href=/a>',
    },
    {
      name: 'no link',
      html: '<p class=robots-nofollow><a name=a>',
      expected: '<p class=robots-nofollow><a name=a>',
    },
    {
      name: 'a link that goes',
      html: '<a class="robots-nofollow robots-noindex" href=/a>x</a>y',
      expected: 'y',
    },
    {
      name: 'a link around a carve-out',
      html: '<a class="robots-nofollow robots-noindex" href=/a>x<i class=robots-index>y</i></a>',
      expected:
        '<a rel="nofollow" class="robots-nofollow robots-noindex" href=/a><i class=robots-index>y</i></a>',
    },
  ])('the twin of nofollow and noanchortext: $name', ({ html, expected }) => {
    const cut = apply(html, 'index')
    expect(cut).toBe(expected)
    expect(apply(cut, 'index')).toBe(cut)
    for (const use of ['archive', 'snippet'] as const)
      if (!html.includes('noindex')) expect(apply(html, use)).toBe(html)
  })
})

describe("for: 'archive'", () => {
  const long = 'x'.repeat(1_000)

  it.each([
    { name: 'a small part', html: 'a <b class=robots-noarchive>x</b> c', expected: 'a [...] c' },
    { name: 'a large part', html: `a <b class=robots-noarchive>${long}</b> c`, expected: 'a [...] c' },
    {
      name: 'an image (SPEC H42)',
      html: '<p><img class=robots-noarchive src=x></p>',
      expected: '<p>[...]</p>',
    },
    { name: 'an empty part', html: '<p class=robots-noarchive></p>', expected: '[...]' },
    {
      name: 'each of two parts',
      html: '<p class=robots-noarchive>a</p><p class=robots-noarchive>b</p>',
      expected: '[...][...]',
    },
    {
      name: 'one for a part in a part',
      html: '<p class=robots-noarchive>a<b class=robots-noarchive>b</b></p>',
      expected: '[...]',
    },
    {
      name: 'one for each run around a carve-out',
      html: '<p class=robots-noarchive>a <i>b</i> c <b class=robots-archive>d</b> <i>e</i></p>',
      expected: '<p class=robots-noarchive>[...] <b class=robots-archive>d</b> [...]</p>',
    },
    {
      name: 'an item',
      html: '<ul><li class=robots-noarchive>a<li>b</ul>',
      expected: '<ul><li>[...]</li><li>b</ul>',
    },
    {
      name: 'several items of a list that stays',
      html: '<ul class=robots-noarchive><li>a<li>b<li class=robots-archive>c</ul>',
      expected: '<ul class=robots-noarchive><li>[...]</li><li class=robots-archive>c</ul>',
    },
    {
      name: 'a cell',
      html: '<table><tr><td>a</td><td class=robots-noarchive>b</td></table>',
      expected: '<table><tr><td>a</td><td>[...]</td></table>',
    },
    {
      name: 'a row',
      html: '<table><tr class=robots-noarchive><td>a<tr><td>b</table>',
      expected: '<table><tr><td>[...]</td></tr><tr><td>b</table>',
    },
    {
      name: 'a section of a table',
      html: '<table><tbody class=robots-noarchive><tr><td>a</table>',
      expected: '<table><tbody><tr><td>[...]</td></tr></tbody></table>',
    },
    {
      name: 'a term and its description',
      html: '<dl><dt class=robots-noarchive>a<dd class=robots-noarchive>b</dl>',
      expected: '<dl><dt>[...]</dt><dd>[...]</dd></dl>',
    },
    {
      name: 'an option',
      html: '<select><option class=robots-noarchive>a</select>',
      expected: '<select><option>[...]</option></select>',
    },
    {
      name: 'a body',
      html: '<html><body class=robots-noarchive>a</body></html>',
      expected: '<html><body>[...]</body></html>',
    },
    { name: 'a page', html: '<html class=robots-noarchive><body>a</body></html>', expected: '[...]' },
    { name: 'what shows nothing', html: 'a<script class=robots-noarchive>b</script>c', expected: 'ac' },
    {
      name: 'what stands in the head',
      html: '<head><noscript class=robots-noarchive><link href=x></noscript></head>',
      expected: '<head></head>',
    },
    { name: 'noindex', html: '<p class=robots-noindex>a</p>', expected: '<p class=robots-noindex>a</p>' },
    {
      name: 'a link',
      html: '<a class=robots-nofollow href=/a>a</a>',
      expected: '<a class=robots-nofollow href=/a>a</a>',
    },
  ])('SPEC H40: $name', ({ html, expected }) => {
    expect(apply(html, 'archive')).toBe(expected)
  })
})

describe("for: 'snippet'", () => {
  const part = (inner: string, name = 'noarchive') => `a <b class="robots-${name}">${inner}</b> c`

  it.each([
    { name: '159 characters', html: part('x'.repeat(159)), expected: 'a [...] c' },
    { name: '160 characters', html: part('x'.repeat(160)), expected: 'a  c' },
    { name: '159 characters that take two units each', html: part('😀'.repeat(159)), expected: 'a [...] c' },
    { name: '159 character references', html: part('&amp;'.repeat(159)), expected: 'a [...] c' },
    { name: '160 character references', html: part('&amp;'.repeat(160)), expected: 'a  c' },
    {
      name: '159 characters among white space',
      html: part(`\n  ${'x'.repeat(100)} \n ${'x'.repeat(58)}  `),
      expected: 'a [...] c',
    },
    {
      name: '160 characters over elements',
      html: part(`<i>${'x'.repeat(80)}</i><i>${'x'.repeat(80)}</i>`),
      expected: 'a  c',
    },
    {
      name: '160 characters of script',
      html: part(`<script>${'x'.repeat(160)}</script>`),
      expected: 'a [...] c',
    },
    { name: 'noindex, small', html: part('x', 'noindex'), expected: 'a [...] c' },
    { name: 'noindex, large', html: part('x'.repeat(160), 'noindex'), expected: 'a  c' },
    { name: 'noindex in noarchive', html: part('x<i class=robots-noindex>y</i>'), expected: 'a [...] c' },
    {
      name: 'index in noarchive is out still',
      html: part('x<i class=robots-index>y</i>'),
      expected: 'a [...] c',
    },
    {
      name: 'archive in noarchive',
      html: part('x<i class=robots-archive>y</i>'),
      expected: 'a <b class="robots-noarchive">[...]<i class=robots-archive>y</i></b> c',
    },
    { name: 'an image (SPEC H42)', html: '<img class=robots-noarchive src=x>', expected: '[...]' },
    {
      name: 'a large item',
      html: `<ul><li class=robots-noarchive>${'x'.repeat(160)}<li>b</ul>`,
      expected: '<ul><li>b</ul>',
    },
    {
      name: 'a small item',
      html: '<ul><li class=robots-noarchive>a<li>b</ul>',
      expected: '<ul><li>[...]</li><li>b</ul>',
    },
  ])('SPEC H40, H41: $name', ({ html, expected }) => {
    expect(apply(html, 'snippet')).toBe(expected)
  })
})

describe('a page without a word to robots', () => {
  it.each([
    { name: 'no class', html: '<p>a<p>b</b><a href="' },
    { name: 'a word in the text', html: '<p>Robots and robots-noindex</p>' },
    { name: 'an empty text', html: '' },
  ])('stays as it is: $name', ({ html }) => {
    for (const use of USES) expect(apply(html, use)).toBe(html)
  })
})

describe('any page', () => {
  /** Words that stay, with the elements around them. */
  function staying(html: string): string[] {
    return [...parsePage(html).words]
      .filter(([, { no }]) => !no.includes('index'))
      .map(([word, { around }]) => word + around)
  }

  // A table that goes out from under what stands in it, and a form without an end tag, do not leave all as it was.
  const speaking = [
    ...BLOCKS,
    ...ORDINARY,
    ...FOREIGN,
    ...RAW_TEXT,
    ...SCOPES,
    ...VOID,
    'option',
    'td',
    'tr',
    'caption',
  ]

  it.each([
    { name: 'blocks', pages: pagesOf([...BLOCKS, ...ORDINARY, ...VOID]) },
    { name: 'foreign content and raw text', pages: pagesOf([...BLOCKS, ...FOREIGN, ...RAW_TEXT, ...SCOPES]) },
    { name: 'tables', pages: pagesOf([...TABLE, ...BLOCKS, ...FORM], speaking) },
    { name: 'long ones', pages: pagesOf([...TABLE, ...BLOCKS, ...ORDINARY, ...FORM], speaking, 60) },
  ])('loses the words that go and no other, and all stay in their elements: $name', ({ pages }) => {
    fc.assert(
      fc.property(pages, (html) => {
        const cut = apply(html, 'index')
        expect([...parsePage(cut).words].map(([word, { around }]) => word + around)).toEqual(staying(html))
        expect(apply(cut, 'index')).toBe(cut)
      }),
      { numRuns: 1_500 },
    )
  })

  it.each([
    { name: 'blocks speak', pages: pagesOf([...BLOCKS, ...FORMATTING], BLOCKS) },
    { name: 'links speak', pages: pagesOf([...BLOCKS, ...FORMATTING, ...TABLE], ['a']) },
  ])('loses the words that go and no other, with formatting anywhere: $name', ({ pages }) => {
    fc.assert(
      fc.property(pages, (html) => {
        const expected = [...parsePage(html).words].filter(([, { no }]) => !no.includes('index'))
        expect([...parsePage(apply(html, 'index')).words.keys()]).toEqual(expected.map(([word]) => word))
      }),
      { numRuns: 1_500 },
    )
  })

  it('gives the input with pieces left out, and adds nothing but what the docs say', () => {
    const added = /\[\.\.\.\]|<\/?[\w-]+>| rel="nofollow"| /g
    fc.assert(
      fc.property(pagesOf([...BLOCKS, ...TABLE, ...FORMATTING]), fc.constantFrom(...USES), (html, use) => {
        let from = 0
        for (const character of apply(html, use).replace(added, '')) {
          const at = html.indexOf(character, from)
          expect(at).not.toBe(-1)
          from = at + 1
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('makes no element that was none, whatever quotes, comments and scripts are cut, and no half tag', () => {
    fc.assert(
      fc.property(SHREDDED, fc.constantFrom(...USES), (shreds, use) => {
        const html = `${shreds} robots-`
        const cut = parsePage(apply(html, use))
        const before = parsePage(html).elements
        expect([...cut.elements].filter((element) => !before.has(element))).toEqual([])
        expect(cut.errors).not.toContain('eof-in-tag')
      }),
      { numRuns: 4_000 },
    )
  })

  it('never throws, whatever the text', () => {
    const unit = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3 }),
      fc.constantFrom(
        ...'<>/="\'&;!-\0\n'.split(''),
        'robots-noindex',
        ' class=',
        '<p',
        '<a href=',
        '</',
        '\ud800',
        ']]>',
      ),
    )
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 40 }), fc.constantFrom(...USES), (units, use) => {
        const html = `${units.join('')} robots-`
        expect(apply(html, use)).toBeTypeOf('string')
      }),
      { numRuns: 3_000 },
    )
  })

  it('stays free of parse errors', () => {
    const html = `${HEAD}</head><body><main><p class="robots-noarchive">a</p><ul><li class="robots-noarchive">b</li><li>c</li></ul><table><tbody><tr class="robots-noindex robots-noarchive"><td>d</td></tr></tbody></table></main></body></html>`
    for (const use of USES) expect(parseHtml(applyRobotsProfile(html, { for: use })).errors).toEqual([])
  })
})
