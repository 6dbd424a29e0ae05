import type { OpenElement } from './elements.ts'
import type { StartTag } from './tokens.ts'
import { directiveWords } from './words.ts'

/** How a page is read. */
export interface ProfileOptions {
  /**
   * URIs that name the profile, beside those whose path ends with `robots-profile`. `true`: the classes count whatever
   * the page says, for instance in a piece of a page; `false`: they do not.
   */
  readonly profile?: boolean | string | readonly string[]
  /** A robot whose own meta element counts beside `robots`, such as `googlebot`. */
  readonly agent?: string
}

/** What a page says about the whole of itself. */
export interface PageFacts {
  /** Takes the elements of the page as they come. */
  see(element: OpenElement, tag: StartTag): void
  /** The classes count. */
  isProfiled(): boolean
  /** The first URI by which the page names the profile. */
  uri(): string | undefined
  /** Words of all meta elements together: the restricting one wins where they differ (SPEC H53). */
  directives(): ReadonlySet<string>
}

/** Reads what stands about the page in its head, or wherever it stands (SPEC H31, H32, H38, H54). */
export function createPageFacts({ profile, agent }: ProfileOptions): PageFacts {
  const known = new Set(
    (typeof profile === 'string' ? [profile] : Array.isArray(profile) ? profile : []).map(
      withoutEmptyFragment,
    ),
  )
  const contents: string[] = []
  let found: string | undefined

  function declare(uris: string | undefined): void {
    if (found !== undefined) return
    found = wordsOf(uris).find((uri) => known.has(withoutEmptyFragment(uri)) || isProfile(uri))
  }

  return {
    see(element, { attributes }) {
      if (element.isInert) return
      const value = (name: string): string | undefined => attributes.get(name)?.value
      if (element.name === 'head') declare(value('profile'))
      else if (element.name === 'link' && hasWord(value('rel'), 'profile')) declare(value('href'))
      else if (element.name === 'meta') {
        const name = value('name')?.trim().toLowerCase()
        if (name === 'robots' || (name !== undefined && name === agent?.toLowerCase()))
          contents.push(value('content') ?? '')
      }
    },
    isProfiled: () => (typeof profile === 'boolean' ? profile : found !== undefined),
    uri: () => found,
    directives: () => directiveWords(contents),
  }
}

/** False for a page without any word that this folder reads; spares the parser. */
export function mentionsRobots(html: string, { agent }: ProfileOptions): boolean {
  return /robots/i.test(html) || (agent !== undefined && html.toLowerCase().includes(agent.toLowerCase()))
}

/** A list of words as HTML has them. True where `word` is one, in any case. */
export function hasWord(list: string | undefined, word: string): boolean {
  return wordsOf(list).some((one) => one.toLowerCase() === word)
}

function wordsOf(list: string | undefined): string[] {
  return list?.split(/[\t\n\f\r ]+/).filter((word) => word !== '') ?? []
}

/** S4's own URI, ours, and any other whose path ends with the profile's name. */
function isProfile(uri: string): boolean {
  const [path = ''] = uri.split(/[?#]/, 1)
  return path === 'robots-profile' || path.endsWith('/robots-profile')
}

/** S4 ends the URI with `#`, so that a class name can follow. */
function withoutEmptyFragment(uri: string): string {
  return uri.endsWith('#') ? uri.slice(0, -1) : uri
}
