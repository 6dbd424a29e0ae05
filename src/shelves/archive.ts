import type { RowHistory } from '../table/rows.ts'
import { createArchiveBlock } from './archive-block.ts'
import type { Block } from './blob.ts'
import { recordOf, type SnapshotRecord, snapshotOf } from './record.ts'
import type { SavedShelf } from './shelf.ts'
import type { Spool, SpoolArchive } from './spool.ts'

/** Shelves, and what their table knew. */
export interface SavedShelves {
  readonly sections: ReadonlyMap<string, SavedShelf>
  readonly rows: RowHistory
}

/** What has left memory as a whole: one file. */
export interface Archived {
  /** What was there; undefined where the file cannot be read. The archive is taken: it goes with the last of its blocks. */
  open(): Promise<SavedShelves | undefined>
  remove(): void
}

/** The last piece of an archive's file. */
interface Contents {
  readonly sections: readonly (readonly [section: string, ArchivedShelf])[]
  readonly rows: RowHistory
  /** Place of each block in the file. */
  readonly blocks: Readonly<Record<string, readonly [offset: number, length: number]>>
}

interface ArchivedShelf extends Omit<SavedShelf, 'snapshot' | 'staleAtMs'> {
  readonly record: SnapshotRecord
  /** Null for ever. */
  readonly staleAtMs: number | null
}

/** Writes them into a file. Its snapshots stay the caller's. */
export async function archiveShelves(saved: SavedShelves, spool: Spool): Promise<Archived> {
  const bytes: Buffer[] = []
  const places: Record<string, readonly [number, number]> = {}
  let end = 0
  const sections: [string, ArchivedShelf][] = []
  for (const [section, { snapshot, staleAtMs, ...state }] of saved.sections) {
    const { record, blocks } = recordOf(snapshot)
    for (const block of blocks) {
      if (places[block.digest] !== undefined) continue
      const coded = await block.coded()
      places[block.digest] = [end, coded.length]
      bytes.push(coded)
      end += coded.length
    }
    sections.push([section, { ...state, record, staleAtMs: Number.isFinite(staleAtMs) ? staleAtMs : null }])
  }
  const contents: Contents = { sections, rows: saved.rows, blocks: places }
  const tail = Buffer.from(JSON.stringify(contents))
  const archive = await spool.archive([...bytes, tail])
  return {
    open: () => openArchive(archive, end, tail.length),
    remove: () => archive.remove(),
  }
}

async function openArchive(
  archive: SpoolArchive,
  offset: number,
  length: number,
): Promise<SavedShelves | undefined> {
  let contents: Contents
  try {
    contents = JSON.parse((await archive.read(offset, length)).toString('utf8')) as Contents
  } catch {
    archive.remove()
    return undefined
  }
  const open = blockOpener(archive, contents.blocks)
  const sections = new Map<string, SavedShelf>()
  for (const [section, { record, staleAtMs, ...state }] of contents.sections) {
    const snapshot = snapshotOf(record, 0, open)
    if (snapshot !== undefined)
      sections.set(section, { ...state, snapshot, staleAtMs: staleAtMs ?? Number.POSITIVE_INFINITY })
  }
  return { sections, rows: contents.rows }
}

/** Blocks of an archive, equal ones shared; with the last of them the file goes. */
function blockOpener(archive: SpoolArchive, places: Contents['blocks']) {
  const opened = new Map<string, Block>()
  let needed = 0
  return (record: { readonly digest: string; readonly bytes: number }): Block => {
    let block = opened.get(record.digest)
    if (block === undefined) {
      const [offset, length] = places[record.digest] ?? [0, 0]
      needed++
      block = createArchiveBlock(record, archive, offset, length, () => {
        opened.delete(record.digest)
        needed--
        if (needed === 0) archive.remove()
      })
      opened.set(record.digest, block)
    }
    block.retain()
    return block
  }
}
