import { describe, expect, it } from 'vitest'
import { refuseAll, resolve } from './resolving.ts'

describe('html', () => {
  it('keeps head and template as they are', () => {
    const template = () => '<!doctype html>'
    const head = '<link rel="icon" href="/icon.svg">\n<meta name="theme-color" content="#fff">'
    expect(resolve({ html: { head, template } }).html).toMatchObject({ head, template })
  })

  it.each([
    {
      given: 'https://www.example.com/xmdp/robots-profile#',
      resolved: 'https://www.example.com/xmdp/robots-profile#',
    },
    { given: new URL('https://other.example'), resolved: 'https://other.example/' },
  ])('profileUri $given → $resolved (SPEC H34)', ({ given, resolved }) => {
    const options = resolve({ html: { profileUri: given } })
    expect(options.html.profileUri).toBe(resolved)
    expect(options.routes.profile).toBe(false)
  })

  it('a profile of ours stays beside profileUri where it was asked for', () => {
    const more = { html: { profileUri: 'https://other.example/' }, routes: { profile: '/profile' } }
    expect(resolve(more).routes.profile).toBe('/profile')
  })
})

describe('html.strings', () => {
  it.each([
    { name: 'some words', strings: { fr: { sitemap: 'Plan' } }, resolved: { fr: { sitemap: 'Plan' } } },
    {
      name: 'several languages',
      strings: { 'PT-br': { rss: 'a' }, EN: {}, 'de-1996': { xml: 'b' } },
      resolved: { 'PT-br': { rss: 'a' }, EN: {}, 'de-1996': { xml: 'b' } },
    },
    {
      name: 'one text for every count',
      strings: { tr: { entries: '{n} kayıt' } },
      resolved: { tr: { entries: { other: '{n} kayıt' } } },
    },
    {
      name: 'a text by plural category',
      strings: {
        pl: { entries: { one: '{n} wpis', few: '{n} wpisy', other: '{n} wpisów', many: undefined } },
      },
      resolved: { pl: { entries: { one: '{n} wpis', few: '{n} wpisy', other: '{n} wpisów' } } },
    },
    { name: 'what is undefined', strings: { fr: undefined, en: { rss: undefined } }, resolved: { en: {} } },
    { name: 'nothing', strings: {}, resolved: {} },
  ])('$name', ({ strings, resolved }) => {
    expect(resolve({ html: { strings } }).html.strings).toStrictEqual(resolved)
  })
})

describe('faults', () => {
  refuseAll([
    ...['', 'javascript:alert(1)', 'https://', '/a b.css', true].map((stylesheet) => ({
      name: `the stylesheet ${JSON.stringify(stylesheet)}`,
      more: { html: { stylesheet } },
      line: `option "html.stylesheet" is ${JSON.stringify(stylesheet)} (${typeof stylesheet}): expected the URL or path of a stylesheet, or false. Write '/assets/sitemap.css', or leave it out for ours.`,
    })),
    {
      name: 'head that is no text',
      more: { html: { head: ['<meta>'] } },
      line: `option "html.head" is a list of 1 (object): expected HTML as text. Write '<link rel="icon" href="/icon.svg">'.`,
    },
    {
      name: 'template as text',
      more: { html: { template: '<html>' } },
      line: `option "html.template" is "<html>" (string): expected a function. Write template: (page) => '<!doctype html>…', or leave it out for our page.`,
    },
    ...['/robots-profile', 'example.com', 'urn:x', 'https://a b.example', 'https:x', 7, null].map(
      (profileUri) => ({
        name: `profileUri ${JSON.stringify(profileUri)}`,
        more: { html: { profileUri } },
        line: `option "html.profileUri" is ${JSON.stringify(profileUri)} (${profileUri === null ? 'null' : typeof profileUri}): expected an absolute http or https URL without user. Write 'https://www.example.com/robots-profile', or leave it out for routes.profile.`,
      }),
    ),
    {
      name: 'strings without a language',
      more: { html: { strings: { sitemap: 'Plan' } } },
      line: 'option "html.strings.sitemap" is "Plan" (string): expected an object. Its keys are sitemap, skip,',
    },
    {
      name: 'strings as a Map',
      more: { html: { strings: new Map() } },
      line: `option "html.strings" is a Map: expected an object with words by language tag. Write { en: { sitemap: 'Site map' } }, or leave it out for ours.`,
    },
    {
      name: 'a tag with an underscore',
      more: { html: { strings: { fr_CA: {} } } },
      line: `option "html.strings.fr_CA" is "fr_CA" (string): expected a language tag such as en or fr-CA. Write 'fr-CA'.`,
    },
    {
      name: 'a language twice',
      more: { html: { strings: { fr: {}, FR: {} } } },
      line: 'option "html.strings.FR" is "FR" (string): expected a language of its own, and this one stands before (case does not count). Put the words of both into one.',
    },
    {
      name: 'an empty word',
      more: { html: { strings: { fr: { next: '' } } } },
      line: 'option "html.strings.fr.next" is "" (string): expected text of one line that is not empty. Leave it out for ours.',
    },
    {
      name: 'a function for a word',
      more: { html: { strings: { fr: { page: (n: number) => `${n}` } } } },
      line: 'option "html.strings.fr.page" is function page (function): expected text of one line',
    },
    {
      name: 'entries without the other counts',
      more: { html: { strings: { fr: { entries: { one: 'une' } } } } },
      line: `option "html.strings.fr.entries.other" is missing: expected the text of all other counts. Write '{n} entries'.`,
    },
    {
      name: 'entries with an empty text',
      more: { html: { strings: { fr: { entries: { one: '', other: 'b' } } } } },
      line: 'option "html.strings.fr.entries.one" is "" (string): expected text of one line',
    },
    {
      name: 'entries with an empty text for the other counts, which is one fault',
      more: { html: { strings: { fr: { entries: { other: '' } } } } },
      line: 'option "html.strings.fr.entries.other" is "" (string): expected text of one line',
    },
    {
      name: 'entries as a number',
      more: { html: { strings: { fr: { entries: 7 } } } },
      line: 'option "html.strings.fr.entries" is 7 (number): expected an object. Its keys are zero, one, two, few, many, other.',
    },
  ])
})
