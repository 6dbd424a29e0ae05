// Written from right to left, where the tag names no script.
const RTL_LANGUAGES: ReadonlySet<string> = new Set(
  'ar arc azb bal bqi ckb dv fa glk he iw ji ks lrc mzn nqo pnb ps rhg sd sdh skr syr ug ur yi'.split(' '),
)
const RTL_SCRIPTS: ReadonlySet<string> = new Set(
  'adlm arab aran hebr mand nkoo rohg samr syrc thaa yezi'.split(' '),
)
/** Scripts whose letters have a capital form that begins a label; Georgian has capitals and begins none with them. */
const BEGINS_WITH_CAPITAL = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}]/u
/** Codes of ISO 639 for several languages, an unknown one, one without code, and none at all. */
const NO_LANGUAGE = /^(?:mul|und|mis|zxx)\b/
/** Longer than any tag in use: what follows is not looked at. */
const LONGEST_TAG = 100

/**
 * A language tag in its normal form (`fr-CA`), undefined where the text is none: no other may stand in `lang`.
 * `mul`, `und`, `mis` and `zxx` name no language.
 */
export function languageTag(text: string | undefined): string | undefined {
  if (text === undefined || text.length > LONGEST_TAG) return undefined
  try {
    const [tag] = Intl.getCanonicalLocales(text.trim().replaceAll('_', '-'))
    return tag === undefined || NO_LANGUAGE.test(tag) ? undefined : tag
  } catch {
    return undefined
  }
}

/** Writing direction of a language tag: its script subtag decides, else its primary subtag. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  const subtags = language.toLowerCase().split(/[-_]/)
  const script = subtags.slice(1).find((subtag) => /^[a-z]{4}$/.test(subtag))
  return (script === undefined ? RTL_LANGUAGES.has(subtags[0] ?? '') : RTL_SCRIPTS.has(script))
    ? 'rtl'
    : 'ltr'
}

/** A language's name in that language, as this Node's ICU knows it; the tag itself where it does not. */
export function autonymOf(language: string): string {
  let name = autonyms.get(language)
  if (name === undefined) {
    name = readAutonym(language)
    // A tag comes from the options; the bound is for callers that make up tags.
    if (autonyms.size < 1_000) autonyms.set(language, name)
  }
  return name
}

const autonyms = new Map<string, string>()

function readAutonym(language: string): string {
  const tag = languageTag(language)
  if (tag === undefined) return language
  // English stands second so that a language without data does not get its name in the language of the machine.
  const names = new Intl.DisplayNames([tag, 'en'], { type: 'language', fallback: 'none' })
  const name = names.of(tag)
  if (name === undefined || !BEGINS_WITH_CAPITAL.test(name)) return name ?? tag
  const [first = ''] = name
  return first.toLocaleUpperCase(tag) + name.slice(first.length)
}
