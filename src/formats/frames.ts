/** What stands before and after the children of a document's root. */
export interface Frame {
  /** XML declaration and start tag, each with its newline. */
  readonly head: string
  /** End tag with its newline. */
  readonly tail: string
}

/** Extension namespaces that a urlset uses; only these are declared (SPEC section 2). */
export interface UrlsetNamespaces {
  /** Some `<url>` has an `image:image` (SPEC E1). */
  readonly image: boolean
  /** Some `<url>` has an `xhtml:link` (SPEC E4). */
  readonly xhtml: boolean
}

/** Frames of the two sitemap documents; equal arguments give the same object. */
export interface Frames {
  readonly urlsetFrame: (namespaces: UrlsetNamespaces) => Frame
  readonly indexFrame: () => Frame
}

type Builder = typeof import('xmlbuilder2')

const XMLNS = 'http://www.w3.org/2000/xmlns/'
const SITEMAP = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const IMAGE = 'http://www.google.com/schemas/sitemap-image/1.1'
const XHTML = 'http://www.w3.org/1999/xhtml'

let loading: Promise<Frames> | undefined

/** The frames, made once per process. xmlbuilder2 takes 106 ms and 13 MB to import (measured), so only a document asks for it. */
export function loadFrames(): Promise<Frames> {
  loading ??= loadBuilder().then(makeFrames, (error: unknown) => {
    // An import that failed for want of a file handle may succeed for the next document.
    loading = undefined
    throw error
  })
  return loading
}

/** xmlbuilder2, imported when first needed. */
export function loadBuilder(): Promise<Builder> {
  return import('xmlbuilder2')
}

function makeFrames({ create }: Builder): Frames {
  const made = new Map<string, Frame>()
  const frame = (
    root: string,
    extensions: readonly (readonly [prefix: string, namespace: string])[],
  ): Frame => {
    const key = [root, ...extensions.map(([prefix]) => prefix)].join(' ')
    const known = made.get(key)
    if (known) return known
    const element = create({ version: '1.0', encoding: 'UTF-8' }).ele(SITEMAP, root)
    for (const [prefix, namespace] of extensions) element.att(XMLNS, `xmlns:${prefix}`, namespace)
    const fresh = cut(element.doc().end({ allowEmptyTags: true }), root)
    made.set(key, fresh)
    return fresh
  }
  return {
    urlsetFrame: ({ image, xhtml }) =>
      frame('urlset', [
        ...(image ? ([['image', IMAGE]] as const) : []),
        ...(xhtml ? ([['xhtml', XHTML]] as const) : []),
      ]),
    indexFrame: () => frame('sitemapindex', []),
  }
}

/** An empty document parted at the place of its children. */
function cut(built: string, root: string): Frame {
  const tail = `</${root}>`
  const start = built.indexOf(`<${root}`)
  return {
    head: `${built.slice(0, start)}\n${built.slice(start, built.length - tail.length)}\n`,
    tail: `${tail}\n`,
  }
}
