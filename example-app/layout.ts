import { type Html, html } from './html.ts'
import { homePath, pagePath } from './links.ts'
import { isLocale, type Locale, shopName, texts } from './texts.ts'

/** What a page says about itself. */
export interface Page {
  readonly locale: Locale
  readonly title: string
  readonly description?: string | null
  /** Its own path, percent-encoded; absent on pages that have no address of their own, such as errors. */
  readonly path?: string
  /** Its language versions, this one included: language → path. */
  readonly alternates?: Readonly<Record<string, string>>
  /** In the words of meta robots. */
  readonly robots?: string | null
  readonly body: Html
}

/** A whole page: head with its address, languages, feed and sitemap; header, body, footer. */
export function layout(siteUrl: string, page: Page): string {
  const t = texts[page.locale]
  const alternates = Object.entries(page.alternates ?? {})
  const others = alternates.filter(([lang]) => isLocale(lang) && lang !== page.locale)
  const document = html`<!doctype html>
<html lang="${page.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} – ${shopName}</title>
${page.description ? html`<meta name="description" content="${page.description}">` : null}
${page.robots ? html`<meta name="robots" content="${page.robots}">` : null}
${page.path === undefined ? null : html`<link rel="canonical" href="${siteUrl}${page.path}">`}
${alternates.map(([lang, path]) => html`<link rel="alternate" hreflang="${lang}" href="${siteUrl}${path}">\n`)}
<link rel="alternate" type="application/rss+xml" title="${shopName}" href="/feed.rss">
<link rel="sitemap" type="application/xml" href="/sitemap.xml">
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header>
<a class="shop" href="${homePath(page.locale)}">${shopName}</a>
<nav>
<a href="/products">${t.products}</a>
<a href="${pagePath(page.locale, 'articles')}">${t.articles.title}</a>
<a href="${pagePath(page.locale, 'about')}">${t.about.title}</a>
</nav>
</header>
<main>
${page.body}
</main>
<footer>
${
  others.length > 0
    ? html`<p class="languages">${t.readIn} ${others.map(([lang, path]) =>
        isLocale(lang)
          ? html`<a lang="${lang}" hreflang="${lang}" href="${path}">${texts[lang].language}</a> `
          : null,
      )}</p>`
    : null
}
<p><a href="/sitemap.html">${t.sitemap}</a> <a href="/feed.rss">${t.feed}</a> <a href="/admin">Admin</a></p>
</footer>
</body>
</html>
`
  return document.toString()
}
