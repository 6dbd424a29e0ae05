import { directiveWords } from './words.ts'

/** A class of the Robot Exclusion Profile (SPEC H20 to H23). */
export type RobotsClass =
  | 'robots-nofollow'
  | 'robots-follow'
  | 'robots-noindex'
  | 'robots-noanchortext'
  | 'robots-anchortext'
  | 'robots-index'
  | 'robots-noarchive'
  | 'robots-archive'

/** The eight classes in the order in which S4 defines them (SPEC H34). */
export const PROFILE_CLASSES: readonly RobotsClass[] = [
  'robots-nofollow',
  'robots-follow',
  'robots-noindex',
  'robots-noanchortext',
  'robots-anchortext',
  'robots-index',
  'robots-noarchive',
  'robots-archive',
]

/** What the classes speak about; each is a matter of its own (SPEC H36). */
export type Matter = 'follow' | 'index' | 'archive' | 'anchortext'

/** Attributes for an element, by their names in HTML; what does not apply is not there. */
export interface RobotsAttributes {
  /** Classes of the profile with spaces between, in the profile's order; empty where the directives name none. */
  readonly class: string
  /** The twin that engines read, for a link: there with `nofollow` and `noanchortext`. */
  readonly rel?: 'nofollow'
  /** The twin that engines read, for `span`, `div` and `section`: there with `noindex`. */
  readonly 'data-nosnippet'?: ''
}

/**
 * Attributes that say of one element what meta robots says of a page: `nofollow`, `noindex`, `noarchive`,
 * `noanchortext`, `none` (noindex and nofollow) and their opposites `follow`, `index`, `archive`, `anchortext`. A text
 * or a list, in any case; other words are ignored, and so is a word beside its opposite, for the restricting one wins
 * (SPEC H35).
 *
 * @example robotsClasses('noindex, nofollow') // { class: 'robots-nofollow robots-noindex', rel: 'nofollow', 'data-nosnippet': '' }
 */
export function robotsClasses(directives: string | readonly string[] | null | undefined): RobotsAttributes {
  const words = directiveWords(directives)
  const says = (matter: Matter): boolean => words.has(matter) && !words.has(`no${matter}`)
  const classes = PROFILE_CLASSES.filter((name) => {
    const word = name.slice('robots-'.length)
    return word.startsWith('no') ? words.has(word) : says(word as Matter)
  })
  return {
    class: classes.join(' '),
    ...(words.has('nofollow') || words.has('noanchortext') ? { rel: 'nofollow' } : {}),
    ...(words.has('noindex') ? { 'data-nosnippet': '' } : {}),
  }
}
