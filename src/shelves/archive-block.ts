import { type Block, inflated } from './blob.ts'
import type { SpoolArchive } from './spool.ts'

/** A block that lies in an archive; `gone` is called when nobody needs it any more. It comes without a holder. */
export function createArchiveBlock(
  { digest, bytes }: { readonly digest: string; readonly bytes: number },
  archive: SpoolArchive,
  offset: number,
  length: number,
  gone: () => void,
): Block {
  let holders = 0
  const coded = (): Promise<Buffer> => archive.read(offset, length)
  return {
    digest,
    bytes,
    coded,
    raw: async () => inflated(await coded(), bytes),
    retain() {
      holders++
    },
    // The archive goes with the last of its blocks: what is walked anew is written anew.
    isWasteful: () => true,
    release() {
      holders--
      if (holders === 0) gone()
    },
  }
}
