import { describe, expect, it } from 'vitest'
import { feedItem } from '../../src/shelves/feed-item.ts'
import { createCheck, ORIGIN } from '../entry/create-check.ts'

/** The feed item of an entry, as a walk makes it. */
function itemOf(fields: object) {
  const { check, published, feedFields } = createCheck()
  const input = { loc: '/a', title: 'A', ...fields }
  const entry = check(input)
  if (entry === undefined) throw new Error('left out')
  const date = published(input, entry)
  return feedItem(entry, date, (date ?? entry.lastmod)?.ms, feedFields(input, entry))
}

const video = { thumbnailLoc: '/t.png', title: 'V', description: 'D', contentLoc: '/v.mp4' }

describe('feed item', () => {
  it('keeps what feeds tell of', () => {
    expect(
      itemOf({
        description: 'D',
        lang: 'fr',
        lastmod: '2026-05-10',
        published: '2026-05-09',
        keywords: 'k',
        author: 'Ann',
        categories: 'c',
        content: '<p>',
        guid: 7,
        enclosure: { url: '/a.mp3', type: 'audio/mpeg', length: 1 },
        type: 'Product',
        sortOrder: 0,
        resourceOf: 'r',
        updatePeriod: 'day',
        images: ['/1.png', { loc: '/2.png', title: 'T', caption: 'C', geoLocation: 'Paris', license: '/l' }],
        videos: [
          {
            ...video,
            playerLoc: { loc: '/p', allowEmbed: true },
            duration: 60,
            expirationDate: '2030-01-01',
            restriction: { relationship: 'deny', countries: ['FR', 'US'] },
            rating: 4,
          },
        ],
        alternates: { fr: '/a', en: '/en/a' },
      }),
    ).toEqual({
      loc: `${ORIGIN}/a`,
      title: 'A',
      description: 'D',
      lang: 'fr',
      lastmod: '2026-05-10',
      published: '2026-05-09',
      dateMs: Date.UTC(2026, 4, 9),
      keywords: ['k'],
      author: ['Ann'],
      categories: ['c'],
      content: '<p>',
      guid: '7',
      enclosure: { url: `${ORIGIN}/a.mp3`, type: 'audio/mpeg', length: 1 },
      type: 'Product',
      sortOrder: 0,
      resourceOf: 'r',
      updatePeriod: 'day',
      images: [{ loc: `${ORIGIN}/1.png` }, { loc: `${ORIGIN}/2.png`, title: 'T', caption: 'C' }],
      videos: [
        {
          thumbnailLoc: `${ORIGIN}/t.png`,
          title: 'V',
          description: 'D',
          contentLoc: `${ORIGIN}/v.mp4`,
          playerLoc: `${ORIGIN}/p`,
          duration: 60,
          expirationDate: '2030-01-01',
          restriction: { relationship: 'deny', countries: 'FR US' },
        },
      ],
      alternates: [
        { hreflang: 'fr', href: `${ORIGIN}/a` },
        { hreflang: 'en', href: `${ORIGIN}/en/a` },
      ],
    })
  })

  it('leaves out what is absent, so that its JSON has one form', () => {
    const bare = JSON.stringify({ loc: `${ORIGIN}/a`, title: 'A' })
    expect(JSON.stringify(itemOf({}))).toBe(bare)
    expect(
      JSON.stringify(itemOf({ images: [], videos: null, alternates: {}, keywords: '', guid: null })),
    ).toBe(bare)
    expect(Object.keys(itemOf({ images: ['/1.png'] }).images?.[0] ?? {})).toEqual(['loc'])
    expect(Object.keys(itemOf({ videos: video }).videos?.[0] ?? {})).toEqual([
      'thumbnailLoc',
      'title',
      'description',
      'contentLoc',
    ])
  })

  it('has one JSON in whatever order the entry says things', () => {
    const fields = { description: 'D', guid: 'g', lastmod: '2026-05-10', author: 'Ann', sortOrder: 0 }
    const turned = Object.fromEntries(Object.entries(fields).reverse())
    expect(JSON.stringify(itemOf(turned))).toBe(JSON.stringify(itemOf(fields)))
  })

  it('keeps the first ten images and videos', () => {
    const twelve = Array.from({ length: 12 }, (_, i) => i)
    const { images, videos } = itemOf({
      images: twelve.map((i) => `/${i}.png`),
      videos: twelve.map((i) => ({ ...video, title: `V${i}` })),
    })
    expect(images?.map(({ loc }) => loc)).toEqual(twelve.slice(0, 10).map((i) => `${ORIGIN}/${i}.png`))
    expect(videos?.map(({ title }) => title)).toEqual(twelve.slice(0, 10).map((i) => `V${i}`))
  })
})
