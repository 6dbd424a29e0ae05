import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** What a process is told that makes all parts of `entries` plain entries, gzip'd, as files of a folder. */
export interface PartsOrder {
  readonly entries: number
  /** An empty folder; the files are named `1.xml.gz` … in the order of their entries. */
  readonly folder: string
  /** live-sitemap alone: what else the one walk serves. */
  readonly formats?: 'xml' | 'all'
}

/** What it took. */
export interface PartsMade {
  /** From the first entry to the last byte of the last file. */
  readonly ms: number
  readonly parts: number
  readonly bytes: number
  /** Resident bytes: before, at the peak, and after all that can be collected was. */
  readonly before: number
  readonly peak: number
  readonly after: number
  /** Digest of all locs and lastmods, in order: candidates that differ made something else. */
  readonly content: string
  /** live-sitemap alone: what it says it holds, and what lies in its folder. */
  readonly held?: number
  readonly spooled?: number
}

/** The digest of {@link PartsMade}; called when the clock has stopped. */
export async function contentOf(folder: string, parts: number): Promise<string> {
  const hash = createHash('sha256')
  for (let n = 1; n <= parts; n++) {
    const text = gunzipSync(await readFile(join(folder, `${n}.xml.gz`))).toString()
    for (const fact of factsOf(text)) hash.update(fact)
  }
  return hash.digest('hex')
}

/** What a urlset says, however it is laid out. */
export function factsOf(urlset: string): string[] {
  return urlset.match(/<(loc|lastmod)>[^<]*/g) ?? []
}

/** Bytes of all files of a folder and those in it. */
export async function folderBytes(folder: string): Promise<number> {
  let bytes = 0
  for (const one of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    if (one.isFile()) bytes += (await stat(join(one.parentPath, one.name)).catch(() => undefined))?.size ?? 0
  return bytes
}
