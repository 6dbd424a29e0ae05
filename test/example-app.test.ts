import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DOMParser, type Element } from '@xmldom/xmldom'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSite, freePort } from '../example-app/site.ts'

const host = '127.0.0.1'

let dataDir: string
let app: FastifyInstance
let url: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'live-sitemap-example-'))
  const port = await freePort(host)
  url = `http://${host}:${port}`
  app = await buildSite({ port, host, dataDir, logLevel: 'silent' })
  await app.listen({ port, host })
})

afterAll(async () => {
  await app.close()
  await rm(dataDir, { recursive: true, force: true })
})

describe('the five documents', () => {
  it.each([
    { path: '/sitemap.xml', type: /^application\/xml/, holds: '<urlset' },
    { path: '/sitemap_index.xml', type: /^application\/xml/, holds: '<sitemapindex' },
    { path: '/feed.rss', type: /^application\/rss\+xml/, holds: '<rss' },
    { path: '/sitemap.html', type: /^text\/html/, holds: '<html' },
    { path: '/sitemap.txt', type: /^text\/plain/, holds: 'http' },
  ])('$path answers 200', async ({ path, type, holds }) => {
    const { status, headers, text } = await get(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(type)
    expect(text).toContain(holds)
    expect(headers.get('etag')).toMatch(/^"/)
  })

  it('sitemap.xml holds every product, and every URL is one of this site at its real port', async () => {
    const locs = locsOf((await get('/sitemap.xml')).text)
    expect(locs.filter((loc) => loc.startsWith(`${url}/products/`)).length).toBeGreaterThan(3_000)
    expect(locs.filter((loc) => !loc.startsWith(`${url}/`))).toEqual([])
    expect(new Set(locs).size).toBe(locs.length)
  })

  it('the parts of the index hold together what sitemap.xml and sitemap.txt hold', async () => {
    const parts = locsOf((await get('/sitemap_index.xml')).text)
    expect(parts.length).toBeGreaterThanOrEqual(3)
    const fromParts: string[] = []
    for (const part of parts) fromParts.push(...locsOf((await get(part)).text))
    const merged = locsOf((await get('/sitemap.xml')).text)
    expect(fromParts.toSorted()).toEqual(merged.toSorted())
    const lines = (await get('/sitemap.txt')).text.trim().split('\n')
    expect(lines.toSorted()).toEqual(merged.toSorted())
  })

  it('the feed holds articles and no product', async () => {
    const links = textsOf((await get('/feed.rss')).text, 'link')
    expect(links.some((link) => link.startsWith(`${url}/articles/`))).toBe(true)
    expect(links.some((link) => link.startsWith(`${url}/products/`))).toBe(false)
  })

  it('an article that is marked noindex stands in none of them, and still has its page', async () => {
    for (const path of ['/sitemap.xml', '/sitemap.txt', '/feed.rss', '/sitemap.html']) {
      expect((await get(path)).text).not.toContain('/articles/house-rules')
    }
    expect((await get('/articles/house-rules')).text).toContain(
      '<meta name="robots" content="noindex, follow">',
    )
  })
})

describe('the pages', () => {
  it('every page, article, language version and cover in the sitemap answers 200, and so do products', async () => {
    const { text } = await get('/sitemap.xml')
    const locs = locsOf(text)
    const products = locs.filter((loc) => loc.startsWith(`${url}/products/`))
    const others = locs.filter((loc) => !loc.startsWith(`${url}/products/`))
    expect(others.length).toBeGreaterThan(40)
    const pictures = textsOf(text, 'image:loc')
    const wanted = [
      ...others,
      ...alternatesOf(text).map(({ href }) => href),
      ...products.filter((_, i) => i % 40 === 0 || i === products.length - 1),
      ...pictures.filter((picture) => picture.includes('/uploads/')),
      ...pictures.filter((_, i) => i % 200 === 0),
    ]
    expect(await notFound(wanted)).toEqual([])
  })

  it.each([
    'salt-%26-pepper',
    'cr%C3%A8me-br%C3%BBl%C3%A9e',
    'tomato-%F0%9F%8D%85-%22quoted%22',
    '100%25-rye',
    'Two%20Words%2Fand%20a%20slash',
    '%E6%97%A5%E6%9C%AC%E3%81%AE%E6%9C%9D%E3%81%94%E3%81%AF%E3%82%93',
    '%D8%AE%D8%A8%D8%B2-%D8%A8%D8%A7%D9%84%D8%B2%D9%8A%D8%AA',
  ])('the sitemap names the article /articles/%s, which answers', async (slug) => {
    const loc = `${url}/articles/${slug}`
    expect(locsOf((await get('/sitemap.xml')).text)).toContain(loc)
    expect((await get(loc)).status).toBe(200)
  })

  it('each language version of an article names all of them', async () => {
    const { text } = await get('/sitemap-articles-1.xml')
    const versions = {
      en: `${url}/articles/salt-%26-pepper`,
      fr: `${url}/fr/articles/salt-%26-pepper-fr`,
      ja: `${url}/ja/articles/salt-%26-pepper-ja`,
    }
    for (const version of Object.values(versions)) {
      expect(Object.fromEntries(alternatesOf(text, version).map((a) => [a.hreflang, a.href]))).toEqual(
        versions,
      )
      const page = await get(version)
      for (const href of Object.values(versions)) expect(page.text).toContain(`href="${href}"`)
    }
  })

  it.each(['/', '/fr/', '/ja/'])(
    '%s is a page in three languages with its feed and sitemap in the head',
    async (path) => {
      const { status, text } = await get(path)
      expect(status).toBe(200)
      expect(text).toContain('type="application/rss+xml"')
      expect(text).toContain('<link rel="sitemap" type="application/xml" href="/sitemap.xml">')
      for (const lang of ['en', 'fr', 'ja', 'x-default']) expect(text).toContain(`hreflang="${lang}"`)
    },
  )

  it('robots.txt names the sitemap', async () => {
    expect((await get('/robots.txt')).text).toContain(`Sitemap: ${url}/sitemap_index.xml`)
  })

  it.each([
    '/nope',
    '/products/nope',
    '/articles/nope',
    '/articles/unfinished-soup',
    '/fr/articles/salt-%26-pepper',
    '/images/products/nope.svg',
    '/uploads/nope.png',
    '/uploads/..%2Fposts.json',
    '/uploads/..%2F..%2F..%2Fpackage.json',
    '/sitemap-products-99.xml',
  ])('%s is a 404', async (path) => {
    expect((await get(path)).status).toBe(404)
  })
})

describe('the admin', () => {
  it('an edited product shows in the sitemap with the answer to the edit', async () => {
    const before = await get('/sitemap.xml')
    const answer = await post('/admin/products/7', { name: 'Tomato <early> & "sweet"' })
    expect(answer).toMatchObject({ status: 200, body: { id: 7, sitemap: 'fresh' } })
    const { url: loc, lastmod } = answer.body as { url: string; lastmod: string }

    const after = await get('/sitemap.xml')
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
    expect(Date.parse(lastmodOf(after.text, loc) ?? '')).toBe(Date.parse(lastmod))
    expect(lastmodOf(before.text, loc)).not.toBe(lastmodOf(after.text, loc))
    const escaped = /Tomato &lt;early(?:&gt;|>) &amp; (?:"|&quot;|&#34;)sweet/
    expect((await get(loc)).text).toMatch(escaped)
    const listed = await Promise.all(
      [1, 2, 3, 4].map(async (n) => (await get(`/sitemap-products-${n}.html`)).text),
    )
    expect(listed.filter((text) => escaped.test(text)).length).toBe(1)
  })

  it('an edit leaves the validators of the other sections alone', async () => {
    const before = await get('/sitemap-articles-1.xml')
    await post('/admin/products/8', { name: 'Sunday trellis' })
    const again = await get('/sitemap-articles-1.xml', { 'if-none-match': before.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
  })

  it('a published article enters the sitemap, its part and the feed, in all its languages', async () => {
    const documentId = 'vbaky64zdj58xmc6b46e514p'
    expect((await get('/sitemap.xml')).text).not.toContain('garden-note-00016')
    expect((await get('/admin')).text).toContain(`/admin/articles/${documentId}/publish`)

    const answer = await post(`/admin/articles/${documentId}/publish`, {})
    const urls = [
      `${url}/articles/garden-note-00016`,
      `${url}/fr/articles/garden-note-00016-fr`,
      `${url}/ja/articles/garden-note-00016-ja`,
    ]
    expect(answer).toMatchObject({ status: 200, body: { id: documentId, urls, sitemap: 'fresh' } })

    expect(locsOf((await get('/sitemap.xml')).text)).toEqual(expect.arrayContaining(urls))
    const part = (await get('/sitemap-articles-1.xml')).text
    expect(locsOf(part)).toEqual(expect.arrayContaining(urls))
    for (const loc of urls) expect(alternatesOf(part, loc).map(({ href }) => href)).toEqual(urls)
    expect(textsOf((await get('/feed.rss')).text, 'link')).toEqual(expect.arrayContaining(urls))
    expect(await notFound(urls)).toEqual([])
    expect((await get('/admin')).text).not.toContain(documentId)
  })

  it('a retitled article has its new title in the feed', async () => {
    const answer = await post('/admin/articles/o3nruz7vurbmtlnk2pm0c2tm', {
      title: 'Sel & poivre',
      locale: 'fr',
    })
    expect(answer.status).toBe(200)
    expect(textsOf((await get('/feed.rss')).text, 'title')).toContain('Sel & poivre')
  })

  it.each([
    { path: '/opening-hours', loc: '/opening-hours' },
    { path: '/jardin/à-propos', loc: '/jardin/%C3%A0-propos' },
    { path: '/営業/時間', loc: '/%E5%96%B6%E6%A5%AD/%E6%99%82%E9%96%93' },
  ])('an added page $path stands in the sitemap and answers', async ({ path, loc }) => {
    expect((await get(loc)).status).toBe(404)
    const answer = await post('/admin/pages', { path, title: 'A <new> page' })
    expect(answer).toMatchObject({ status: 200, body: { url: url + loc, sitemap: 'fresh' } })
    expect(locsOf((await get('/sitemap.xml')).text)).toContain(url + loc)
    const page = await get(loc)
    expect(page.status).toBe(200)
    expect(page.text).toContain('<h1>A &lt;new&gt; page</h1>')
  })

  it.each([
    { path: '/admin/products/9', fields: { name: 'By form' }, to: '/admin?done=product' },
    { path: '/admin/pages', fields: { path: '/by-form', title: 'By form' }, to: '/admin?done=page' },
    { path: '/admin/articles/hohz3r1o3x01t8rdmwg2v8zm/publish', fields: {}, to: '/admin?done=article' },
  ])('a form sent to $path leads back to the admin page', async ({ path, fields, to }) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams(fields),
    })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe(to)
    expect((await get(to)).text).toContain('class="done"')
  })

  it.each([
    { name: 'no such product', path: '/admin/products/999999', body: { name: 'x' }, status: 404 },
    { name: 'a product that is no number', path: '/admin/products/x', body: { name: 'x' }, status: 400 },
    { name: 'a blank name', path: '/admin/products/7', body: { name: '  ' }, status: 400 },
    { name: 'no name', path: '/admin/products/7', body: {}, status: 400 },
    { name: 'no such article', path: '/admin/articles/nope/publish', body: {}, status: 404 },
    { name: 'an article path', path: '/admin/articles/..%2F..%2Fx/publish', body: {}, status: 400 },
    { name: 'a path upwards', path: '/admin/pages', body: { path: '/a/../b', title: 't' }, status: 400 },
    { name: 'another host', path: '/admin/pages', body: { path: '//evil', title: 't' }, status: 400 },
    { name: 'a file name', path: '/admin/pages', body: { path: '/sitemap.xml', title: 't' }, status: 400 },
    { name: 'a path of the shop', path: '/admin/pages', body: { path: '/fr/x', title: 't' }, status: 400 },
    { name: 'a relative path', path: '/admin/pages', body: { path: 'x', title: 't' }, status: 400 },
  ])('$name is refused with $status', async ({ path, body, status }) => {
    expect(await post(path, body)).toMatchObject({ status, body: { error: expect.any(String) } })
  })

  it('a post from another site in the same browser is refused', async () => {
    const answer = await fetch(`${url}/admin/pages`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ path: '/planted', title: 'x' }),
    })
    expect(answer.status).toBe(403)
    expect((await get('/planted')).status).toBe(404)
  })
})

describe('server.ts', () => {
  it('prints the five URLs at the port given, and ends at a signal', async () => {
    const port = await freePort(host)
    const server = start({ PORT: String(port) })
    try {
      const printed = await server.until('/admin')
      for (const path of [
        '/sitemap.xml',
        '/sitemap_index.xml',
        '/feed.rss',
        '/sitemap.html',
        '/sitemap.txt',
      ]) {
        expect(printed).toContain(`http://${host}:${port}${path}`)
        expect((await fetch(`http://${host}:${port}${path}`)).status).toBe(200)
      }
      server.process.kill('SIGTERM')
      expect(await server.exit).toBe(0)
    } finally {
      server.process.kill('SIGKILL')
    }
  })

  it('says so when the port is taken, and exits with 1', async () => {
    const taken = createServer().listen(0, host)
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    try {
      const server = start({ PORT: String(port) })
      expect(await server.exit).toBe(1)
      expect(server.output()).toContain(`Port ${port} is taken.`)
    } finally {
      taken.close()
    }
  })
})

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

async function get(pathOrUrl: string, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(new URL(pathOrUrl, url), { headers, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function post(path: string, body: object): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'manual',
  })
  return { status: response.status, body: await response.json() }
}

/** Which of these addresses do not answer 200, each asked once. */
async function notFound(addresses: readonly string[]): Promise<readonly string[]> {
  const missing: string[] = []
  for (const address of new Set(addresses)) {
    const { status } = await get(address)
    if (status !== 200) missing.push(`${status} ${address}`)
  }
  return missing
}

function elementsOf(xml: string, name: string): readonly Element[] {
  const onError = (level: string, message: string): never => {
    throw new Error(`${level}: ${message}`)
  }
  const document = new DOMParser({ onError }).parseFromString(xml, 'text/xml')
  return Array.from(document.getElementsByTagName(name))
}

function childrenOf(element: Element, name: string): readonly Element[] {
  return Array.from(element.getElementsByTagName(name))
}

function textsOf(xml: string, name: string): string[] {
  return elementsOf(xml, name).map((element) => element.textContent ?? '')
}

function locsOf(xml: string): string[] {
  return textsOf(xml, 'loc')
}

function urlElements(xml: string, loc?: string): readonly Element[] {
  return elementsOf(xml, 'url').filter(
    (element) => loc === undefined || childrenOf(element, 'loc')[0]?.textContent === loc,
  )
}

function lastmodOf(xml: string, loc: string): string | undefined {
  const lastmods = urlElements(xml, loc).flatMap((element) => childrenOf(element, 'lastmod'))
  return lastmods[0]?.textContent ?? undefined
}

/** The alternates of one URL, or of all. */
function alternatesOf(xml: string, loc?: string): { hreflang: string; href: string }[] {
  return urlElements(xml, loc)
    .flatMap((element) => childrenOf(element, 'xhtml:link'))
    .map((link) => ({
      hreflang: link.getAttribute('hreflang') ?? '',
      href: link.getAttribute('href') ?? '',
    }))
}

function start(env: Record<string, string>): {
  readonly process: ChildProcess
  readonly exit: Promise<number | null>
  readonly output: () => string
  readonly until: (text: string) => Promise<string>
} {
  const file = fileURLToPath(new URL('../example-app/server.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    env: { ...process.env, HOST: host, DATA_DIR: join(dataDir, 'server'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const exit = once(child, 'close').then(([code]: (number | null)[]) => code ?? null)
  child.stdout.on('data', (data) => {
    output += data
  })
  child.stderr.on('data', (data) => {
    output += data
  })
  const until = async (text: string): Promise<string> => {
    while (!output.includes(text)) {
      const ended = await Promise.race([once(child.stdout, 'data').then(() => false), exit.then(() => true)])
      if (ended) throw new Error(`the server ended before it printed ${text}: ${output}`)
    }
    return output
  }
  return { process: child, exit, output: () => output, until }
}
