/**
 * Kinds of elements, as the HTML standard's section on tree construction has them. Names of foreign elements begin with
 * `svg/` or `math/`: no name of a tag holds a slash.
 */

type Names = ReadonlySet<string>

const names = (text: string): Names => new Set(text.split(' '))

const INTEGRATION_NAMES =
  'svg/foreignobject svg/desc svg/title math/mi math/mo math/mn math/ms math/mtext math/annotation-xml'

/** Have no end tag and no content. */
export const VOID: Names = names(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
)
/** Hold text up to their own end tag. */
export const RAW_TEXT: Names = names('iframe noembed noframes plaintext script style textarea title xmp')
/** Text in them is not text of the page. */
export const UNSEEN_TEXT: Names = names('iframe noembed noframes script style title')
/** May stand in the head. */
export const HEAD_CONTENT: Names = names('base basefont bgsound link meta noframes title')
/** May stand in the head and anywhere in a table. */
export const STAYS_IN_TABLE: Names = names('script style template')
/** Continue where a block cut them off. */
export const FORMATTING: Names = names('a b big code em font i nobr s small strike strong tt u')
export const HEADINGS: Names = names('h1 h2 h3 h4 h5 h6')
/** Their end tags close what is open inside them. */
export const BLOCKS: Names = names(
  'address article aside blockquote button center details dialog dir div dl fieldset figcaption figure footer header hgroup listing main menu nav ol pre search section select summary ul',
)
/** Their start tags end a paragraph. */
export const ENDS_PARAGRAPH: Names = names(
  'address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp',
)
/** Begin with no formatting of before, though they end no paragraph. */
export const BARE: Names = names('param source track textarea rb rp rt rtc')
/** Have end tags that may be left out. */
export const IMPLIED_END: Names = names('dd dt li optgroup option p rb rp rt rtc')
/** Formatting does not go in or out of them. */
export const FORMATTING_BOUNDS: Names = names('applet caption marquee object td template th')
export const TABLE_PARTS: Names = names('caption col colgroup tbody td tfoot th thead tr')
/** Hold no text of their own: it goes before the table. */
export const TABLE_STRUCTURE: Names = names('table tbody tfoot thead tr')
export const TABLE_SECTIONS: Names = names('tbody tfoot thead')

/** "Special": an end tag of another name does not close them. */
export const SPECIAL: Names = names(
  `address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre script search section select source style summary table tbody td template textarea tfoot th thead title tr track ul wbr xmp ${INTEGRATION_NAMES}`,
)

/** Foreign elements whose content is HTML. */
export const HTML_INTEGRATION: Names = names('svg/foreignobject svg/desc svg/title')
/** Foreign elements whose text is HTML. */
export const TEXT_INTEGRATION: Names = names('math/mi math/mo math/mn math/ms math/mtext')
/** HTML that ends SVG and MathML around it. */
export const ENDS_FOREIGN: Names = names(
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
)

const SCOPE: Names = names(`applet caption html marquee object table td template th ${INTEGRATION_NAMES}`)

/** Kinds of elements that end a search among the open ones: end tags do not reach out of them. */
export const Bound = {
  scope: 0,
  button: 1,
  list: 2,
  table: 3,
  special: 4,
  /** For a list item that ends the one before it. */
  item: 5,
  /** What says where in a table we are. */
  tableContext: 6,
  /** No foreign one. */
  html: 7,
} as const

/** How many there are. */
export const BOUNDS = 8

const KINDS: readonly Names[] = [
  SCOPE,
  new Set([...SCOPE, 'button']),
  new Set([...SCOPE, 'ol', 'ul']),
  names('html table template'),
  SPECIAL,
  new Set([...SPECIAL].filter((name) => name !== 'address' && name !== 'div' && name !== 'p')),
  new Set([...TABLE_PARTS, 'table', 'template']),
]

const BITS_OF: ReadonlyMap<string, number> = new Map(
  [...SPECIAL].map((name) => [
    name,
    KINDS.reduce((bits, kind, index) => (kind.has(name) ? bits | (1 << index) : bits), 0),
  ]),
)

/** Bits of the kinds that an element is of. */
export function boundsOf(name: string): number {
  return (BITS_OF.get(name) ?? 0) | (name.includes('/') ? 0 : 1 << Bound.html)
}
