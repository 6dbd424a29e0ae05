import type { Matter } from './classes.ts'

/** Each matter's bit, so that what counts for an element is one number. */
export const BITS: Readonly<Record<Matter, number>> = { follow: 1, index: 2, archive: 4, anchortext: 8 }

/** What one element says by its own classes: bits of the matters it restricts and of those it allows. */
export interface Speech {
  readonly no: number
  readonly yes: number
}

/** What most elements say. */
export const SILENCE: Speech = { no: 0, yes: 0 }

const WORDS: ReadonlyMap<string, Speech> = new Map(
  Object.entries(BITS).flatMap(([matter, bit]) => [
    [`robots-no${matter}`, { no: bit, yes: 0 }],
    [`robots-${matter}`, { no: 0, yes: bit }],
  ]),
)

/** Reads a `class` attribute. Classes add up (SPEC H30), their case counts, and beside its opposite the "no" one wins (H35). */
export function readSpeech(classes: string | undefined): Speech {
  if (classes === undefined || !classes.includes('robots-')) return SILENCE
  let no = 0
  let yes = 0
  for (const name of classes.split(/[\t\n\f\r ]+/)) {
    const word = WORDS.get(name)
    no |= word?.no ?? 0
    yes |= word?.yes ?? 0
  }
  return { no, yes: yes & ~no }
}

/** What is restricted inside an element: what it says itself, and of the rest what is restricted around it (SPEC H36, H37). */
export function restricted({ no, yes }: Speech, around: number): number {
  return (around & ~yes) | no
}
