import { describe, expect, it } from 'vitest'
import { renderNewsUrl, renderUrl, withoutNews } from '../../src/formats/urlset.ts'
import { ORIGIN, type Rules, taken } from './create-check.ts'

const article = { title: 'Headline', publicationDate: '2026-05-10T10:20:30Z' }

/** The news of an entry as it is written, and what was told. */
function written(news: unknown, more: object = {}, rules: Rules = {}) {
  const { entry, reasons } = taken({ loc: '/a', ...more, news }, rules)
  const xml = renderUrl(entry).replace(/^<url><loc>[^<]*<\/loc>|<\/url>\n$/g, '')
  return { xml, reasons }
}

/** One tag of it. */
function tag(name: string, news: object, more: object = {}, rules: Rules = {}) {
  const { xml, reasons } = written({ ...article, ...news }, more, rules)
  return { text: new RegExp(`<news:${name}>([^<]*)<`).exec(xml)?.[1], reasons }
}

const PUBLICATION =
  '<news:publication><news:name>The Example Times</news:name><news:language>en</news:language></news:publication>'

function newsXml(title: string, date: string): string {
  return `<news:news>${PUBLICATION}<news:publication_date>${date}</news:publication_date><news:title>${title}</news:title></news:news>`
}

describe('news (SPEC E50 to E59)', () => {
  it('every tag, in the order of the schema', () => {
    const { xml, reasons } = written({
      stockTickers: ['NASDAQ:AMAT', 'BOM:500325'],
      keywords: 'a, b',
      title: 'A & B',
      publicationDate: '2026-05-10',
      genres: ['blog', 'OpEd'],
      access: 'subscription',
      language: 'fr',
      name: 'Le <Temps>',
    })
    expect(reasons).toEqual([])
    expect(xml).toBe(
      '<news:news><news:publication><news:name>Le &lt;Temps&gt;</news:name><news:language>fr</news:language></news:publication>' +
        '<news:access>Subscription</news:access><news:genres>Blog, OpEd</news:genres>' +
        '<news:publication_date>2026-05-10</news:publication_date><news:title>A &amp; B</news:title>' +
        '<news:keywords>a, b</news:keywords><news:stock_tickers>NASDAQ:AMAT, BOM:500325</news:stock_tickers></news:news>',
    )
  })

  const page = { title: 'Page', published: '2026-05-09' }

  it.each([
    { name: 'true', news: true, xml: newsXml('Page', '2026-05-09') },
    { name: '1 of a database', news: 1, xml: newsXml('Page', '2026-05-09') },
    { name: 'empty object', news: {}, xml: newsXml('Page', '2026-05-09') },
    { name: 'object with a title', news: { title: 'Own' }, xml: newsXml('Own', '2026-05-09') },
    {
      name: 'object with a date',
      news: { title: '', publicationDate: '2026-05-08' },
      xml: newsXml('Page', '2026-05-08'),
    },
    {
      name: 'object with nulls',
      news: { title: null, publicationDate: null },
      xml: newsXml('Page', '2026-05-09'),
    },
    { name: 'false', news: false, xml: '' },
    { name: 'null', news: null, xml: '' },
    { name: '0 of a database', news: 0, xml: '' },
  ])('$name: what it leaves out is title and published of the entry', ({ news, xml }) => {
    expect(written(news, page)).toEqual({ xml, reasons: [] })
  })

  it.each([
    { name: 'no title (E57)', news: true, more: { published: '2026-05-09' }, reason: 'news lacks title' },
    {
      name: 'no date (E56)',
      news: true,
      more: { title: 'Page' },
      reason: 'news lacks publicationDate, and the entry published',
    },
    {
      name: 'a date that is none, though the entry has one',
      news: { publicationDate: 'nope' },
      more: page,
      reason: 'news publicationDate is not a date',
    },
    {
      name: 'a bare year (W1)',
      news: { publicationDate: '2026' },
      more: page,
      reason: 'news publicationDate is a bare year or month',
    },
    {
      name: 'published that is none',
      news: true,
      more: { title: 'Page', published: '2026-05' },
      reason: 'news: published is a bare year or month',
    },
    { name: 'a list', news: [article], more: page, reason: 'news is a list: an entry is one article' },
    { name: 'a word', news: 'breaking', more: page, reason: 'news is neither true nor false' },
  ])('left out, and the entry stays: $name', ({ news, more, reason }) => {
    expect(written(news, more)).toEqual({ xml: '', reasons: [reason] })
  })

  it('is not read in a section that writes none', () => {
    const input = {
      loc: '/a',
      get news(): never {
        throw new Error('read')
      },
    }
    expect(taken(input, { news: undefined })).toMatchObject({ entry: { news: undefined }, dropped: [] })
  })

  it('the date keeps its instant, for the two days of news (E60)', () => {
    const { entry } = taken({ loc: '/a', news: { ...article, publicationDate: '2026-05-10T10:20+02:00' } })
    expect(entry.news?.publicationDate).toEqual({
      text: '2026-05-10T10:20:00+02:00', // SPEC W4 is written with seconds.
      ms: Date.UTC(2026, 4, 10, 8, 20),
    })
  })

  it.each(['title', 'name', 'language', 'access', 'genres', 'keywords', 'stockTickers', 'publicationDate'])(
    'a getter that throws loses its field, or the news that needs it: %s',
    (field) => {
      const news = Object.defineProperty({ ...article }, field, {
        enumerable: true,
        get() {
          throw new Error('lazy')
        },
      })
      const { xml, reasons } = written(news, { title: 'Headline' })
      expect(xml).toBe(field === 'publicationDate' ? '' : newsXml('Headline', article.publicationDate))
      expect(reasons).toEqual([`news ${field} cannot be read`])
    },
  )

  it.each([
    { name: 'publication_date', ours: 'publicationDate', value: '2026-05-10' },
    { name: 'stock_tickers', ours: 'stockTickers', value: 'A:B' },
    { name: 'publication', ours: 'name', value: { name: 'X' } },
  ])('$name is not read, and told with ours', ({ name, ours, value }) => {
    expect(written({ ...article, [ours]: undefined, [name]: value }).reasons).toContain(
      `news ${name} is not read: write ${ours}`,
    )
  })
})

describe('publication (SPEC E51 to E53)', () => {
  it.each([
    { name: 'Times', written: 'Times' },
    { name: 'The Example Times (subscription)', written: 'The Example Times' },
    { name: '(The) Example ((a) b) Times', written: 'Example Times' },
    { name: 'Times (open', written: 'Times' },
    { name: 'Times) open', written: 'Times) open' },
    { name: 'Times) open (free)', written: 'Times) open' },
    { name: ' Two\nlines ', written: 'Two lines' },
    { name: '(only this)', written: 'The Example Times' },
    { name: '', written: 'The Example Times' },
    { name: `Times ${'('.repeat(100_000)}`, written: 'Times' },
  ])('name "$name" → "$written" (E52)', ({ name, written: text }) => {
    expect(tag('name', { name }).text).toBe(text)
  })

  it('the section says the name, parentheses left out there too', () => {
    const news = { name: 'Daily (free)', language: 'de-AT' }
    expect(tag('name', {}, {}, { news }).text).toBe('Daily')
    expect(tag('language', {}, {}, { news }).text).toBe('de')
    expect(written(article, {}, { news: { name: '(x)', language: 'en' } })).toEqual({
      xml: '',
      reasons: ['news lacks name'],
    })
  })

  it.each([
    { language: 'en', written: 'en' },
    { language: 'EN-us', written: 'en' },
    { language: 'pt_BR', written: 'pt' },
    { language: 'fil', written: 'fil' },
    { language: 'sr-Latn-RS', written: 'sr' },
    { language: 'zh', written: 'zh-cn' },
    { language: 'zh-CN', written: 'zh-cn' },
    { language: 'zh-SG', written: 'zh-cn' },
    { language: 'zh-Hans', written: 'zh-cn' },
    { language: 'zh-Hans-HK', written: 'zh-cn' },
    { language: 'zh-cn', written: 'zh-cn' },
    { language: 'zh-TW', written: 'zh-tw' },
    { language: 'zh_hk', written: 'zh-tw' },
    { language: 'zh-MO', written: 'zh-tw' },
    { language: 'zh-Hant', written: 'zh-tw' },
    { language: 'zh-Hant-CN', written: 'zh-tw' },
  ])('language $language → $written (E53)', ({ language, written: text }) => {
    expect(tag('language', { language })).toEqual({ text, reasons: [] })
    expect(tag('language', {}, { lang: language })).toEqual({ text, reasons: [] })
    expect(tag('language', {}, {}, { news: { name: 'N', language } })).toEqual({ text, reasons: [] })
  })

  it.each(['english', 'jp', 'x-default', 7, {}])('language %s falls back, and is told', (language) => {
    const reasons = ['news language is no language tag such as fr or zh-cn']
    expect(tag('language', { language }, { lang: 'fr-CA' })).toEqual({ text: 'fr', reasons })
    expect(tag('language', { language })).toEqual({ text: 'en', reasons })
  })

  it('the language of the article wins over the entry, that over the section', () => {
    expect(tag('language', { language: 'de' }, { lang: 'fr' }).text).toBe('de')
    expect(tag('language', {}, { lang: 'fr' }).text).toBe('fr')
    expect(tag('language', {}, {}, { lang: 'it' }).text).toBe('it')
    expect(tag('language', {}).text).toBe('en')
  })

  it('a language of the site that no list knows is its word still', () => {
    expect(tag('language', {}, {}, { news: { name: 'N', language: 'de-1996' } }).text).toBe('de')
  })
})

describe('optional tags', () => {
  it.each([
    { access: 'Subscription', text: 'Subscription' },
    { access: ' REGISTRATION ', text: 'Registration' },
    { access: 'open', text: undefined },
    { access: '', text: undefined },
  ])('access "$access" → $text (E54)', ({ access, text }) => {
    expect(tag('access', { access })).toEqual({ text, reasons: [] })
  })

  it.each(['Paid', {}])('access %s leaves (E54)', (access) => {
    expect(tag('access', { access })).toEqual({
      text: undefined,
      reasons: [expect.stringMatching(/^news access/)],
    })
  })

  it.each([
    { genres: 'PressRelease', text: 'PressRelease' },
    { genres: 'satire, usergenerated', text: 'Satire, UserGenerated' },
    {
      genres: ['PressRelease', 'Satire', 'Blog', 'OpEd', 'Opinion', 'UserGenerated', 'blog'],
      text: 'PressRelease, Satire, Blog, OpEd, Opinion, UserGenerated',
    },
    { genres: [], text: undefined },
  ])('genres $genres → $text (E55)', ({ genres, text }) => {
    expect(tag('genres', { genres })).toEqual({ text, reasons: [] })
  })

  it('an unknown genre leaves the others (E55)', () => {
    expect(tag('genres', { genres: ['Blog', 'Sport'] })).toEqual({
      text: 'Blog',
      reasons: ['news genres has one that is none of PressRelease Satire Blog OpEd Opinion UserGenerated'],
    })
  })

  it.each([
    { keywords: 'a,b , c', text: 'a, b, c' },
    { keywords: ['a', 'b & c', 'a', null], text: 'a, b &amp; c' },
    { keywords: 2026, text: '2026' },
  ])('keywords $keywords → $text (E58)', ({ keywords, text }) => {
    expect(tag('keywords', { keywords })).toEqual({ text, reasons: [] })
  })

  it('keywords have a bound of their own, told', () => {
    const { text, reasons } = tag('keywords', {
      keywords: Array.from({ length: 2_000 }, (_, i) => `word ${i}`),
    })
    expect(text?.length).toBeLessThanOrEqual(5_000)
    expect(reasons).toEqual([
      'news keywords beyond 1000',
      'news keywords is longer than 5000 characters and was cut',
    ])
  })

  it.each([
    { tickers: 'nasdaq:amat', text: 'NASDAQ:AMAT', told: 0 },
    { tickers: 'A:1, B:2,A:1', text: 'A:1, B:2', told: 0 },
    { tickers: ['A:1', 'AMAT', 'NYSE:BRK.B', 'X:Y:Z', 'É:A'], text: 'A:1', told: 4 },
    { tickers: ['A:1', 'B:2', 'C:3', 'D:4', 'E:5', 'F:6'], text: 'A:1, B:2, C:3, D:4, E:5', told: 1 },
  ])('stockTickers $tickers → $text (E59)', ({ tickers, text, told }) => {
    const { text: found, reasons } = tag('stock_tickers', { stockTickers: tickers })
    expect(found).toBe(text)
    expect(reasons).toHaveLength(told)
  })
})

describe('lines of news', () => {
  const input = {
    loc: '/a?b&c',
    title: '</news:news> & <news:news>',
    lastmod: '2026-05-10',
    images: [{ loc: '/i.png', title: '<news:news>' }],
    news: { ...article, keywords: '<news:news>,</news:news>' },
    alternates: { en: '/a?b&c' },
    extensions: [{ name: 'shop:news', text: '<news:news>', attributes: { a: '</news:news>' } }],
  }

  it('in a news file an entry is its address and its news', () => {
    const { entry } = taken({ ...input, news: article })
    expect(renderNewsUrl(entry)).toBe(
      `<url><loc>${ORIGIN}/a?b&amp;c</loc>${newsXml('Headline', article.publicationDate)}</url>\n`,
    )
    const { entry: plain } = taken('/a')
    expect(renderNewsUrl(plain)).toBe(`<url><loc>${ORIGIN}/a</loc></url>\n`)
  })

  it('without its news a line is that of an entry without, whatever its texts hold (E60)', () => {
    const { entry } = taken(input)
    const { entry: without } = taken({ ...input, news: undefined })
    expect(entry.news).toBeDefined()
    expect(withoutNews(renderUrl(entry))).toBe(renderUrl(without))
    expect(withoutNews(renderUrl(without))).toBe(renderUrl(without))
    expect(withoutNews(renderNewsUrl(entry))).toBe(`<url><loc>${ORIGIN}/a?b&amp;c</loc></url>\n`)
  })
})
