/** What a browser knows of a page, asked of it by code that runs in the page: it is text (see dom.d.ts). */
import type { Page } from 'playwright-core'

/** Contrast of two colours that the browser has computed, as WCAG 2 counts it; 1 where they are the same. */
const CONTRAST = `
  const luminance = (colour) => {
    const parts = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
    const [red, green, blue] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const contrast = (one, other) => {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
    return (light + 0.05) / (dark + 0.05)
  }`

/** Pixels by which the page is wider than the window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

/** Elements that stick out of the window, where no scrolling may reach them. */
export function outside(page: Page): Promise<string[]> {
  return page.evaluate(`
    [...document.querySelectorAll('body :not(.skip), loc')].filter((element) => {
      const { left, right, width } = element.getBoundingClientRect()
      return width > 0 && (left < -0.5 || right > innerWidth + 0.5)
    }).map((element) => element.outerHTML.slice(0, 200))`)
}

/** Texts of the page that can hardly be told from its ground, or take no room. */
export function unreadable(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    ${CONTRAST}
    const ground = getComputedStyle(document.documentElement).backgroundColor
    const paper = /^rgba.*, 0\\)$/.test(ground) ? 'rgb(255, 255, 255)' : ground
    return [...document.querySelectorAll('h1, h2, main p, main a, dt, dd')].filter((element) => {
      const { width, height } = element.getBoundingClientRect()
      if (getComputedStyle(element).visibility !== 'visible' || element.checkVisibility() === false) return false
      const style = getComputedStyle(element)
      const own = /^rgba.*, 0\\)$/.test(style.backgroundColor) ? paper : style.backgroundColor
      return width < 4 || height < 4 || contrast(style.color, own) < 4.5
    }).map((element) => element.outerHTML.slice(0, 200))
  })()`)
}

/** How many of the elements that a selector names are shown. */
export function shown(page: Page, selector: string): Promise<number> {
  return page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].filter((element) => element.checkVisibility()).length`,
  )
}

/** Rules of the stylesheets that were taken. */
export function rulesTaken(page: Page): Promise<number> {
  return page.evaluate('[...document.styleSheets].reduce((sum, { cssRules }) => sum + cssRules.length, 0)')
}

/** What the keyboard is at. */
export interface Focus {
  readonly html: string
  readonly href: string
  readonly class: string
  readonly isInMain: boolean
  /** Its ring, in pixels; 0 where there is none to see. */
  readonly outline: number
  readonly width: number
}

export function focus(page: Page): Promise<Focus> {
  return page.evaluate(`(() => {
    const element = document.activeElement
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return {
      html: element.outerHTML.slice(0, 200),
      href: element.getAttribute('href') ?? '',
      class: element.className,
      isInMain: element.closest('main') !== null,
      outline: outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth),
      width: element.getBoundingClientRect().width,
    }
  })()`)
}

/** Addresses of the links that a selector names, as they are written. */
export function hrefs(page: Page, selector: string): Promise<string[]> {
  return page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map((link) => link.getAttribute('href'))`,
  )
}

/** A row of a sitemap: how it is set, and the size and contrast of its address. */
export interface Row {
  readonly display: string
  readonly width: number
  readonly height: number
  readonly contrast: number
  /** Part of the address lies outside of its box, where paint containment cuts it off without a bar to scroll. */
  readonly isCut: boolean
}

/** Rows of a urlset or sitemapindex. */
export function rows(page: Page): Promise<Row[]> {
  return page.evaluate(`(() => {
    ${CONTRAST}
    const ground = getComputedStyle(document.documentElement).backgroundColor
    const list = [...document.documentElement.children]
    const locs = list.map((row) => [...row.children].find(({ localName }) => localName === 'loc'))
    const boxes = locs.map((loc) => loc.getBoundingClientRect())
    const contrasts = locs.map((loc) => contrast(getComputedStyle(loc).color, ground))
    const displays = list.map((row) => getComputedStyle(row).display)
    return list.map((_, index) => ({
      display: displays[index],
      width: boxes[index].width,
      height: boxes[index].height,
      contrast: contrasts[index],
      isCut: displays[index] !== 'inline' && locs[index].scrollWidth > locs[index].clientWidth,
    }))
  })()`)
}

/** Names of the elements of other namespaces than the root's that take room. */
export function foreign(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('*')].filter((element) => {
    const { width, height } = element.getBoundingClientRect()
    return element.namespaceURI !== document.documentElement.namespaceURI && width * height > 0
  }).map(({ nodeName }) => nodeName)`)
}

/** What stands before or after the root. */
export function pseudo(page: Page, name: '::before' | '::after'): Promise<{ readonly display: string }> {
  return page.evaluate(`({ display: getComputedStyle(document.documentElement, '${name}').display })`)
}
