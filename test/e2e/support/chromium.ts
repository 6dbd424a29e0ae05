import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** Quiet and small; a container has no user namespaces for the sandbox, and opens pages of this test only. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ARGUMENTS })
}

/** One page, in which one document after the other is opened: a new page costs more than what is looked at in it. */
export interface Viewer {
  readonly page: Page
  /**
   * What has gone wrong since the last {@link Viewer.open}: console errors and warnings (a refused stylesheet is one),
   * requests to another origin, answers of 400 and above.
   */
  readonly faults: readonly string[]
  /** Opens the URL, as wide as a desk, in light colours, on a screen. */
  open(url: string): Promise<void>
}

export async function createViewer(browser: Browser, options: BrowserContextOptions = {}): Promise<Viewer> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const faults: string[] = []
  let origin = ''
  page.on('console', (message) => {
    if (/^(?:error|warning|assert)$/.test(message.type())) faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`))
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) faults.push(`request to ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} for ${response.url()}`)
  })
  return {
    page,
    faults,
    async open(url) {
      faults.length = 0
      origin = new URL(url).origin
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.emulateMedia({ media: 'screen', colorScheme: 'light', forcedColors: 'none' })
      await page.goto(url)
    },
  }
}

/** WCAG 2.0 to 2.2, levels A and AA, and what axe calls good practice. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const RULES_OF_LOOKS = ['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable']

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Puts axe into the page; by the debugger, which no Content-Security-Policy keeps out. */
export async function addAxe(page: Page): Promise<void> {
  await page.evaluate(AXE)
}

/** What axe finds wrong in the page as it looks now, a line each: rule, element, reason. */
export function axeViolations(page: Page): Promise<string[]> {
  return runAxe(page, { type: 'tag', values: TAGS })
}

/** The same, by those rules alone that look at colours and sizes. */
export function axeViolationsOfLooks(page: Page): Promise<string[]> {
  return runAxe(page, { type: 'rule', values: RULES_OF_LOOKS })
}

function runAxe(page: Page, runOnly: object): Promise<string[]> {
  return page.evaluate<string[]>(`
    axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => [id, html, failureSummary].join(' | ')),
      ),
    )`)
}
