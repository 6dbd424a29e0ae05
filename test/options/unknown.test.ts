import { describe, expect, it } from 'vitest'
import { least, refusal, site } from './resolving.ts'

describe('unknown keys', () => {
  it.each<{ name: string; options: Record<string, unknown>; line: string }>([
    {
      name: 'a letter too few',
      options: { exlude: 1 },
      line: 'option "exlude" is not known. Did you mean "exclude"?',
    },
    {
      name: 'two letters swapped',
      options: { tiemout: 1 },
      line: 'option "tiemout" is not known. Did you mean "timeout"?',
    },
    {
      name: 'case',
      options: { maxbytes: 1 },
      line: 'option "maxbytes" is not known. Did you mean "maxBytes"?',
    },
    {
      name: 'joints',
      options: { 'x-robots-tag': 1 },
      line: 'option "x-robots-tag" is not known. Did you mean "xRobotsTag"?',
    },
    {
      name: 'a right name in a wrong place',
      options: { ttl: 1 },
      line: 'option "ttl" is not known. Did you mean "cache.ttl"?',
    },
    {
      name: 'the other way round',
      options: { cache: { deadline: 1 } },
      line: 'option "cache.deadline" is not known. Did you mean "deadline"?',
    },
    {
      name: 'what others call the URL',
      options: { hostname: 1 },
      line: 'option "hostname" is not known. Did you mean "site.url"?',
    },
    {
      name: 'inside site',
      options: { site: { ...site, descripton: 1 } },
      line: 'option "site.descripton" is not known. Did you mean "site.description"?',
    },
    {
      name: 'inside routes',
      options: { routes: { sitmap: '/a' } },
      line: 'option "routes.sitmap" is not known. Did you mean "routes.sitemap"?',
    },
    {
      name: 'inside cache',
      options: { cache: { memroy: 1 } },
      line: 'option "cache.memroy" is not known. Did you mean "cache.memory"?',
    },
    {
      name: 'inside feed',
      options: { feed: { section: [] } },
      line: 'option "feed.section" is not known. Did you mean "feed.sections"?',
    },
    {
      name: 'inside html',
      options: { html: { pagesize: 1 } },
      line: 'option "html.pagesize" is not known. Did you mean "html.pageSize"?',
    },
    {
      name: 'inside a provider',
      options: { providers: { a: { entries: [], maxShrnk: 1 } } },
      line: 'option "providers.a.maxShrnk" is not known. Did you mean "providers.a.maxShrink"?',
    },
    {
      name: "inside a provider's defaults",
      options: { providers: { a: { entries: [], defaults: { changeFreq: 'daily' } } } },
      line: 'option "providers.a.defaults.changeFreq" is not known. Did you mean "providers.a.defaults.changefreq"?',
    },
    ...[
      ['news', { lang: 'en' }, 'news.lang', 'news.language'],
      ['news', { publication: 'N' }, 'news.publication', 'news.name'],
      ['news', { nmae: 'N' }, 'news.nmae', 'news.name'],
      ['i18n', { locale: [] }, 'i18n.locale', 'i18n.locales'],
      ['i18n', { languages: [] }, 'i18n.languages', 'i18n.locales'],
      ['i18n', { 'x-default': 'en' }, 'i18n.x-default', 'i18n.xDefault'],
      ['i18n', { defaultLanguage: 'en' }, 'i18n.defaultLanguage', 'i18n.defaultLocale'],
      ['robots', { rules: [] }, 'robots.rules', 'robots.groups'],
      ['robots', { policies: [] }, 'robots.policies', 'robots.groups'],
      ['robots', { disallow: '/a' }, 'robots.disallow', 'robots.groups[0].disallow'],
      ['robots', { sitemap: '/a' }, 'robots.sitemap', 'robots.sitemaps'],
      [
        'robots',
        { groups: [{ 'user-agent': '*' }] },
        'robots.groups[0].user-agent',
        'robots.groups[0].userAgent',
      ],
      ['llms', { detail: 'a' }, 'llms.detail', 'llms.details'],
      ['llms', { title: 'a' }, 'llms.title', 'site.title'],
      ['feed', { hub: 'a' }, 'feed.hub', 'feed.hubs'],
      ['feed', { image: { url: '/a.png', heigth: 9 } }, 'feed.image.heigth', 'feed.image.height'],
      ['feed', { 'managing-editor': 'a' }, 'feed.managing-editor', 'feed.managingEditor'],
      ['html', { profile: 'a' }, 'html.profile', 'html.profileUri'],
      ['html', { strings: { fr: { sitmap: 'a' } } }, 'html.strings.fr.sitmap', 'html.strings.fr.sitemap'],
      [
        'html',
        { strings: { fr: { entries: { other: 'a', mnay: 'b' } } } },
        'html.strings.fr.entries.mnay',
        'html.strings.fr.entries.many',
      ],
      ['routes', { robotsTxt: '/robots.txt' }, 'routes.robotsTxt', 'routes.robots'],
      ['locales', [], 'locales', 'i18n.locales'],
      ['defaultLocale', 'en', 'defaultLocale', 'i18n.defaultLocale'],
      ['robotsTxt', true, 'robotsTxt', 'routes.robots'],
      ['generateRobotsTxt', true, 'generateRobotsTxt', 'routes.robots'],
      ['policies', [], 'policies', 'robots.groups'],
      ['hub', 'a', 'hub', 'feed.hubs'],
      ['xmlNs', {}, 'xmlNs', 'namespaces'],
      ['custom_namespaces', {}, 'custom_namespaces', 'namespaces'],
      ['atom', '/feed.atom', 'atom', 'routes.atom'],
      ['css', '/a.css', 'css', 'routes.css'],
      ['template', () => '', 'template', 'html.template'],
      ['userAgent', '*', 'userAgent', 'robots.groups[0].userAgent'],
    ].map(([option, value, name, meant]) => ({
      name: `${name} → ${meant}`,
      options: { [String(option)]: value },
      line: `option "${name}" is not known. Did you mean "${meant}"?`,
    })),
    ...['xsl', 'xslUrl', 'xslt'].map((name) => ({
      name: `${name}, which browsers drop`,
      options: { [name]: '/sitemap.xsl' },
      line: `option "${name}" is not known. Did you mean "routes.css"? A CSS file: XSLT is leaving browsers, and people have "routes.html".`,
    })),
    {
      name: 'a stylesheet of no document',
      options: { stylesheet: '/a.css' },
      line: 'option "stylesheet" is not known. Did you mean "routes.css"? A CSS file: XSLT is leaving browsers, and people have "routes.html". The page has "html.stylesheet".',
    },
    {
      name: 'a word of the page that is called like an option',
      options: { html: { strings: { en: { title: 'A' } } } },
      line: 'option "html.strings.en.title" is not known. Known here are sitemap, skip,',
    },
    {
      name: 'a default beside the defaults',
      options: { providers: { a: { entries: [], changefreq: 'daily' } } },
      line: 'option "providers.a.changefreq" is not known. Did you mean "providers.a.defaults.changefreq"?',
    },
    {
      name: 'the language of a provider in another word is not sent to the news',
      options: { providers: { a: { entries: [], language: 'fr' } } },
      line: 'option "providers.a.language" is not known. Known here are entries,',
    },
    {
      name: 'two letters of a short name swapped',
      options: { stie: 1 },
      line: 'option "stie" is not known. Did you mean "site"?',
    },
    {
      name: 'a host inside a provider',
      options: { providers: { a: { entries: [], hostname: 'x' } } },
      line: 'option "providers.a.hostname" is not known. Known here are entries,',
    },
    {
      name: 'an entry in place of a provider is not sent to site.url',
      options: { providers: { a: { entries: [], url: '/' } } },
      line: 'option "providers.a.url" is not known. Known here are entries, version, ttl, title, defaults, formats, lang, groups, optional, maxShrink, timeout, retries.',
    },
    {
      name: 'nothing near',
      options: { feed: { colour: 1 } },
      line: 'option "feed.colour" is not known. Known here are limit, sections, mediaType, content, image, ttl, hubs, copyright, author, managingEditor, webMaster, categories.',
    },
    {
      name: 'undefined too: the slip is in the name',
      options: { exlude: undefined },
      line: 'option "exlude" is not known. Did you mean "exclude"?',
    },
    {
      name: 'a key of every object',
      options: { constructor: 1 },
      line: 'option "constructor" is not known. Known here are site,',
    },
    {
      name: "Fastify's own keys, but at the top only",
      options: { cache: { logLevel: 1 } },
      line: 'option "cache.logLevel" is not known.',
    },
  ])('$name', ({ options, line }) => {
    const error = refusal({ ...least, ...options })
    expect(error.message).toContain(line)
    expect(error.message.split('\n')).toHaveLength(1)
    expect(error.code).toBe('LSM_ERR_OPTION_UNKNOWN')
  })
})
