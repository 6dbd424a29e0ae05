import { describe, expect, it } from 'vitest'
import { readRobotsProfile } from '../../src/robots-profile/read.ts'

const URI = 'https://example.com/robots-profile'

const page = (body: string, head = `<link rel="profile" href="${URI}">`) =>
  `<!doctype html><html lang="en"><head><title>T</title>${head}</head><body>${body}</body></html>`

describe('whether a page names the profile (SPEC H31, H32)', () => {
  it.each([
    { name: 'nothing', html: page('', ''), uri: undefined },
    { name: 'link rel=profile', html: page(''), uri: URI },
    {
      name: 'rel among others, in any case',
      html: page('', `<LINK href="${URI}" REL="x PROFILE">`),
      uri: URI,
    },
    {
      name: "head profile with S4's own URI",
      html: '<html><head profile="http://exemple.org/xmdp/robots-profile#"><title>T</title></head></html>',
      uri: 'http://exemple.org/xmdp/robots-profile#',
    },
    {
      name: 'one of several URIs',
      html: '<head profile="http://gmpg.org/xfn/11\n http://a.example/x/robots-profile?v=1 ">',
      uri: 'http://a.example/x/robots-profile?v=1',
    },
    { name: 'a path', html: page('', '<link rel=profile href=/robots-profile>'), uri: '/robots-profile' },
    {
      name: 'a relative path',
      html: page('', '<link rel=profile href=robots-profile#>'),
      uri: 'robots-profile#',
    },
    {
      name: 'another profile',
      html: page('', '<link rel=profile href=http://gmpg.org/xfn/11>'),
      uri: undefined,
    },
    {
      name: 'a name that only ends so',
      html: page('', '<link rel=profile href=/x-robots-profile>'),
      uri: undefined,
    },
    {
      name: 'the name as a folder',
      html: page('', '<link rel=profile href=/robots-profile/x>'),
      uri: undefined,
    },
    {
      name: 'the name in the query',
      html: page('', '<link rel=profile href=/x?/robots-profile>'),
      uri: undefined,
    },
    { name: 'another rel', html: page('', `<link rel=author href=${URI}>`), uri: undefined },
    { name: 'an anchor', html: page(`<a rel=profile href=${URI}>x</a>`, ''), uri: undefined },
    {
      name: 'an attribute of the body',
      html: page('', '').replace('<body', `<body profile="${URI}"`),
      uri: undefined,
    },
    { name: 'a second head', html: `<head></head><body><head profile="${URI}">`, uri: undefined },
    { name: 'in a comment', html: page('', `<!--<link rel=profile href=${URI}>-->`), uri: undefined },
    {
      name: 'in a script',
      html: page('', `<script>'<link rel=profile href=${URI}>'</script>`),
      uri: undefined,
    },
    {
      name: 'in a template',
      html: page('', `<template><link rel=profile href=${URI}></template>`),
      uri: undefined,
    },
    {
      name: 'behind an image that ended the head',
      html: page('', `<img src=x><link rel=profile href=${URI}>`),
      uri: URI,
    },
    {
      name: 'with character references',
      html: page('', '<link rel=profile href="/robots&#45;profile">'),
      uri: '/robots-profile',
    },
  ])('$name', ({ html, uri }) => {
    const { declared, uri: found } = readRobotsProfile(html)
    expect({ declared, uri: found }).toEqual({ declared: uri !== undefined, uri })
  })

  it.each([
    { name: 'a URI', profile: 'http://a.example/p', href: 'http://a.example/p', declared: true },
    {
      name: 'a URI that the page ends with #',
      profile: 'http://a.example/p',
      href: 'http://a.example/p#',
      declared: true,
    },
    {
      name: 'a URI that the caller ends with #',
      profile: 'http://a.example/p#',
      href: 'http://a.example/p',
      declared: true,
    },
    {
      name: 'a list',
      profile: ['http://b.example/', 'http://a.example/p'],
      href: 'http://a.example/p',
      declared: true,
    },
    { name: 'another URI', profile: 'http://a.example/p', href: 'http://a.example/q', declared: false },
    { name: 'another URI beside a known one', profile: 'http://a.example/p', href: URI, declared: true },
    { name: 'true', profile: true, href: 'http://a.example/q', declared: true },
    { name: 'false', profile: false, href: URI, declared: false },
  ])('option profile: $name', ({ profile, href, declared }) => {
    const html = page('<p class="robots-noindex">x</p>', `<link rel="profile" href="${href}">`)
    const said = readRobotsProfile(html, { profile })
    expect([said.declared, said.counts.noindex]).toEqual([declared, declared ? 1 : 0])
  })
})

describe('meta robots of the page (SPEC H38, H50 to H54)', () => {
  const all = { index: true, follow: true, archive: true, snippet: true }

  it.each([
    { name: 'none', head: '', directives: [], page: all },
    {
      name: 'noindex',
      head: '<meta name=robots content=noindex>',
      directives: ['noindex'],
      page: { ...all, index: false },
    },
    {
      name: 'none, upper case',
      head: '<META NAME=ROBOTS CONTENT=NONE>',
      directives: ['none', 'noindex', 'nofollow'],
      page: { ...all, index: false, follow: false },
    },
    {
      name: 'several add up, the restricting one wins (SPEC H53)',
      head: '<meta name=robots content="index, follow"><meta name=robots content="nofollow, index">',
      directives: ['index', 'follow', 'nofollow'],
      page: { ...all, follow: false },
    },
    {
      name: 'noarchive',
      head: '<meta name=robots content=noarchive>',
      directives: ['noarchive'],
      page: { ...all, archive: false },
    },
    {
      name: 'nocache (SPEC H52)',
      head: '<meta name=robots content=nocache>',
      directives: ['nocache'],
      page: { ...all, archive: false },
    },
    {
      name: 'nosnippet',
      head: '<meta name=robots content=nosnippet>',
      directives: ['nosnippet'],
      page: { ...all, snippet: false },
    },
    {
      name: 'max-snippet 0 (SPEC H51)',
      head: '<meta name=robots content="max-snippet: 0">',
      directives: ['max-snippet:0'],
      page: { ...all, snippet: false },
    },
    {
      name: 'max-snippet -1',
      head: '<meta name=robots content="max-snippet:-1">',
      directives: ['max-snippet:-1'],
      page: all,
    },
    { name: 'of another robot', head: '<meta name=googlebot content=noindex>', directives: [], page: all },
    { name: 'without content', head: '<meta name=robots>', directives: [], page: all },
    { name: 'another name', head: '<meta name=description content=noindex>', directives: [], page: all },
    {
      name: 'in a template',
      head: '<template><meta name=robots content=noindex></template>',
      directives: [],
      page: all,
    },
  ])('$name', ({ head, directives, page: said }) => {
    expect(readRobotsProfile(page('', head)).page).toEqual({ directives, ...said })
  })

  it('SPEC H54: the words of a robot that is asked for count beside robots', () => {
    const head = '<meta name=robots content=noarchive><meta name=GoogleBot content=nofollow>'
    expect(readRobotsProfile(page('', head), { agent: 'googlebot' }).page.directives).toEqual([
      'noarchive',
      'nofollow',
    ])
  })
})

describe('links', () => {
  const link = { href: '/a', text: 'x', follow: true, anchortext: true, index: true }

  it.each([
    { name: 'plain', body: '<a href=/a>x</a>', links: [link] },
    { name: 'no target', body: '<a name=a>x</a>', links: [] },
    { name: 'an empty target', body: '<a href="">x</a>', links: [{ ...link, href: '' }] },
    {
      name: 'white space and references',
      body: '<a href=" /a?b&amp;c ">\n x &lt; <b>y</b> </a>',
      links: [{ ...link, href: '/a?b&c', text: 'x < y' }],
    },
    { name: 'an image', body: '<a href=/a><img alt="x"></a>', links: [link] },
    { name: 'an area', body: '<map><area href=/a alt=x></map>', links: [link] },
    {
      name: 'script and style are no text',
      body: '<a href=/a>x<script>y</script><style>z</style></a>',
      links: [link],
    },
    { name: 'in a template', body: '<template><a href=/a>x</a></template>', links: [] },
    {
      name: 'class (SPEC H20)',
      body: '<a class=robots-nofollow href=/a>x</a>',
      links: [{ ...link, follow: false }],
    },
    {
      name: 'class around (SPEC H20)',
      body: '<div class=robots-nofollow><p><a href=/a>x</a></div>',
      links: [{ ...link, follow: false }],
    },
    {
      name: 'carved out (SPEC H36)',
      body: '<div class=robots-nofollow><a class=robots-follow href=/a>x</a></div>',
      links: [link],
    },
    {
      name: 'rel (SPEC H39)',
      body: '<a rel="noopener NoFollow" href=/a>x</a>',
      links: [{ ...link, follow: false }],
    },
    {
      name: 'class and rel (SPEC H39)',
      body: '<a rel=nofollow class=robots-nofollow href=/a>x</a>',
      links: [{ ...link, follow: false }],
    },
    {
      name: 'rel beats a class that allows',
      body: '<a rel=nofollow class=robots-follow href=/a>x</a>',
      links: [{ ...link, follow: false }],
    },
    {
      name: 'rev may stand beside (SPEC H43)',
      body: '<a rev=vote-for class=robots-noanchortext href=/a>x</a>',
      links: [{ ...link, anchortext: false }],
    },
    {
      name: 'SPEC 7.2 vector: div.nofollow > p.noindex > a is not followed and its text is out',
      body: '<div class=robots-nofollow><p class=robots-noindex><a href=/a>x</a></p></div>',
      links: [{ ...link, follow: false, index: false }],
    },
    {
      name: 'a link ends where the next begins',
      body: '<a href=/a>x<a href=/b>y</a>z',
      links: [link, { ...link, href: '/b', text: 'y' }],
    },
    {
      name: 'a link goes on in the next paragraph',
      body: '<p><a href=/a>x</p><p>y</a>z',
      links: [{ ...link, text: 'xy' }],
    },
  ])('$name', ({ body, links }) => {
    expect(readRobotsProfile(page(body)).links).toEqual(links)
  })

  it('SPEC H31: classes mean nothing on a page that does not name the profile, rel does', () => {
    const body = '<p class=robots-nofollow><a href=/a>x</a><a rel=nofollow href=/b>y</a></p>'
    expect(readRobotsProfile(page(body, '')).links.map(({ follow }) => follow)).toEqual([true, false])
  })

  it('SPEC H38: meta robots beats the classes', () => {
    const body = '<p class="robots-follow robots-index"><a href=/a>x</a></p>'
    const head = `<link rel=profile href=${URI}><meta name=robots content=none>`
    expect(readRobotsProfile(page(body, head)).links).toEqual([{ ...link, follow: false, index: false }])
  })

  it('are counted with the parts', () => {
    const body =
      '<div class="robots-noindex robots-noarchive"><a class=robots-nofollow href=/a>x</a>' +
      '<p class="robots-noindex robots-index">y</p><a class=robots-noanchortext href=/b>z</a></div><a href=/c>z</a>'
    expect(readRobotsProfile(page(body)).counts).toEqual({
      links: 3,
      nofollow: 1,
      noanchortext: 1,
      noindex: 2,
      noarchive: 1,
    })
  })
})

describe('what is no page', () => {
  it.each([
    { name: 'an empty text', html: '' },
    { name: 'words', html: 'robots-noindex' },
    { name: 'half a tag', html: '<a href="' },
    { name: 'a null character and half a surrogate pair', html: '\0<p \ud800=\udfff>' },
  ])('$name says nothing', ({ html }) => {
    expect(readRobotsProfile(html)).toEqual({
      declared: false,
      uri: undefined,
      page: { directives: [], index: true, follow: true, archive: true, snippet: true },
      links: [],
      counts: { links: 0, nofollow: 0, noanchortext: 0, noindex: 0, noarchive: 0 },
    })
  })
})
