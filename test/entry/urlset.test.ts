import { DOMImplementation, type Document, type Element, XMLSerializer } from '@xmldom/xmldom'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CheckedElement, CheckedEntry, CheckedNews, CheckedVideo } from '../../src/entry/checked.ts'
import { loadFrames } from '../../src/formats/frames.ts'
import {
  FIRST_OWN_NAMESPACE,
  IMAGE_NAMESPACE,
  NEWS_NAMESPACE,
  namespacesOf,
  renderNewsUrl,
  renderUrl,
  urlBytes,
  VIDEO_NAMESPACE,
  withoutNews,
  XHTML_NAMESPACE,
} from '../../src/formats/urlset.ts'
import { parseXml, urlsetErrors } from '../support/xsd.ts'
import { anyFields } from './any-entry.ts'
import { createCheck, taken } from './create-check.ts'

const SHOP = 'https://example.com/ns/shop'
const rules = { scope: 'off', namespaces: [['shop', SHOP]] } as const
const { check } = createCheck(rules)

const anyEntry = anyFields.map((fields) => check(fields)).filter((entry) => entry !== undefined)

const SITEMAP = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const IMAGE = 'http://www.google.com/schemas/sitemap-image/1.1'
const VIDEO = 'http://www.google.com/schemas/sitemap-video/1.1'
const NEWS = 'http://www.google.com/schemas/sitemap-news/0.9'
const XHTML = 'http://www.w3.org/1999/xhtml'
const XMLNS = 'http://www.w3.org/2000/xmlns/'

// SPEC U11 wants quotes escaped everywhere, which no serializer does: they pass through it as marks.
const MARKS = [
  ['"', '\uE000', '&quot;'],
  ["'", '\uE001', '&apos;'],
] as const

function marked(text: string): string {
  return MARKS.reduce((all, [quote, mark]) => all.replaceAll(quote, mark), text)
}

type Attributes = Readonly<Record<string, string | number | undefined>>

/** Adds children to an element; one without text is left out, one with null is empty. */
interface Writer {
  add(name: string, text: string | number | null | undefined, attributes?: Attributes): Writer
}

function writer(
  element: Element,
  namespaceOf: (name: string) => string,
  mark: (text: string) => string,
): Writer {
  const document = element.ownerDocument as Document
  return {
    add(name, text, attributes = {}) {
      const child = document.createElementNS(namespaceOf(name), name)
      for (const [key, value] of Object.entries(attributes))
        if (value !== undefined) child.setAttribute(key, mark(String(value)))
      if (typeof text === 'string' || typeof text === 'number')
        child.appendChild(document.createTextNode(mark(String(text))))
      if (text !== undefined) element.appendChild(child)
      return writer(child, namespaceOf, mark)
    },
  }
}

/** The document of the entries as a tree, in the order of the schemas, made without any writer of ours. */
function treeOf(entries: readonly CheckedEntry[], mark: (text: string) => string = (text) => text): Element {
  const document = new DOMImplementation().createDocument(SITEMAP, 'urlset', null)
  const root = document.documentElement as Element
  const prefixes = new Map(
    Object.entries({ image: IMAGE, video: VIDEO, news: NEWS, xhtml: XHTML, shop: SHOP }),
  )
  for (const [prefix, uri] of prefixes) root.setAttributeNS(XMLNS, `xmlns:${prefix}`, uri)
  const namespaceOf = (name: string): string => prefixes.get(name.split(':')[0] ?? '') ?? SITEMAP
  for (const entry of entries) addEntry(writer(root, namespaceOf, mark).add('url', null), entry)
  return root
}

function addEntry(url: Writer, entry: CheckedEntry): void {
  url.add('loc', entry.loc)
  url.add('lastmod', entry.lastmod?.text)
  url.add('changefreq', entry.changefreq)
  url.add('priority', entry.priority)
  for (const image of entry.images) {
    const element = url.add('image:image', null)
    element.add('image:loc', image.loc)
    element.add('image:caption', image.caption)
    element.add('image:geo_location', image.geoLocation)
    element.add('image:title', image.title)
    element.add('image:license', image.license)
  }
  for (const video of entry.videos) addVideo(url.add('video:video', null), video)
  if (entry.news !== undefined) addNews(url.add('news:news', null), entry.news)
  for (const { hreflang, href } of entry.alternates)
    url.add('xhtml:link', null, { rel: 'alternate', hreflang, href })
  addElements(url, entry.extensions)
}

function addVideo(element: Writer, video: CheckedVideo): void {
  const { playerLoc, restriction, galleryLoc, uploader, tvshow, platform } = video
  element.add('video:thumbnail_loc', video.thumbnailLoc)
  element.add('video:title', video.title)
  element.add('video:description', video.description)
  element.add('video:content_loc', video.contentLoc)
  element.add('video:player_loc', playerLoc?.loc, {
    allow_embed: playerLoc?.allowEmbed,
    autoplay: playerLoc?.autoplay,
  })
  element.add('video:duration', video.duration)
  element.add('video:expiration_date', video.expirationDate?.text)
  element.add('video:rating', video.rating)
  for (const { loc, duration } of video.contentSegmentLoc)
    element.add('video:content_segment_loc', loc, { duration })
  element.add('video:view_count', video.viewCount)
  element.add('video:publication_date', video.publicationDate?.text)
  for (const tag of video.tags) element.add('video:tag', tag)
  element.add('video:category', video.category)
  element.add('video:family_friendly', video.familyFriendly)
  element.add('video:restriction', restriction?.list, { relationship: restriction?.relationship })
  element.add('video:gallery_loc', galleryLoc?.loc, { title: galleryLoc?.title })
  for (const { value = null, currency, type, resolution } of video.prices)
    element.add('video:price', value, { currency, type, resolution })
  element.add('video:requires_subscription', video.requiresSubscription)
  element.add('video:uploader', uploader?.name, { info: uploader?.info })
  if (tvshow !== undefined) {
    const show = element.add('video:tvshow', null)
    show.add('video:show_title', tvshow.showTitle)
    show.add('video:video_type', tvshow.videoType)
    show.add('video:episode_title', tvshow.episodeTitle)
    show.add('video:season_number', tvshow.seasonNumber)
    show.add('video:episode_number', tvshow.episodeNumber)
    show.add('video:premier_date', tvshow.premierDate?.text)
  }
  element.add('video:platform', platform?.list, { relationship: platform?.relationship })
  element.add('video:live', video.live)
  for (const { type, value } of video.ids) element.add('video:id', value, { type })
}

function addNews(element: Writer, news: CheckedNews): void {
  const publication = element.add('news:publication', null)
  publication.add('news:name', news.name)
  publication.add('news:language', news.language)
  element.add('news:access', news.access)
  element.add('news:genres', news.genres)
  element.add('news:publication_date', news.publicationDate.text)
  element.add('news:title', news.title)
  element.add('news:keywords', news.keywords)
  element.add('news:stock_tickers', news.stockTickers)
}

function addElements(parent: Writer, elements: readonly CheckedElement[]): void {
  for (const { name, attributes, text = null, children } of elements)
    addElements(parent.add(name, text, Object.fromEntries(attributes)), children)
}

/** The `<url>` elements as xmldom writes them. */
function serialised(entries: readonly CheckedEntry[]): string {
  const text = new XMLSerializer().serializeToString(treeOf(entries, marked))
  // xmldom takes the namespace for HTML and never writes an empty element of it short (SPEC E70).
  const children = text
    .slice(text.indexOf('>') + 1, text.lastIndexOf('</urlset>'))
    .replaceAll('></xhtml:link>', '/>')
  return MARKS.reduce((all, [, mark, reference]) => all.replaceAll(mark, reference), children)
}

async function documentOf(entries: readonly CheckedEntry[], render = renderUrl): Promise<string> {
  const frames = await loadFrames({ namespaces: rules.namespaces, stylesheet: undefined })
  const { head, tail } = frames.urlset(entries.reduce((all, entry) => all | namespacesOf(entry), 0))
  return head + entries.map(render).join('') + tail
}

/** Names, attributes and texts below an element, as plain values; line ends between the `<url>`s left out. */
function valuesOf(element: Element): unknown {
  element.normalize()
  const content = [...element.childNodes].flatMap((node): unknown[] => {
    if (node.nodeType === node.ELEMENT_NODE) return [valuesOf(node as Element)]
    return node.nodeValue === '\n' && element.localName === 'urlset' ? [] : [node.nodeValue]
  })
  const attributes = [...element.attributes].filter(({ name }) => !name.startsWith('xmlns'))
  return [
    element.namespaceURI,
    element.localName,
    Object.fromEntries(attributes.map(({ name, value }) => [name, value])),
    content,
  ]
}

describe('one url (SPEC U4 to U8, D7, E10 to E15, E70)', () => {
  it.each([
    { name: 'only a loc', input: '/a', xml: '<loc>https://www.example.com/a</loc>' },
    {
      name: 'ampersand and apostrophe (U11)',
      input: "/a?b=1&c='",
      xml: '<loc>https://www.example.com/a?b=1&amp;c=%27</loc>',
    },
    { name: 'apostrophe of a path', input: "/it's", xml: '<loc>https://www.example.com/it&apos;s</loc>' },
    {
      name: 'percent-encoding, then escaping (L3)',
      input: '/ü&',
      xml: '<loc>https://www.example.com/%C3%BC&amp;</loc>',
    },
    {
      name: 'the order of the schema, whatever the order of the fields',
      input: { priority: 1, changefreq: 'daily', lastmod: '2026-05-10', loc: '/a' },
      xml: '<loc>https://www.example.com/a</loc><lastmod>2026-05-10</lastmod><changefreq>daily</changefreq><priority>1.0</priority>',
    },
    {
      name: 'image (E10 to E15)',
      input: {
        loc: '/a',
        images: { license: '/l', title: 'T<', geoLocation: 'G', caption: '"C"', loc: '/i.png' },
      },
      xml: '<loc>https://www.example.com/a</loc><image:image><image:loc>https://www.example.com/i.png</image:loc><image:caption>&quot;C&quot;</image:caption><image:geo_location>G</image:geo_location><image:title>T&lt;</image:title><image:license>https://www.example.com/l</image:license></image:image>',
    },
    {
      name: 'alternates last (E70, U8)',
      input: { loc: '/a', alternates: { en: '/a?x&y' }, images: ['/i.png'] },
      xml: '<loc>https://www.example.com/a</loc><image:image><image:loc>https://www.example.com/i.png</image:loc></image:image><xhtml:link rel="alternate" hreflang="en" href="https://www.example.com/a?x&amp;y"/>',
    },
    {
      name: 'extensions in one order: image, video, news, xhtml:link, elements of namespaces of ours',
      input: {
        extensions: [{ name: 'shop:price', text: '5' }],
        alternates: { en: '/a' },
        news: { title: 'N', publicationDate: '2026-05-10' },
        videos: { thumbnailLoc: '/t', title: 'V', description: 'D', contentLoc: '/v' },
        images: '/i',
        priority: 1,
        loc: '/a',
      },
      xml: '<loc>https://www.example.com/a</loc><priority>1.0</priority><image:image><image:loc>https://www.example.com/i</image:loc></image:image><video:video><video:thumbnail_loc>https://www.example.com/t</video:thumbnail_loc><video:title>V</video:title><video:description>D</video:description><video:content_loc>https://www.example.com/v</video:content_loc></video:video><news:news><news:publication><news:name>The Example Times</news:name><news:language>en</news:language></news:publication><news:publication_date>2026-05-10</news:publication_date><news:title>N</news:title></news:news><xhtml:link rel="alternate" hreflang="en" href="https://www.example.com/a"/><shop:price>5</shop:price>',
    },
    {
      name: 'title and description are not of a urlset',
      input: { loc: '/a', title: 'T', description: 'D' },
      xml: '<loc>https://www.example.com/a</loc>',
    },
  ])('$name', ({ input, xml }) => {
    expect(renderUrl(taken(input).entry)).toBe(`<url>${xml}</url>\n`)
  })
})

describe('any entry', () => {
  it('is written byte for byte as an independent serializer writes it', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { minLength: 1, maxLength: 3 }), (entries) => {
        const lines = entries.map(renderUrl)
        fc.pre(!/[\uE000\uE001]/.test(lines.join('')))
        expect(lines.map((line) => line.slice(0, -1)).join('')).toBe(serialised(entries))
      }),
      { numRuns: 300 },
    )
  })

  it('is one line, in a news file too, and weighs what its UTF-8 bytes are (U12)', () => {
    fc.assert(
      fc.property(anyEntry, (entry) => {
        const xml = renderUrl(entry)
        for (const line of [xml, renderNewsUrl(entry), withoutNews(xml)]) {
          expect(line.indexOf('\n')).toBe(line.length - 1)
          expect(line).not.toContain('\r')
        }
        expect(urlBytes(namespacesOf(entry), xml)).toBe(Buffer.byteLength(xml))
        expect(xml.split('<news:news>')).toHaveLength(entry.news === undefined ? 1 : 2)
        expect(withoutNews(xml)).toBe(renderUrl({ ...entry, news: undefined }))
      }),
      { numRuns: 500 },
    )
  })

  it('needs the namespaces of the prefixes it holds, and no others (SPEC section 2)', () => {
    const prefixes = [
      ['image', IMAGE_NAMESPACE],
      ['xhtml', XHTML_NAMESPACE],
      ['video', VIDEO_NAMESPACE],
      ['news', NEWS_NAMESPACE],
      ['shop', FIRST_OWN_NAMESPACE],
    ] as const
    fc.assert(
      fc.property(anyEntry, (entry) => {
        const xml = renderUrl(entry)
        const bits = prefixes.reduce((all, [prefix, bit]) => all | (xml.includes(`<${prefix}:`) ? bit : 0), 0)
        expect(namespacesOf(entry)).toBe(bits)
      }),
    )
  })

  it('thousands in one document are valid in the public schemas, and read as they were meant', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const entries = fc.sample(anyEntry, { numRuns: 2_000, seed })
    for (const kind of ['images', 'videos', 'alternates', 'extensions'] as const)
      expect(entries.filter((entry) => entry[kind].length > 0).length, `seed ${seed}`).toBeGreaterThan(200)
    expect(entries.filter(({ news }) => news !== undefined).length, `seed ${seed}`).toBeGreaterThan(200)
    const xml = await documentOf(entries)
    expect(urlsetErrors(xml), `seed ${seed}`).toEqual([])
    const root = parseXml(xml).documentElement as Element
    expect(valuesOf(root), `seed ${seed}`).toEqual(valuesOf(treeOf(entries)))
    expect(urlsetErrors(await documentOf(entries, renderNewsUrl)), `seed ${seed}`).toEqual([])
  }, 60_000)
})
