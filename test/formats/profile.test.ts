import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ProfileDocument, renderProfile } from '../../src/formats/profile.ts'
import { readRobotsProfile } from '../../src/robots-profile/read.ts'
import { all, type HtmlElement, hasClass, only, parseHtml } from './parse-html.ts'

const facts: ProfileDocument = {
  language: 'en',
  siteTitle: 'Example',
  url: 'https://www.example.com/robots-profile',
}

// SPEC H34: S4's order.
const NAMES = [
  'nofollow',
  'follow',
  'noindex',
  'noanchortext',
  'anchortext',
  'index',
  'noarchive',
  'archive',
].map((name) => `robots-${name}`)

function rendered(more: Partial<ProfileDocument> = {}): HtmlElement {
  const { errors, root } = parseHtml(renderProfile({ ...facts, ...more }))
  expect(errors).toEqual([])
  return root
}

const LINK = `<link rel="profile" href="${facts.url}#">`

const meaningsOf = (root: HtmlElement) => all(root, 'dd').map(({ text }) => text)

describe('the XMDP document (SPEC H34)', () => {
  it('is this, to the byte', () => {
    const lines = renderProfile({ ...facts, stylesheet: '/sitemap-html.css' }).split('\n')
    expect(lines.slice(0, 15)).toEqual([
      '<!doctype html>',
      '<html lang="en" dir="ltr">',
      '<head>',
      '<meta charset="utf-8">',
      '<title>Robots profile – Example</title>',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="color-scheme" content="light dark">',
      '<link rel="stylesheet" href="/sitemap-html.css">',
      '</head>',
      '<body>',
      '<header><p><bdi>Example</bdi></p></header>',
      '<main>',
      '<div class="title"><h1>Robots profile</h1></div>',
      '<p>These classes tell robots what to do with a part of a page. They count on pages that name this address as their profile, as in <code dir="ltr">&lt;link rel=&quot;profile&quot; href=&quot;https://www.example.com/<wbr>robots-profile#&quot;&gt;</code>.</p>',
      '<dl class="profile">',
    ])
    expect(lines[15]).toBe('<dt id="robots-nofollow">robots-nofollow</dt>')
    expect(lines.at(-1)).toBe('')
  })

  it('defines the eight names in the order of S4, each by a dt with its id', () => {
    const list = only(rendered(), hasClass('profile'))
    expect(list.name).toBe('dl')
    expect(list.children.map(({ name }) => name)).toEqual(NAMES.flatMap(() => ['dt', 'dd']))
    const terms = all(list, 'dt')
    expect(terms.map(({ text }) => text)).toEqual(NAMES)
    expect(terms.map(({ attributes }) => attributes)).toEqual(NAMES.map((id) => ({ id })))
    expect(new Set(meaningsOf(list)).size).toBe(8)
  })

  it('is reached by a URI that this package knows for the profile (SPEC H31, D15)', () => {
    const [code] = all(rendered(), 'code')
    expect(readRobotsProfile(`<!doctype html>${code?.text}`)).toMatchObject({
      declared: true,
      uri: `${facts.url}#`,
    })
  })

  it('has no script and nothing inline (SPEC H9)', () => {
    const root = rendered({ stylesheet: '/s.css' })
    expect(all(root, ({ name }) => name === 'script' || name === 'style')).toEqual([])
    const names = all(root, () => true).flatMap(({ attributes }) => Object.keys(attributes))
    expect(names.filter((name) => name === 'style' || name.startsWith('on'))).toEqual([])
  })

  it.each([
    { name: 'none', stylesheet: undefined, written: [] },
    { name: 'a path', stylesheet: '/s.css?a&b', written: ['/s.css?a&b'] },
    { name: 'a URL', stylesheet: 'https://cdn.example/s.css', written: ['https://cdn.example/s.css'] },
    { name: 'no address', stylesheet: 'javascript:x', written: [] },
  ])('stylesheet: $name', ({ stylesheet, written }) => {
    const links = all(rendered({ stylesheet }), 'link')
    expect(links.map(({ attributes }) => attributes)).toEqual(
      written.map((href) => ({ rel: 'stylesheet', href })),
    )
  })
})

describe('names of classes among words', () => {
  it.each(['en', 'ar', 'ja'])('run from left to right, in %s', (language) => {
    const meanings = all(rendered({ language }), 'dd')
    const names = meanings.flatMap((meaning) => all(meaning, 'code'))
    expect(names.map(({ text }) => text)).toEqual(
      meaningsOf(rendered({ language })).flatMap((text) => text.match(/robots-[a-z]+/g) ?? []),
    )
    expect(names).toHaveLength(4)
    for (const { attributes } of names) expect(attributes).toEqual({ dir: 'ltr' })
  })

  it("are found in the user's words too, and are text there", () => {
    const rules = 'robots-nofollow, robots-nothing, <i>"robots-follow"</i>'
    const [, paragraph] = all(only(rendered({ strings: { rules } }), 'main'), 'p')
    expect(paragraph?.text).toBe(rules)
    expect(paragraph?.children.map(({ name, text }) => [name, text])).toEqual([
      ['code', 'robots-nofollow'],
      ['code', 'robots-follow'],
    ])
  })

  it('one # is enough', () => {
    const [code] = all(rendered({ url: `${facts.url}#` }), 'code')
    expect(code?.text).toBe(LINK)
  })
})

describe('languages', () => {
  const LANGUAGES = ['en', 'fr', 'de', 'es', 'ar', 'ja']

  it.each(LANGUAGES)('%s has words of its own for everything', (language) => {
    const texts = (root: HtmlElement) =>
      all(root, ({ name }) => ['h1', 'p', 'dd'].includes(name)).map(({ text }) => text)
    const own = texts(rendered({ language, siteTitle: '' }))
    const others = LANGUAGES.filter((one) => one !== language).flatMap((one) =>
      texts(rendered({ language: one, siteTitle: '' })),
    )
    expect(own).toHaveLength(11)
    expect(own.filter((text) => text.trim() === '' || text.includes('{') || others.includes(text))).toEqual(
      [],
    )
    // A class that allows names the one that it overrules.
    const overruling = meaningsOf(rendered({ language })).map((text) => /robots-\w+/.exec(text)?.[0])
    expect(overruling).toEqual(
      NAMES.map((name) => (name.startsWith('robots-no') ? undefined : name.replace('robots-', 'robots-no'))),
    )
  })

  it.each([
    { language: 'en', lang: 'en', dir: 'ltr' },
    { language: 'fr-CA', lang: 'fr-CA', dir: 'ltr' },
    { language: 'de_AT', lang: 'de-AT', dir: 'ltr' },
    { language: 'ar', lang: 'ar', dir: 'rtl' },
    { language: 'ja', lang: 'ja', dir: 'ltr' },
    // The words are English, and say so.
    { language: 'nl', lang: 'en', dir: 'ltr' },
    { language: 'he', lang: 'en', dir: 'ltr' },
    { language: '', lang: 'en', dir: 'ltr' },
    { language: '"><script>', lang: 'en', dir: 'ltr' },
  ])('$language → lang $lang, dir $dir', ({ language, lang, dir }) => {
    expect(only(rendered({ language }), 'html').attributes).toEqual({ lang, dir })
  })

  it("the user's words stand over ours, in the language of the site", () => {
    const root = rendered({
      language: 'nl',
      strings: { title: 'Robotprofiel <1>', intro: 'Zie {link}, {link}', rules: ' ' },
    })
    expect(only(root, 'html').attributes).toEqual({ lang: 'nl', dir: 'ltr' })
    expect(only(root, 'h1').text).toBe('Robotprofiel <1>')
    expect(all(root, 'p').map(({ text }) => text)).toContain(`Zie ${LINK}, ${LINK}`)
    expect(meaningsOf(root)[0]).toBe('Links in this part are not followed.')
  })
})

describe('facts of the site', () => {
  it('leaves the site out where it has no title', () => {
    const root = rendered({ siteTitle: ' \u200E' })
    expect(only(root, 'title').text).toBe('Robots profile')
    expect(all(root, 'header')).toEqual([])
  })

  it('any text gives a faultless page that shows it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.webUrl(), (siteTitle, url) => {
        const root = rendered({ siteTitle, url })
        expect(all(root, 'dt').map(({ text }) => text)).toEqual(NAMES)
        expect(all(root, ({ name }) => name === 'script')).toEqual([])
        expect(renderProfile({ ...facts, siteTitle, url })).toBe(renderProfile({ ...facts, siteTitle, url }))
      }),
    )
  })
})
