import { FIRST_OWN_NAMESPACE } from '../formats/urlset.ts'
import { cleanText } from '../formats/xml.ts'
import type { CheckedElement } from './checked.ts'
import { cutAt, type Dropped, LONGEST_TEXT, partsOf } from './fields.ts'

/** Elements of declared namespaces, and the bits of the namespaces they use. */
export interface Extensions {
  readonly elements: readonly CheckedElement[]
  readonly namespaces: number
}

export const NO_EXTENSIONS: Extensions = Object.freeze({ elements: Object.freeze([]), namespaces: 0 })

const MOST_ELEMENTS = 1_000
const DEEPEST = 20
const MOST_ATTRIBUTES = 100
const LONGEST_NAME = 200
/** A name of XML in ASCII letters. */
const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/

interface Namespace {
  readonly uri: string
  readonly bit: number
}

/**
 * Makes the reader of an entry's extension elements: names valid and of declared prefixes, texts clean, at most 1,000
 * elements an entry, 20 deep. What cannot be used is left out and reported, an element with all it holds.
 */
export function createExtensionsReader(
  declared: readonly (readonly [prefix: string, uri: string])[],
  dropped: Dropped,
): (value: unknown, loc: string) => Extensions {
  const namespaces = new Map<string, Namespace>(
    declared.map(([prefix, uri], i) => [prefix, { uri, bit: FIRST_OWN_NAMESPACE << i }]),
  )

  function extensionsOf(value: unknown, loc: string): Extensions {
    if (value === undefined || value === null) return NO_EXTENSIONS
    let left = MOST_ELEMENTS

    function elementsOf(given: unknown, depth: number): readonly CheckedElement[] {
      if (given === undefined || given === null) return []
      if (depth > DEEPEST) {
        drop(`extension elements deeper than ${DEEPEST}`)
        return []
      }
      const elements: CheckedElement[] = []
      for (const member of Array.isArray(given) ? (given as readonly unknown[]) : [given]) {
        if (member === undefined || member === null) continue
        // Those that cannot be used count too: one list may stand in many elements.
        if (left === 0) {
          drop('extension elements beyond 1,000')
          break
        }
        left--
        const element = elementOf(member, depth)
        if (element !== undefined) elements.push(element)
      }
      return elements
    }

    function elementOf(member: unknown, depth: number): CheckedElement | undefined {
      try {
        const raw = partsOf(member)
        const { name } = raw ?? {}
        const namespace = typeof name === 'string' ? namespaceOf(name) : undefined
        if (raw === undefined || typeof name !== 'string' || namespace === undefined)
          return drop('extension name is not a prefix of the option namespaces and a name, as in shop:price')
        return {
          name,
          attributes: attributesOf(raw.attributes),
          text: contentOf(raw.text),
          children: elementsOf(raw.children, depth + 1),
        }
      } catch {
        return drop('extension cannot be read')
      }
    }

    function attributesOf(given: unknown): CheckedElement['attributes'] {
      if (given === undefined || given === null) return []
      const raw = Array.isArray(given) ? undefined : partsOf(given)
      if (raw === undefined) {
        drop('extension attributes are not { name: value }')
        return []
      }
      const attributes: (readonly [string, string])[] = []
      /** Two prefixes of one namespace make one name (XML Names §6.3). */
      const seen = new Set<string>()
      for (const name of Object.keys(raw)) {
        const value = scalarOf(raw[name], 'extension attribute')
        if (value === undefined) continue
        const expanded = expandedNameOf(name)
        if (expanded === undefined || (name === 'xml:space' && !/^(default|preserve)$/.test(value))) {
          drop('extension attribute has a name that is none, or of no declared prefix')
          continue
        }
        if (seen.has(expanded)) {
          drop('extension attribute stands twice')
          continue
        }
        if (attributes.length === MOST_ATTRIBUTES) {
          drop(`extension attributes beyond ${MOST_ATTRIBUTES}`)
          break
        }
        seen.add(expanded)
        attributes.push([name, value])
      }
      return attributes
    }

    function contentOf(given: unknown): string | undefined {
      const text = scalarOf(given, 'extension text')
      // One entry is one line of its document.
      return text === undefined || text === '' ? undefined : text.replace(/\r\n?|\n/g, ' ')
    }

    function scalarOf(given: unknown, what: string): string | undefined {
      if (given === undefined || given === null) return undefined
      if (typeof given === 'string') {
        if (given.length <= LONGEST_TEXT) return cleanText(given)
        drop(`${what} is longer than ${LONGEST_TEXT} characters and was cut`)
        return cleanText(cutAt(given, LONGEST_TEXT))
      }
      const isPlain = typeof given === 'boolean' || typeof given === 'bigint' || Number.isFinite(given)
      if (isPlain) return String(given)
      return drop(`${what} is neither text, number, true nor false`)
    }

    function drop(reason: string): undefined {
      dropped('extensions', reason, loc)
    }

    const elements = elementsOf(value, 1)
    return elements.length === 0 ? NO_EXTENSIONS : { elements, namespaces: bitsOf(elements) }
  }

  /** The namespace of a prefixed name whose parts are names. */
  function namespaceOf(name: string): Namespace | undefined {
    const colon = name.indexOf(':')
    if (colon === -1 || name.length > LONGEST_NAME || !NAME.test(name.slice(colon + 1))) return undefined
    return namespaces.get(name.slice(0, colon))
  }

  /** What tells attributes of one element apart; undefined where the name may not stand. */
  function expandedNameOf(name: string): string | undefined {
    if (name === 'xml:lang' || name === 'xml:space') return name
    if (name.includes(':')) {
      const namespace = namespaceOf(name)
      return namespace === undefined ? undefined : `${namespace.uri} ${name.slice(name.indexOf(':') + 1)}`
    }
    return NAME.test(name) && name !== 'xmlns' && name.length <= LONGEST_NAME ? name : undefined
  }

  /** Bits of the namespaces that elements and their attributes use. */
  function bitsOf(elements: readonly CheckedElement[]): number {
    let bits = 0
    for (const { name, attributes, children } of elements) {
      bits |= (namespaceOf(name)?.bit ?? 0) | bitsOf(children)
      for (const [attribute] of attributes) bits |= namespaceOf(attribute)?.bit ?? 0
    }
    return bits
  }

  return extensionsOf
}
