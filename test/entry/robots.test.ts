import { describe, expect, it } from 'vitest'
import { readRobots } from '../../src/entry/robots.ts'

const nothing = { noindex: false, link: undefined }
const link = { nofollow: false, noarchive: false, noanchortext: false }

describe('page directives in any spelling (SPEC 7.2, 7.3; DESIGN 5)', () => {
  it.each([
    { name: 'noindex', input: 'noindex', robots: { noindex: true, link: undefined } },
    { name: 'none', input: 'none', robots: { noindex: true, link: undefined } },
    { name: 'upper case', input: 'NOINDEX', robots: { noindex: true, link: undefined } },
    { name: 'nofollow', input: 'nofollow', robots: { noindex: false, link: { ...link, nofollow: true } } },
    { name: 'noarchive', input: 'NoArchive', robots: { noindex: false, link: { ...link, noarchive: true } } },
    {
      name: 'noanchortext',
      input: 'noanchortext',
      robots: { noindex: false, link: { ...link, noanchortext: true } },
    },
    {
      name: 'two with a comma',
      input: 'noindex, nofollow',
      robots: { noindex: true, link: { ...link, nofollow: true } },
    },
    {
      name: 'comma without space',
      input: 'nofollow,noarchive',
      robots: { noindex: false, link: { ...link, nofollow: true, noarchive: true } },
    },
    {
      name: 'spaces only',
      input: ' nofollow  noarchive ',
      robots: { noindex: false, link: { ...link, nofollow: true, noarchive: true } },
    },
    {
      name: 'semicolon',
      input: 'nofollow;noindex',
      robots: { noindex: true, link: { ...link, nofollow: true } },
    },
    {
      name: 'list',
      input: ['NOFOLLOW', 'noindex'],
      robots: { noindex: true, link: { ...link, nofollow: true } },
    },
    {
      name: 'list of texts with commas',
      input: ['noarchive, nofollow'],
      robots: { noindex: false, link: { ...link, nofollow: true, noarchive: true } },
    },
    { name: 'frozen list', input: Object.freeze(['noindex']), robots: { noindex: true, link: undefined } },
    { name: 'index, follow', input: 'index, follow', robots: nothing },
    { name: 'all', input: 'all', robots: nothing },
    { name: 'directives of snippets', input: 'max-snippet:-1, max-image-preview:large', robots: nothing },
    { name: 'part of a word', input: 'noindexing, xnone', robots: nothing },
    { name: 'undefined', input: undefined, robots: undefined },
    { name: 'null', input: null, robots: undefined },
    { name: 'empty text', input: '', robots: undefined },
    { name: 'empty list', input: [], robots: undefined },
    { name: 'number', input: 1, robots: undefined },
    { name: 'object', input: { index: false }, robots: undefined },
    { name: 'list of no texts', input: [null, 1, {}, Symbol('noindex')], robots: undefined },
  ])('$name', ({ input, robots }) => {
    expect(readRobots(input)).toEqual(robots)
  })
})
