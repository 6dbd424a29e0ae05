import {
  FIRST_OWN_NAMESPACE,
  IMAGE_NAMESPACE,
  NEWS_NAMESPACE,
  VIDEO_NAMESPACE,
  XHTML_NAMESPACE,
} from './urlset.ts'
import { cleanText, escapeAttribute } from './xml.ts'

/** What stands before and after the children of a document's root. */
export interface Frame {
  /** XML declaration, stylesheet instruction where there is one, and start tag, each with its newline. */
  readonly head: string
  /** End tag with its newline. */
  readonly tail: string
}

/** What a site says of all its sitemap documents. */
export interface FrameSettings {
  /** Namespaces of the site's own by prefix, in the order that decides their bits (formats/urlset.ts). */
  readonly namespaces: readonly (readonly [prefix: string, uri: string])[]
  /** Public path of a CSS stylesheet (SPEC B10, B11). */
  readonly stylesheet: string | undefined
}

/** Frames of the two sitemap documents; equal arguments give the same object. */
export interface Frames {
  /** Declares the namespaces whose bits are set, and no other (SPEC section 2). */
  urlset(namespaces: number): Frame
  index(): Frame
}

type Builder = typeof import('xmlbuilder2')

const XMLNS = 'http://www.w3.org/2000/xmlns/'
const SITEMAP = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** SPEC E1 to E4, in this order in every document. */
const STANDARD = [
  [IMAGE_NAMESPACE, 'image', 'http://www.google.com/schemas/sitemap-image/1.1'],
  [VIDEO_NAMESPACE, 'video', 'http://www.google.com/schemas/sitemap-video/1.1'],
  [NEWS_NAMESPACE, 'news', 'http://www.google.com/schemas/sitemap-news/0.9'],
  [XHTML_NAMESPACE, 'xhtml', 'http://www.w3.org/1999/xhtml'],
] as const

/** The frames of one site. xmlbuilder2 takes 106 ms and 13 MB to import (measured), so only a document asks for it. */
export async function loadFrames(settings: FrameSettings): Promise<Frames> {
  return makeFrames(await loadBuilder(), settings)
}

/** xmlbuilder2, imported when first needed. */
export function loadBuilder(): Promise<Builder> {
  return import('xmlbuilder2')
}

function makeFrames({ create }: Builder, { namespaces, stylesheet }: FrameSettings): Frames {
  const declared = [
    ...STANDARD,
    ...namespaces.map(([prefix, uri], i) => [FIRST_OWN_NAMESPACE << i, prefix, uri] as const),
  ]
  const make = (root: string, bits: number): Frame => {
    const document = create({ version: '1.0', encoding: 'UTF-8' })
    // xmlbuilder2 4.0.3 lets `&word;` and `&#n;` through as they are (measured): it gets text that is escaped already.
    if (stylesheet !== undefined)
      document.ins('xml-stylesheet', `type="text/css" href="${escapeAttribute(cleanText(stylesheet))}"`)
    const element = document.ele(SITEMAP, root)
    for (const [bit, prefix, uri] of declared)
      if ((bits & bit) !== 0) element.att(XMLNS, `xmlns:${prefix}`, escapeAttribute(cleanText(uri)))
    return cut(document.end({ allowEmptyTags: true }), root)
  }
  const urlsets = new Map<number, Frame>()
  let indexFrame: Frame | undefined
  return {
    urlset(bits) {
      const made = urlsets.get(bits) ?? make('urlset', bits)
      urlsets.set(bits, made)
      return made
    },
    index() {
      indexFrame ??= make('sitemapindex', 0)
      return indexFrame
    },
  }
}

/** An empty document parted at the place of its children. */
function cut(built: string, root: string): Frame {
  const tail = `</${root}>`
  const start = built.indexOf(`<${root}`)
  // Declaration and instruction each end so, and `>` is escaped inside of them.
  const prolog = built.slice(0, start).replaceAll('?>', '?>\n')
  return { head: `${prolog}${built.slice(start, built.length - tail.length)}\n`, tail: `${tail}\n` }
}
