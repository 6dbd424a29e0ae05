import { readLanguage } from './alternates.ts'
import type { CheckedNews } from './checked.ts'
import { type Dropped, type FieldReaders, LONGEST_TEXT, oneLine, partsOf, type Raw } from './fields.ts'
import { FOREIGN_NEWS_NAMES, tellForeign } from './foreign-names.ts'
import { parseDate, type W3cDate } from './lastmod.ts'

/** The publication that a section's articles appear in. */
export interface NewsRules {
  readonly name: string
  /** Of articles that name none, and whose entries name none. */
  readonly language: string
}

/** What an entry says that its news may leave out. */
export interface NewsFallbacks {
  readonly title: string | undefined
  readonly lang: string | undefined
  readonly published: () => unknown
}

const MOST_TICKERS = 5 // SPEC E59
const MOST_KEYWORDS = 1_000
const ACCESS = ['Subscription', 'Registration'] as const
const GENRES = ['PressRelease', 'Satire', 'Blog', 'OpEd', 'Opinion', 'UserGenerated'] as const
/** SPEC E59; the schema allows neither dots nor hyphens. */
const TICKER = /^[A-Z0-9]{1,32}:[A-Z0-9]{1,32}$/

/**
 * Makes the reader of an entry's news (SPEC 2.3): `true`, or an object that may leave out what the entry says already.
 * An article without title or date is left out, and its entry stays.
 */
export function createNewsReader(
  { isYes, textOf, textsOf, attempt, readerOf }: FieldReaders,
  rules: NewsRules,
  dropped: Dropped,
): (value: unknown, fallbacks: NewsFallbacks, loc: string) => CheckedNews | undefined {
  const sectionName = publicationName(rules.name)
  // Options are checked for their shape only: a language that no list knows is still the site's word.
  const sectionLanguage =
    newsLanguage(rules.language) ?? /^[a-z]{2,3}/.exec(rules.language.toLowerCase())?.[0]

  function newsOf(value: unknown, fallbacks: NewsFallbacks, loc: string): CheckedNews | undefined {
    if (value === undefined || value === null) return undefined
    const given = partsOf(value)
    if (given === undefined && !isYes(value, 'news', loc)) return undefined
    if (Array.isArray(given)) return lacking('news is a list: an entry is one article', loc)
    return attempt('news', loc, () => articleOf(given ?? {}, fallbacks, loc))
  }

  function articleOf(given: Raw, fallbacks: NewsFallbacks, loc: string): CheckedNews | undefined {
    tellForeign(given, FOREIGN_NEWS_NAMES, (name, ours) =>
      dropped('news', `news ${name} is not read: write ${ours}`, loc),
    )
    const read = readerOf(given, 'news', loc)
    const title = read('title', textOf) ?? fallbacks.title
    if (title === undefined) return lacking('news lacks title', loc)
    const publicationDate = attempt('news publicationDate', loc, () => dateOf(given, fallbacks, loc))
    if (publicationDate === undefined) return undefined
    const name = read('name', nameOf) ?? sectionName
    if (name === undefined) return lacking('news lacks name', loc)
    const language = read('language', languageOf) ?? newsLanguage(fallbacks.lang) ?? sectionLanguage
    if (language === undefined) return lacking('news lacks language', loc)
    return {
      name,
      language,
      access: read('access', accessOf),
      genres: read('genres', genresOf),
      publicationDate,
      title,
      keywords: read('keywords', keywordsOf),
      stockTickers: read('stockTickers', tickersOf),
    }
  }

  function lacking(reason: string, loc: string): undefined {
    dropped('news', reason, loc)
  }

  /** SPEC E56. A date that is given but cannot be used is not replaced by another one. */
  function dateOf(given: Raw, fallbacks: NewsFallbacks, loc: string): W3cDate | undefined {
    const own = parseDate(given.publicationDate)
    if (own !== undefined) {
      if ('text' in own) return own
      return lacking(`news publicationDate ${own.reason}`, loc)
    }
    const published = parseDate(fallbacks.published())
    if (published === undefined) return lacking('news lacks publicationDate, and the entry published', loc)
    return 'text' in published ? published : lacking(`news: published ${published.reason}`, loc)
  }

  function nameOf(value: unknown, field: string, loc: string): string | undefined {
    const text = textOf(value, field, loc)
    return text === undefined ? undefined : publicationName(text)
  }

  function languageOf(value: unknown, field: string, loc: string): string | undefined {
    if (value === undefined || value === null || value === '') return undefined
    const language = typeof value === 'string' ? newsLanguage(value) : undefined
    if (language === undefined) dropped(field, `${field} is no language tag such as fr or zh-cn`, loc)
    return language
  }

  function accessOf(value: unknown, field: string, loc: string): CheckedNews['access'] {
    const text = textOf(value, field, loc)
    if (text === undefined) return undefined
    const access = ACCESS.find((word) => word.toLowerCase() === text.toLowerCase())
    // Open articles have no tag (SPEC E54), and some sites say so.
    if (access === undefined && !/^(open|free)$/i.test(text))
      dropped(field, `${field} is neither Subscription nor Registration`, loc)
    return access
  }

  function genresOf(value: unknown, field: string, loc: string): string | undefined {
    return joined(value, field, loc, GENRES.length, (text) => {
      const word = text.toLowerCase()
      const genre = GENRES.find((known) => known.toLowerCase() === word)
      if (genre === undefined) dropped(field, `${field} has one that is none of ${GENRES.join(' ')}`, loc)
      return genre
    })
  }

  function tickersOf(value: unknown, field: string, loc: string): string | undefined {
    return joined(value, field, loc, MOST_TICKERS, (text) => {
      const ticker = text.toUpperCase()
      if (TICKER.test(ticker)) return ticker
      dropped(field, `${field} has one that is not EXCHANGE:TICKER in letters and digits`, loc)
      return undefined
    })
  }

  function keywordsOf(value: unknown, field: string, loc: string): string | undefined {
    return textOf(
      joined(value, field, loc, MOST_KEYWORDS, (text) => text),
      field,
      loc,
    )
  }

  /** The different members that `spell` knows, at most `most`, with commas between. */
  function joined(
    value: unknown,
    field: string,
    loc: string,
    most: number,
    spell: (text: string) => string | undefined,
  ): string | undefined {
    const spelled = textsOf(value, field, loc, MOST_KEYWORDS).map(spell)
    const list = [...new Set(spelled.filter((text) => text !== undefined))]
    if (list.length > most) dropped(field, `${field} beyond ${most}`, loc)
    return list.length === 0 ? undefined : list.slice(0, most).join(', ')
  }

  return newsOf
}

/**
 * A language as news files write it: ISO 639 in two or three letters, Chinese as `zh-cn` or `zh-tw` by its script, else
 * by where traditional characters are written (SPEC E53).
 */
function newsLanguage(input: string | undefined): string | undefined {
  const tag = input === undefined ? undefined : readLanguage(input).tag
  if (tag === undefined || tag === 'x-default') return undefined
  const [language, ...rest] = tag.split('-')
  if (language !== 'zh') return language
  const isTraditional = rest.includes('Hant') || (!rest.includes('Hans') && rest.some(isTraditionalRegion))
  return isTraditional ? 'zh-tw' : 'zh-cn'
}

function isTraditionalRegion(region: string): boolean {
  return region === 'TW' || region === 'HK' || region === 'MO'
}

/** SPEC E52: what stands in parentheses leaves the name, as the engine's news site shows it. */
function publicationName(text: string): string | undefined {
  const line = oneLine(text.slice(0, LONGEST_TEXT))
  if (line === undefined || !line.includes('(')) return line
  let kept = ''
  let depth = 0
  for (const character of line) {
    if (character === '(') depth++
    else if (character === ')' && depth > 0) depth--
    else if (depth === 0) kept += character
  }
  return oneLine(kept)
}
