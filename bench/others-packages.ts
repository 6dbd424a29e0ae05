/** Packages that others.ts installs when it runs, with as much of their types as it calls. */
import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { RequestHandler } from 'express'

export const PACKAGES = { 'express-sitemap-xml': '3.1.0', feed: '6.0.0' } as const

interface Url {
  readonly url: string
  readonly lastMod: string
}

export interface ExpressSitemapXml {
  (getUrls: () => Promise<readonly Url[]>, base: string): RequestHandler
  buildSitemaps(urls: readonly Url[], base: string): Promise<Readonly<Record<string, string>>>
}

export interface FeedItem {
  readonly id: string
  readonly title: string
  readonly link: string
  readonly description: string
  readonly date: Date
  readonly category: readonly { readonly name: string }[]
}

export type FeedClass = new (options: {
  readonly title: string
  readonly description: string
  readonly link: string
  readonly language: string
}) => { addItem(item: FeedItem): void; rss2(): string }

/** Installs them into a folder of their own; what they depend on is no business of ours. */
export async function installPackages(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-others-'))
  const names = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`)
  const install = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', '--no-save']
  await promisify(execFile)('npm', [...install, ...names], { cwd: folder })
  return folder
}

export function loadExpressSitemapXml(folder: string): ExpressSitemapXml {
  return createRequire(join(folder, 'package.json'))('express-sitemap-xml') as ExpressSitemapXml
}

export async function loadFeed(folder: string): Promise<FeedClass> {
  const file = pathToFileURL(createRequire(join(folder, 'package.json')).resolve('feed'))
  return ((await import(file.href)) as { readonly Feed: FeedClass }).Feed
}
