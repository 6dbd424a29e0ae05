/** Documents held against schemas (libxml2) and read by an independent parser (xmldom). */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { DOMParser, type Document, type Node, onWarningStopParsing } from '@xmldom/xmldom'
import { RelaxNGValidator, XmlDocument, XmlValidateError, XsdValidator } from 'libxml2-wasm'
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs'

xmlRegisterFsInputProviders() // without it no xs:import can be loaded

const require = createRequire(import.meta.url)
const own = join(dirname(fileURLToPath(import.meta.url)), 'schema')
// sitemap@4.0.2 is the last release that ships the public schemas.
const published = join(dirname(require.resolve('sitemap-xsd/package.json')), 'schema')

const urlsetSchema = [
  ['http://www.sitemaps.org/schemas/sitemap/0.9', join(published, 'sitemap.xsd')],
  ['http://www.google.com/schemas/sitemap-image/1.1', join(published, 'sitemap-image.xsd')],
  ['http://www.google.com/schemas/sitemap-video/1.1', join(published, 'sitemap-video.xsd')],
  ['http://www.google.com/schemas/sitemap-news/0.9', join(published, 'sitemap-news.xsd')],
  ['http://www.google.com/schemas/sitemap-mobile/1.0', join(published, 'sitemap-mobile.xsd')],
  ['http://www.w3.org/1999/xhtml', join(own, 'xhtml-link.xsd')],
  ['https://example.com/ns/shop', join(own, 'shop.xsd')],
].map(
  ([namespace, file = '']) => `<xs:import namespace="${namespace}" schemaLocation="${pathToFileURL(file)}"/>`,
)

const urlset = validator(() =>
  schema(
    `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">${urlsetSchema.join('')}</xs:schema>`,
    XsdValidator,
  ),
)
const index = validator(() => schema(readFileSync(join(own, 'siteindex.xsd')), XsdValidator))
const rss = validator(() => schema(readFileSync(join(own, 'rss-ror.rng')), RelaxNGValidator))

/** What the public schemas find wrong with a urlset, `line: message` each; empty where it is valid. Throws where it is not well-formed. */
export function urlsetErrors(xml: string | Uint8Array): string[] {
  return urlset(xml)
}

/** As {@link urlsetErrors} for a sitemapindex, by a schema of ours that is stricter than the public one. */
export function indexErrors(xml: string | Uint8Array): string[] {
  return index(xml)
}

/** As {@link urlsetErrors} for RSS 2.0 with ROR, by a grammar of ours. */
export function rssErrors(xml: string | Uint8Array): string[] {
  return rss(xml)
}

/** The document as xmldom reads it. Throws at anything that XML 1.0 forbids: xmldom lets control characters and bare ampersands pass (measured), libxml2 does not. */
export function parseXml(text: string): Document {
  if (!text.isWellFormed()) throw new TypeError('the document holds a lone surrogate')
  XmlDocument.fromString(text).dispose()
  return new DOMParser({
    onError: (_level, message) => {
      // U+FFFD is a character like others; it is what a lone surrogate is mended to.
      if (!message.startsWith('Unicode replacement character')) onWarningStopParsing()
    },
    // xmldom's own takes the line ends of XML 1.1.
    normalizeLineEndings: (source) => source.replace(/\r\n?/g, '\n'),
  }).parseFromString(text, 'text/xml')
}

const NAMESPACES = {
  sm: 'http://www.sitemaps.org/schemas/sitemap/0.9',
  image: 'http://www.google.com/schemas/sitemap-image/1.1',
  video: 'http://www.google.com/schemas/sitemap-video/1.1',
  news: 'http://www.google.com/schemas/sitemap-news/0.9',
  xhtml: 'http://www.w3.org/1999/xhtml',
  shop: 'https://example.com/ns/shop',
  atom: 'http://www.w3.org/2005/Atom',
  ror: 'http://rorweb.com/0.1/',
  dc: 'http://purl.org/dc/elements/1.1/',
  content: 'http://purl.org/rss/1.0/modules/content/',
}

// The types of `xpath` would bring those of a browser into every file.
const evaluate = (
  require('xpath') as {
    useNamespaces(namespaces: Record<string, string>): (xpath: string, node: Node) => unknown
  }
).useNamespaces(NAMESPACES)

/** Nodes that an XPath names, in document order. Prefixes: sm (urlset and sitemapindex), image, video, news, xhtml, shop, atom, ror, dc, content. */
export function select(node: Node, xpath: string): Node[] {
  const found = evaluate(xpath, node)
  if (!Array.isArray(found)) throw new TypeError(`${xpath} names no nodes but ${String(found)}`)
  return found as Node[]
}

/** Text of the nodes that an XPath names: an attribute's value, an element's text. */
export function texts(node: Node, xpath: string): string[] {
  return select(node, xpath).map((found) => found.nodeValue ?? found.textContent ?? '')
}

interface Validator {
  validate(document: XmlDocument): void
}

function schema(text: string | Uint8Array, kind: { fromDoc(document: XmlDocument): Validator }): Validator {
  const document = read(text)
  try {
    return kind.fromDoc(document)
  } finally {
    document.dispose()
  }
}

/** A validator made at its first use: the schemas take a while to read. */
function validator(make: () => Validator): (xml: string | Uint8Array) => string[] {
  let made: Validator | undefined
  return (xml) => {
    made ??= make()
    const document = read(xml)
    try {
      made.validate(document)
      return []
    } catch (error) {
      if (error instanceof XmlValidateError)
        return error.details.map((detail) => `${detail.line}: ${detail.message.trim()}`)
      throw error
    } finally {
      document.dispose()
    }
  }
}

function read(xml: string | Uint8Array): XmlDocument {
  return typeof xml === 'string' ? XmlDocument.fromString(xml) : XmlDocument.fromBuffer(xml)
}
