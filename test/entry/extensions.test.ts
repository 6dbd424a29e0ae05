import { describe, expect, it } from 'vitest'
import { FIRST_OWN_NAMESPACE, namespacesOf, renderUrl } from '../../src/formats/urlset.ts'
import { type Rules, taken } from './create-check.ts'

const NAME = 'extension name is not a prefix of the option namespaces and a name, as in shop:price'
const ATTRIBUTE = 'extension attribute has a name that is none, or of no declared prefix'

function written(extensions: unknown, rules: Rules = {}) {
  const { entry, reasons } = taken({ loc: '/a', extensions }, rules)
  const xml = renderUrl(entry)
  expect(xml.indexOf('\n')).toBe(xml.length - 1)
  return { xml: xml.replace(/^<url><loc>[^<]*<\/loc>|<\/url>\n$/g, ''), reasons, bits: namespacesOf(entry) }
}

describe('extensions', () => {
  it.each([
    { name: 'empty element', extensions: [{ name: 'shop:sale' }], xml: '<shop:sale/>' },
    {
      name: 'text',
      extensions: [{ name: 'shop:price', text: '5 & 6' }],
      xml: '<shop:price>5 &amp; 6</shop:price>',
    },
    { name: 'number', extensions: [{ name: 'shop:price', text: 4.5 }], xml: '<shop:price>4.5</shop:price>' },
    {
      name: 'boolean',
      extensions: [{ name: 'shop:sale', text: false }],
      xml: '<shop:sale>false</shop:sale>',
    },
    { name: 'bigint', extensions: [{ name: 'shop:id', text: 7n }], xml: '<shop:id>7</shop:id>' },
    { name: 'empty text', extensions: [{ name: 'shop:sale', text: '' }], xml: '<shop:sale/>' },
    {
      name: 'spaces are kept',
      extensions: [{ name: 'shop:a', text: '  b  ' }],
      xml: '<shop:a>  b  </shop:a>',
    },
    {
      name: 'line ends of text are spaces',
      extensions: [{ name: 'shop:a', text: 'b\nc\r\nd\re' }],
      xml: '<shop:a>b c d e</shop:a>',
    },
    {
      name: 'line ends of attributes are references (U22)',
      extensions: [{ name: 'shop:a', attributes: { b: 'c\nd\r\te' } }],
      xml: '<shop:a b="c&#10;d&#13;&#9;e"/>',
    },
    {
      name: 'attributes',
      extensions: [
        { name: 'shop:a', attributes: { b: '"', 'geo:c': 1, 'xml:lang': 'fr', d: true, e: null } },
      ],
      xml: '<shop:a b="&quot;" geo:c="1" xml:lang="fr" d="true"/>',
    },
    {
      name: 'text, then children',
      extensions: [{ name: 'shop:a', children: [{ name: 'geo:b', text: 1 }, { name: 'shop:c' }], text: 'T' }],
      xml: '<shop:a>T<geo:b>1</geo:b><shop:c/></shop:a>',
    },
    { name: 'one object', extensions: { name: 'shop:a' }, xml: '<shop:a/>' },
    {
      name: 'one child',
      extensions: [{ name: 'shop:a', children: { name: 'shop:b' } }],
      xml: '<shop:a><shop:b/></shop:a>',
    },
    { name: 'nothing in the list', extensions: [null, { name: 'shop:a' }, undefined], xml: '<shop:a/>' },
    { name: 'null', extensions: null, xml: '' },
    { name: 'empty list', extensions: [], xml: '' },
    {
      name: 'what XML forbids leaves (U20)',
      extensions: [{ name: 'shop:a', text: 'b\0\u001Fc\uD800', attributes: { d: '\uFFFE' } }],
      xml: '<shop:a d="">bc\uFFFD</shop:a>',
    },
    {
      name: 'names with digits, dots and hyphens',
      extensions: [{ name: 'shop:_a-1.b', attributes: { '_c-1.d': 'e' } }],
      xml: '<shop:_a-1.b _c-1.d="e"/>',
    },
  ])('$name', ({ extensions, xml }) => {
    expect(written(extensions)).toMatchObject({ xml, reasons: [] })
  })

  it.each([
    { name: 'no prefix', element: { name: 'price' } },
    { name: 'unknown prefix', element: { name: 'store:price' } },
    { name: 'a prefix of the protocols', element: { name: 'image:image' } },
    { name: 'news, by which news is found again', element: { name: 'news:news' } },
    { name: 'empty prefix', element: { name: ':price' } },
    { name: 'empty name', element: { name: 'shop:' } },
    { name: 'two colons', element: { name: 'shop:a:b' } },
    { name: 'digit first', element: { name: 'shop:1' } },
    { name: 'space', element: { name: 'shop:a b' } },
    { name: 'mark-up', element: { name: 'shop:a><x' } },
    { name: 'line end', element: { name: 'shop:a\n' } },
    { name: 'letters beyond ASCII', element: { name: 'shop:é' } },
    { name: 'a name without end', element: { name: `shop:${'a'.repeat(1_000)}` } },
    { name: 'no name', element: { text: '5' } },
    { name: 'symbol', element: { name: Symbol('shop:a') } },
    { name: 'text', element: 'shop:a' },
    { name: 'number', element: 5 },
    { name: 'list in a list', element: [{ name: 'shop:a' }] },
  ])('an element that cannot be used leaves with all it holds, the others stay: $name', ({ element }) => {
    const { xml, reasons } = written([{ name: 'shop:a' }, element, { name: 'shop:b' }])
    expect(xml).toBe('<shop:a/><shop:b/>')
    expect(reasons).toEqual([NAME])
  })

  it('one that cannot be read leaves, the others stay', () => {
    const lazy = {
      name: 'shop:x',
      get text(): string {
        throw new Error('lazy')
      },
    }
    expect(written([{ name: 'shop:a' }, lazy])).toMatchObject({
      xml: '<shop:a/>',
      reasons: ['extension cannot be read'],
    })
  })

  it.each([
    { name: 'xmlns', attributes: { xmlns: 'urn:x' } },
    { name: 'a declaration', attributes: { 'xmlns:shop': 'urn:x' } },
    { name: 'unknown prefix', attributes: { 'store:a': '1' } },
    { name: 'another attribute of xml', attributes: { 'xml:base': '/' } },
    { name: 'xml:space of another word', attributes: { 'xml:space': 'keep' } },
    { name: 'digit first', attributes: { 1: 'a' } },
    { name: 'quote', attributes: { 'a="1" b': 'x' } },
    { name: 'empty', attributes: { '': 'x' } },
  ])('a bad attribute leaves alone: $name', ({ attributes }) => {
    expect(written([{ name: 'shop:a', attributes: { ...attributes, ok: 1 } }])).toMatchObject({
      xml: '<shop:a ok="1"/>',
      reasons: [ATTRIBUTE],
    })
  })

  it.each([
    { name: 'list', attributes: ['a'] },
    { name: 'text', attributes: 'a="1"' },
  ])('attributes that are none leave: $name', ({ attributes }) => {
    expect(written([{ name: 'shop:a', attributes }])).toMatchObject({
      xml: '<shop:a/>',
      reasons: ['extension attributes are not { name: value }'],
    })
  })

  it('two prefixes of one namespace make one attribute (XML Names §6.3)', () => {
    const namespaces = [
      ['a', 'urn:x'],
      ['b', 'urn:x'],
    ] as const
    expect(
      written([{ name: 'a:e', attributes: { 'a:n': 1, 'b:n': 2, n: 3 } }], { namespaces }),
    ).toMatchObject({
      xml: '<a:e a:n="1" n="3"/>',
      reasons: ['extension attribute stands twice'],
    })
  })

  it.each([
    { name: 'list', value: ['a'] },
    { name: 'object', value: { a: 1 } },
    { name: 'NaN', value: Number.NaN },
    { name: 'symbol', value: Symbol('a') },
    { name: 'Date', value: new Date(0) },
  ])('values that are neither text, number nor boolean leave: $name', ({ value }) => {
    expect(written([{ name: 'shop:a', text: value, attributes: { b: value } }])).toMatchObject({
      xml: '<shop:a/>',
      reasons: [
        'extension attribute is neither text, number, true nor false',
        'extension text is neither text, number, true nor false',
      ],
    })
  })

  it('values have 5,000 characters at most', () => {
    const { xml, reasons } = written([
      { name: 'shop:a', text: `${'x'.repeat(4_999)}😀`, attributes: { b: 'y'.repeat(6_000) } },
    ])
    expect(xml).toBe(`<shop:a b="${'y'.repeat(5_000)}">${'x'.repeat(4_999)}</shop:a>`)
    expect(reasons).toEqual([
      'extension attribute is longer than 5000 characters and was cut',
      'extension text is longer than 5000 characters and was cut',
    ])
  })

  it('1,000 elements at most, children and bad ones counted; 100 attributes', () => {
    const many = written(
      Array.from({ length: 600 }, () => ({ name: 'shop:a', children: [{ name: 'shop:b' }] })),
    )
    expect(many.xml.match(/<shop:[ab]/g)).toHaveLength(1_000)
    expect(many.reasons).toEqual(['extension elements beyond 1,000'])
    const bad = Array.from({ length: 1_000_000 }, () => 0)
    const shared = written(Array.from({ length: 100 }, () => ({ name: 'shop:a', children: bad })))
    expect(shared.xml).toBe('<shop:a/>')
    expect(shared.reasons.filter((reason) => reason === NAME)).toHaveLength(999)
    const attributes = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`a${i}`, i]))
    const wide = written([{ name: 'shop:a', attributes }])
    expect(wide.xml.match(/ a\d+="/g)).toHaveLength(100)
    expect(wide.reasons).toEqual(['extension attributes beyond 100'])
  })

  it('20 deep at most, a ring included', () => {
    const ring: { name: string; children: unknown[] } = { name: 'shop:a', children: [] }
    ring.children.push(ring)
    const { xml, reasons } = written([ring])
    expect(xml).toBe(`${'<shop:a>'.repeat(19)}<shop:a/>${'</shop:a>'.repeat(19)}`)
    expect(reasons).toEqual(['extension elements deeper than 20'])
    const deep = written([{ name: 'shop:a', children: [ring, ring] }])
    expect(deep.xml.match(/<shop:a/g)?.length).toBeLessThanOrEqual(1_000)
  })

  it('without declared namespaces none can be written', () => {
    expect(written([{ name: 'shop:a' }], { namespaces: [] })).toEqual({ xml: '', reasons: [NAME], bits: 0 })
  })

  it.each([
    { name: 'none', extensions: [], bits: 0 },
    { name: 'the first', extensions: [{ name: 'shop:a' }], bits: FIRST_OWN_NAMESPACE },
    { name: 'the second', extensions: [{ name: 'geo:a' }], bits: FIRST_OWN_NAMESPACE * 2 },
    {
      name: 'of an attribute',
      extensions: [{ name: 'shop:a', attributes: { 'geo:b': 1 } }],
      bits: FIRST_OWN_NAMESPACE * 3,
    },
    {
      name: 'of a child',
      extensions: [{ name: 'shop:a', children: [{ name: 'geo:b' }] }],
      bits: FIRST_OWN_NAMESPACE * 3,
    },
    {
      name: 'of one that left',
      extensions: [{ name: 'shop:a' }, { name: 'geo:1' }],
      bits: FIRST_OWN_NAMESPACE,
    },
  ])('the namespaces they use: $name', ({ extensions, bits }) => {
    expect(written(extensions).bits).toBe(bits)
  })

  it('sixteen namespaces have a bit each', () => {
    const namespaces = Array.from({ length: 16 }, (_, i) => [`n${i}`, `urn:${i}`] as const)
    const bits = namespaces.map(([prefix]) => written([{ name: `${prefix}:a` }], { namespaces }).bits)
    expect(bits).toEqual(namespaces.map((_, i) => 16 * 2 ** i))
  })

  it('mobile and PageMap are written as elements of declared namespaces (SPEC E5, E6)', () => {
    const namespaces = [
      ['mobile', 'http://www.google.com/schemas/sitemap-mobile/1.0'],
      ['pagemap', 'http://www.google.com/schemas/sitemap-pagemap/1.0'],
    ] as const
    const attribute = { name: 'pagemap:Attribute', attributes: { name: 'author' }, text: 'Ann' }
    const map = {
      name: 'pagemap:PageMap',
      children: [
        { name: 'pagemap:DataObject', attributes: { type: 'document', id: 1 }, children: [attribute] },
      ],
    }
    expect(written([{ name: 'mobile:mobile' }, map], { namespaces })).toMatchObject({
      xml: '<mobile:mobile/><pagemap:PageMap><pagemap:DataObject type="document" id="1"><pagemap:Attribute name="author">Ann</pagemap:Attribute></pagemap:DataObject></pagemap:PageMap>',
      reasons: [],
    })
  })
})
