import { type OpenElement, readPage } from './elements.ts'
import { createPageFacts, hasWord, type ProfileOptions } from './page.ts'
import { BITS } from './speech.ts'

/** A link of a page, `a` or `area`. */
export interface ProfileLink {
  /** As it is written, without white space around it: not resolved. */
  readonly href: string
  /** Its text in one line, the alternative text of images included. */
  readonly text: string
  /** False by a class, by `rel="nofollow"` or by the page's meta robots (SPEC H20, H39, H38). */
  readonly follow: boolean
  /** False where the target is not to be indexed under this text (SPEC H23). */
  readonly anchortext: boolean
  /** False where the link stands in a part that is no content of the page (SPEC H21). */
  readonly index: boolean
}

/** What a page says to robots. */
export interface RobotsProfile {
  /** The page names the profile, or the caller vouches for it: the classes count (SPEC H31). */
  readonly declared: boolean
  /** URI by which the page names the profile. */
  readonly uri: string | undefined
  /** What its meta elements say of the whole page, and what remains allowed. */
  readonly page: {
    /** Words in lower case, in the order of the page, each once. */
    readonly directives: readonly string[]
    readonly index: boolean
    readonly follow: boolean
    readonly archive: boolean
    readonly snippet: boolean
  }
  readonly links: readonly ProfileLink[]
  readonly counts: {
    readonly links: number
    /** Links that are not to be followed. */
    readonly nofollow: number
    /** Links whose text is not to be used. */
    readonly noanchortext: number
    /** Elements that carry `robots-noindex`. */
    readonly noindex: number
    /** Elements that carry `robots-noarchive`. */
    readonly noarchive: number
  }
}

interface LinkDraft {
  readonly href: string
  readonly no: number
  readonly isNofollow: boolean
  readonly texts: string[]
}

/** What an HTML document says by the Robot Exclusion Profile and by meta robots (SPEC 7.2, 7.3). Never throws. */
export function readRobotsProfile(html: string, options: ProfileOptions = {}): RobotsProfile {
  const facts = createPageFacts(options)
  const drafts = new Map<OpenElement, LinkDraft>()
  let noindex = 0
  let noarchive = 0

  readPage(html, {
    opened(element, tag) {
      facts.see(element, tag)
      const { name, link, no, speech, isInert } = element
      if (isInert) return
      if (speech.no & BITS.index) noindex++
      if (speech.no & BITS.archive) noarchive++
      const value = (attribute: string): string | undefined => tag.attributes.get(attribute)?.value
      const href = value('href')
      if (href !== undefined && (name === 'a' || name === 'area')) {
        const texts = name === 'area' ? [value('alt') ?? ''] : []
        drafts.set(element, { href: href.trim(), no, isNofollow: hasWord(value('rel'), 'nofollow'), texts })
      } else if (name === 'img' && link !== undefined) {
        drafts.get(link)?.texts.push(value('alt') ?? '')
      }
    },
    text(parent, _start, _end, value, isSeen) {
      if (isSeen && parent?.link !== undefined) drafts.get(parent.link)?.texts.push(value)
    },
    placed() {},
    closed() {},
    other() {},
    unfinished() {},
  })

  const declared = facts.isProfiled()
  const words = facts.directives()
  const page = {
    directives: [...words],
    index: !words.has('noindex'),
    follow: !words.has('nofollow'),
    archive: !(words.has('noarchive') || words.has('nocache')),
    snippet: !(words.has('nosnippet') || words.has('max-snippet:0')),
  }
  const links = [...drafts.values()].map(({ href, no, isNofollow, texts }): ProfileLink => {
    const allowed = (bit: number): boolean => !declared || (no & bit) === 0
    return {
      href,
      text: texts
        .join('')
        .replace(/[\t\n\f\r ]+/g, ' ')
        .replace(/^ | $/g, ''),
      follow: page.follow && !isNofollow && allowed(BITS.follow),
      anchortext: allowed(BITS.anchortext),
      index: page.index && allowed(BITS.index),
    }
  })
  return {
    declared,
    uri: facts.uri(),
    page,
    links,
    counts: {
      links: links.length,
      nofollow: links.filter(({ follow }) => !follow).length,
      noanchortext: links.filter(({ anchortext }) => !anchortext).length,
      noindex: declared ? noindex : 0,
      noarchive: declared ? noarchive : 0,
    },
  }
}
