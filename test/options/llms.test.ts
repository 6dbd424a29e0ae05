import { describe, expect, it } from 'vitest'
import { refuseAll, resolve } from './resolving.ts'

const providers = { pages: ['/'], posts: ['/a'], goods: { entries: [], formats: ['xml'] } }

describe('llms', () => {
  it('keeps the order of its sections, each once', () => {
    const llms = { sections: ['posts', 'pages', 'posts'], optional: ['pages'], limit: 10_000 }
    expect(resolve({ providers, llms }).llms).toEqual({
      details: undefined,
      sections: ['posts', 'pages'],
      optional: new Set(['pages']),
      limit: 10_000,
    })
  })

  it('optional sections may be named without the others', () => {
    expect(resolve({ providers, llms: { optional: ['posts'] } }).llms).toMatchObject({
      sections: undefined,
      optional: new Set(['posts']),
    })
  })

  it.each([
    'One line.',
    'Prices are in **euro**.\n\n- a\n- b\n',
    'C# and F#',
    'Above\n\n---\n\nbelow',
    '> quoted # text',
    '| a | b |\n| --- | --- |\n| 1 | 2 |',
  ])('details %j are Markdown without headings (SPEC X13)', (details) => {
    expect(resolve({ llms: { details } }).llms.details).toBe(details)
  })

  it.each(['', ' \n'])('details %j say nothing', (details) => {
    expect(resolve({ llms: { details } }).llms.details).toBeUndefined()
  })
})

describe('faults', () => {
  refuseAll([
    {
      name: 'llms true',
      more: { llms: true },
      line: 'option "llms" is true (boolean): expected an object. Its keys are details, sections, optional, limit.',
    },
    {
      name: 'details as a list',
      more: { llms: { details: ['a'] } },
      line: 'option "llms.details" is a list of 1 (object): expected Markdown.',
    },
    ...[
      '# A',
      'a\n## B\nc',
      '#tag',
      '  # A',
      'a\r\n#B',
      'a\r# B',
      'Title\n===',
      'Title \r\n  --',
      'a\n-\n',
    ].map((details) => ({
      name: `a heading in ${JSON.stringify(details)} (SPEC X13)`,
      more: { llms: { details } },
      line: `option "llms.details" is ${JSON.stringify(details)} (string): expected Markdown without headings: no line that begins with #, or that is underlined with = or -. Write **bold** for it.`,
    })),
    {
      name: 'no section',
      more: { llms: { sections: [] } },
      line: 'option "llms.sections" is a list of 0 (object): expected a list of sections that is not empty. Leave it out for all; to switch the document off write routes: { llms: false }.',
    },
    {
      name: 'a slip in a section',
      more: { providers, llms: { sections: ['pages', 'post'] } },
      line: 'option "llms.sections" is a list with "post" (string): expected sections of providers. Did you mean "posts"?',
    },
    {
      name: 'a section without titles',
      more: { providers, llms: { sections: ['goods'] } },
      line: `option "llms.sections" is a list with "goods" (string): expected sections with the format html. Add 'html' to providers.goods.formats, or take the section out of the list.`,
    },
    {
      name: 'optional as text',
      more: { providers, llms: { optional: 'posts' } },
      line: `option "llms.optional" is "posts" (string): expected a list of sections. Write ['archive'], or leave it out.`,
    },
    {
      name: 'an unknown optional section',
      more: { providers, llms: { optional: ['archive'] } },
      line: 'option "llms.optional" is a list with "archive" (string): expected sections of providers. Known are pages, posts, goods.',
    },
    {
      name: 'an optional section that takes no part',
      more: { providers, llms: { sections: ['pages'], optional: ['posts'] } },
      line: 'option "llms.optional" is a list with "posts" (string): expected sections of llms.sections. Add it there, or take it out here.',
    },
    ...[0, 10_001, 1.5, '10'].map((limit) => ({
      name: `limit ${JSON.stringify(limit)}`,
      more: { llms: { limit } },
      line: `: expected a whole number from 1 to 10,000. Write 1000, or leave it out.`,
    })),
  ])
})
