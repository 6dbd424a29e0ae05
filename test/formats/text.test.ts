import { expect, it } from 'vitest'
import { textLine } from '../../src/formats/text.ts'

it('a text sitemap is the locs as they stand, one a line (SPEC T1 to T3)', () => {
  const locs = ['https://example.com/?a=1&b=2', 'https://example.com/%C3%BC', "https://example.com/it's"]
  expect(locs.map(textLine).join('')).toBe(
    "https://example.com/?a=1&b=2\nhttps://example.com/%C3%BC\nhttps://example.com/it's\n",
  )
})
