import { describe, expect, it } from 'vitest'
import { renderUrl } from '../../src/formats/urlset.ts'
import { ORIGIN, type Rules, taken } from './create-check.ts'

const needed = { thumbnailLoc: '/t.png', title: 'T', description: 'D', contentLoc: '/v.mp4' }

/** What a video with these fields more is written as, behind its description and content_loc, and what was told. */
function written(more: object, rules: Rules = {}) {
  const { entry, reasons, noted } = taken({ loc: '/a', videos: { ...needed, ...more } }, rules)
  const xml = renderUrl(entry)
  const start = xml.indexOf('</video:content_loc>')
  return {
    xml: xml.slice(start + '</video:content_loc>'.length, xml.indexOf('</video:video>')),
    reasons,
    noted,
  }
}

/** The whole `video:video` elements of an entry. */
function videosOf(videos: unknown) {
  const { entry, reasons } = taken({ loc: '/a', title: 'Page', videos })
  return { xml: renderUrl(entry).replace(/^<url><loc>[^<]*<\/loc>|<\/url>\n$/g, ''), reasons }
}

const NEEDED_XML =
  `<video:video><video:thumbnail_loc>${ORIGIN}/t.png</video:thumbnail_loc><video:title>T</video:title>` +
  '<video:description>D</video:description>'
const VIDEO_XML = `${NEEDED_XML}<video:content_loc>${ORIGIN}/v.mp4</video:content_loc></video:video>`

describe('videos of an entry (SPEC E20)', () => {
  it.each([
    { name: 'one object', videos: needed, count: 1 },
    { name: 'list of one', videos: [needed], count: 1 },
    { name: 'list', videos: [needed, needed], count: 2 },
    { name: 'list with nothing in it', videos: [null, needed, undefined], count: 1 },
    { name: 'empty list', videos: [], count: 0 },
    { name: 'null', videos: null, count: 0 },
    { name: 'empty text', videos: '', count: 0 },
  ])('$name → $count, without a word', ({ videos, count }) => {
    expect(videosOf(videos)).toEqual({ xml: VIDEO_XML.repeat(count), reasons: [] })
  })

  it.each([
    { name: 'text', video: '/v.mp4', reason: /not an object/ },
    { name: 'number', video: 1, reason: /not an object/ },
    {
      name: 'one that cannot be listed',
      video: new Proxy(
        {},
        {
          ownKeys() {
            throw new Error('lazy')
          },
        },
      ),
      reason: /video cannot be read/,
    },
    { name: 'no thumbnail (E21)', video: { ...needed, thumbnailLoc: null }, reason: /lacks thumbnailLoc/ },
    {
      name: 'thumbnail that is no URL (E21)',
      video: { ...needed, thumbnailLoc: 'https://' },
      reason: /thumbnailLoc/,
    },
    { name: 'no title (E22)', video: { ...needed, title: ' ' }, reason: /lacks title/ },
    { name: 'title that is no text (E22)', video: { ...needed, title: {} }, reason: /title/ },
    {
      name: 'no description (E23)',
      video: { ...needed, description: undefined },
      reason: /lacks description/,
    },
    {
      name: 'neither content nor player (E24, E25)',
      video: { ...needed, contentLoc: '' },
      reason: /lacks both/,
    },
    {
      name: 'only the page as content (E24)',
      video: { ...needed, contentLoc: '/a' },
      reason: /loc of the page/,
    },
    {
      name: 'only the page as player (E25)',
      video: { ...needed, contentLoc: null, playerLoc: { loc: `${ORIGIN}/a#x` } },
      reason: /loc of the page/,
    },
    { name: 'a streaming protocol', video: { ...needed, contentLoc: 'rtsp://e.com/v' }, reason: /not http/ },
  ])('one that cannot be used leaves, its neighbours and its entry stay: $name', ({ video, reason }) => {
    const { xml, reasons } = videosOf([needed, video, needed])
    expect(xml).toBe(VIDEO_XML.repeat(2))
    expect(reasons).toContainEqual(expect.stringMatching(reason))
  })

  it('1,000 at most; the rest is told once', () => {
    const { xml, reasons } = videosOf(Array.from({ length: 1_002 }, () => needed))
    expect(xml).toBe(VIDEO_XML.repeat(1_000))
    expect(reasons).toEqual(['videos beyond 1000'])
  })

  it('every tag, in the order of the schema, whatever the order of the fields (D8)', () => {
    const all = {
      id: [{ type: 'url', value: 'https://e.com/1' }],
      live: false,
      platform: { relationship: 'deny', platforms: ['tv'] },
      tvshow: {
        premierDate: '2026-05-10',
        episodeNumber: 2,
        seasonNumber: 1,
        episodeTitle: 'E',
        videoType: 'full',
        showTitle: 'S',
      },
      uploader: { name: 'U', info: '/u' },
      requiresSubscription: true,
      price: [{ value: 1.5, currency: 'EUR', type: 'rent', resolution: 'HD' }],
      galleryLoc: { loc: '/g', title: 'G' },
      restriction: { relationship: 'allow', countries: ['FR', 'CA'] },
      familyFriendly: true,
      category: 'C',
      tag: ['a', 'b'],
      publicationDate: '2026-05-09',
      viewCount: 7,
      contentSegmentLoc: [{ loc: '/s', duration: 3 }],
      rating: 4.5,
      expirationDate: '2027-01-01',
      duration: 60,
      playerLoc: { loc: '/p', allowEmbed: true, autoplay: 'ap=1' },
      contentLoc: '/v.mp4',
      description: 'D',
      title: 'T',
      thumbnailLoc: '/t.png',
    }
    expect(videosOf(all)).toEqual({
      xml:
        `${NEEDED_XML}<video:content_loc>${ORIGIN}/v.mp4</video:content_loc>` +
        `<video:player_loc allow_embed="yes" autoplay="ap=1">${ORIGIN}/p</video:player_loc>` +
        '<video:duration>60</video:duration><video:expiration_date>2027-01-01</video:expiration_date>' +
        `<video:rating>4.5</video:rating><video:content_segment_loc duration="3">${ORIGIN}/s</video:content_segment_loc>` +
        '<video:view_count>7</video:view_count><video:publication_date>2026-05-09</video:publication_date>' +
        '<video:tag>a</video:tag><video:tag>b</video:tag><video:category>C</video:category>' +
        '<video:family_friendly>yes</video:family_friendly>' +
        '<video:restriction relationship="allow">FR CA</video:restriction>' +
        `<video:gallery_loc title="G">${ORIGIN}/g</video:gallery_loc>` +
        '<video:price currency="EUR" type="rent" resolution="HD">1.5</video:price>' +
        '<video:requires_subscription>yes</video:requires_subscription>' +
        `<video:uploader info="${ORIGIN}/u">U</video:uploader>` +
        '<video:tvshow><video:show_title>S</video:show_title><video:video_type>full</video:video_type>' +
        '<video:episode_title>E</video:episode_title><video:season_number>1</video:season_number>' +
        '<video:episode_number>2</video:episode_number><video:premier_date>2026-05-10</video:premier_date></video:tvshow>' +
        '<video:platform relationship="deny">tv</video:platform><video:live>no</video:live>' +
        '<video:id type="url">https://e.com/1</video:id></video:video>',
      reasons: [],
    })
  })
})

describe('texts have the length of the schema, in characters', () => {
  it.each([
    { name: 'title (E22)', field: 'title', tag: 'title', longest: 100 },
    { name: 'description (E23)', field: 'description', tag: 'description', longest: 2_048 },
    { name: 'category (E33)', field: 'category', tag: 'category', longest: 256 },
    { name: 'uploader (E39)', field: 'uploader', tag: 'uploader', longest: 255 },
  ])('$name: $longest', ({ field, tag, longest }) => {
    const textIn = (value: string) => {
      const { xml, reasons } = videosOf({ ...needed, [field]: value })
      return { text: new RegExp(`<video:${tag}>([^<]*)<`).exec(xml)?.[1], reasons }
    }
    const fits = '😀'.repeat(longest)
    expect(textIn(fits)).toEqual({ text: fits, reasons: [] })
    expect(textIn(`  ${fits}\n`)).toEqual({ text: fits, reasons: [] })
    const reasons = [`video ${field} is longer than ${longest} characters and was cut`]
    expect(textIn(`${fits}a`)).toEqual({ text: fits, reasons })
    expect(textIn(`${'a'.repeat(longest - 1)} b`)).toEqual({ text: 'a'.repeat(longest - 1), reasons })
    const { text, reasons: told } = textIn('😀'.repeat(1_000_000))
    expect([...(text ?? '')].length).toBeLessThanOrEqual(longest)
    expect(text?.isWellFormed()).toBe(true)
    expect(told).toEqual(reasons)
  })
})

describe('player_loc and content_loc (SPEC E24, E25)', () => {
  it.each([
    { name: 'text', playerLoc: '/p?a&b', xml: `<video:player_loc>${ORIGIN}/p?a&amp;b</video:player_loc>` },
    {
      name: 'URL',
      playerLoc: new URL(`${ORIGIN}/p`),
      xml: `<video:player_loc>${ORIGIN}/p</video:player_loc>`,
    },
    {
      name: 'object with url',
      playerLoc: { url: '/p' },
      xml: `<video:player_loc>${ORIGIN}/p</video:player_loc>`,
    },
    {
      name: 'attributes',
      playerLoc: { loc: '/p', allowEmbed: 'No', autoplay: 'a="1"&b' },
      xml: `<video:player_loc allow_embed="no" autoplay="a=&quot;1&quot;&amp;b">${ORIGIN}/p</video:player_loc>`,
    },
  ])('$name', ({ playerLoc, xml }) => {
    expect(written({ playerLoc })).toMatchObject({ xml, reasons: [] })
  })

  it('a bad attribute leaves alone', () => {
    const { xml, reasons } = written({ playerLoc: { loc: '/p', allowEmbed: 'maybe', autoplay: {} } })
    expect(xml).toBe(`<video:player_loc>${ORIGIN}/p</video:player_loc>`)
    expect(reasons).toEqual([
      'video playerLoc allowEmbed is not yes or no',
      'video playerLoc autoplay is not text',
    ])
  })

  it('the page itself is neither, and the other one is enough', () => {
    const { xml, reasons } = videosOf({ ...needed, contentLoc: `${ORIGIN}/a`, playerLoc: '/p' })
    expect(xml).toBe(`${NEEDED_XML}<video:player_loc>${ORIGIN}/p</video:player_loc></video:video>`)
    expect(reasons).toEqual(['video contentLoc is the loc of the page'])
  })
})

describe('duration (SPEC E26)', () => {
  it.each([
    { duration: 1, seconds: 1 },
    { duration: 28_800, seconds: 28_800 },
    { duration: 59.5, seconds: 60 },
    { duration: 28_800.4, seconds: 28_800 },
    { duration: '90', seconds: 90 },
    { duration: ' 90.4 ', seconds: 90 },
    { duration: '1:30', seconds: 90 },
    { duration: '90:00', seconds: 5_400 },
    { duration: '01:17:57', seconds: 4_677 },
    { duration: '1:17:57.6', seconds: 4_678 },
    { duration: 'PT1H17M57S', seconds: 4_677 },
    { duration: 'pt90s', seconds: 90 },
    { duration: 'PT1.5H', seconds: 5_400 },
    { duration: 'P0DT0H1M0,6S', seconds: 61 },
    { duration: 'PT8H', seconds: 28_800 },
  ])('$duration → $seconds', ({ duration, seconds }) => {
    expect(written({ duration })).toMatchObject({
      xml: `<video:duration>${seconds}</video:duration>`,
      reasons: [],
    })
  })

  it.each([
    { duration: 0 },
    { duration: 0.4 },
    { duration: -5 },
    { duration: 28_801 },
    { duration: 99_999_999 },
    { duration: Number.NaN },
    { duration: Number.POSITIVE_INFINITY },
    { duration: 'PT' },
    { duration: 'P' },
    { duration: 'P1D' },
    { duration: 'P1M' },
    { duration: 'PT1H17' },
    { duration: '1:75' },
    { duration: '1:75:00' },
    { duration: '1:2:3:4' },
    { duration: '1h' },
    { duration: '1e3' },
    { duration: '0x10' },
    { duration: 'long' },
    { duration: `${'9'.repeat(100_000)}` },
    { duration: true },
    { duration: {} },
  ])('dropped: $duration', ({ duration }) => {
    expect(written({ duration })).toMatchObject({
      xml: '',
      reasons: ['video duration is not 1 to 28,800 seconds, as a number, HH:MM:SS or ISO 8601'],
    })
  })
})

describe('dates (SPEC E27, E31)', () => {
  it.each([
    { name: 'day (W3)', date: '2026-05-10', text: '2026-05-10' },
    { name: 'minutes (W4)', date: '2026-05-10T10:20+01:00', text: '2026-05-10T10:20:00+01:00' },
    { name: 'Date', date: new Date(Date.UTC(2026, 4, 10)), text: '2026-05-10T00:00:00Z' },
    { name: 'fraction (W6)', date: '2026-05-10T10:20:30.45Z', text: '2026-05-10T10:20:30Z' },
    {
      name: 'fraction and zone (W6)',
      date: '2026-05-10T10:20:30.999-03:00',
      text: '2026-05-10T10:20:30-03:00',
    },
  ])('$name', ({ date, text }) => {
    expect(written({ expirationDate: date, publicationDate: date })).toMatchObject({
      xml: `<video:expiration_date>${text}</video:expiration_date><video:publication_date>${text}</video:publication_date>`,
      reasons: [],
    })
  })

  it.each(['2026', '2026-05', '2026-02-30', 'soon'])('dropped: %s', (date) => {
    const { xml, reasons } = written({ expirationDate: date, publicationDate: date })
    expect(xml).toBe('')
    expect(reasons).toEqual([
      expect.stringMatching(/^video expirationDate is /),
      expect.stringMatching(/^video publicationDate is /),
    ])
  })
})

/** Rows of one field: what it is given and what it is written as. */
function fieldRows(
  row: string,
  field: string,
  rows: readonly { readonly given: unknown; readonly xml: string }[],
  refused: readonly unknown[],
): void {
  describe(`${field} (SPEC ${row})`, () => {
    it.each(rows.map(({ given, xml }) => ({ given, xml })))('$given → $xml', ({ given, xml }) => {
      expect(written({ [field]: given })).toMatchObject({ xml, reasons: [] })
    })

    it.each(refused.map((given) => ({ given })))('dropped: $given', ({ given }) => {
      const { xml, reasons } = written({ [field]: given })
      expect(xml).toBe('')
      expect(reasons.length).toBeGreaterThan(0)
      for (const reason of reasons) expect(reason).toMatch(new RegExp(`^video ${field}\\b`))
    })

    it.each([{ given: null }, { given: undefined }, { given: '' }])(
      'nothing, without a word: $given',
      ({ given }) => {
        expect(written({ [field]: given })).toMatchObject({ xml: '', reasons: [] })
      },
    )
  })
}

fieldRows(
  'E28',
  'rating',
  [
    { given: 0, xml: '<video:rating>0.0</video:rating>' },
    { given: 5, xml: '<video:rating>5.0</video:rating>' },
    { given: 4.256, xml: '<video:rating>4.26</video:rating>' },
    { given: 1e-9, xml: '<video:rating>0.0</video:rating>' },
    { given: '3.5', xml: '<video:rating>3.5</video:rating>' },
  ],
  [5.1, -0.1, '4,5', 'good', Number.NaN, {}],
)

fieldRows(
  'E30',
  'viewCount',
  [
    { given: 0, xml: '<video:view_count>0</video:view_count>' },
    { given: 9_007_199_254_740_991, xml: '<video:view_count>9007199254740991</video:view_count>' },
    { given: 12n, xml: '<video:view_count>12</video:view_count>' },
    { given: '0012', xml: '<video:view_count>12</video:view_count>' },
  ],
  [-1, 1.5, 1e21, '1 000', 'many', []],
)

fieldRows(
  'E34',
  'familyFriendly',
  [
    ...[true, 1, '1', 'yes', 'YES', ' Yes ', 'true'].map((given) => ({
      given,
      xml: '<video:family_friendly>yes</video:family_friendly>',
    })),
    ...[false, 0, '0', 'no', 'NO', 'false'].map((given) => ({
      given,
      xml: '<video:family_friendly>no</video:family_friendly>',
    })),
  ],
  ['maybe', 2, {}, []],
)

fieldRows(
  'E38',
  'requiresSubscription',
  [
    { given: true, xml: '<video:requires_subscription>yes</video:requires_subscription>' },
    { given: false, xml: '<video:requires_subscription>no</video:requires_subscription>' },
  ],
  ['paid'],
)

fieldRows(
  'E42',
  'live',
  [
    { given: true, xml: '<video:live>yes</video:live>' },
    { given: 'no', xml: '<video:live>no</video:live>' },
  ],
  ['now'],
)

fieldRows(
  'E35',
  'restriction',
  [
    {
      given: { relationship: 'allow', countries: ['us', 'CA', 'US'] },
      xml: '<video:restriction relationship="allow">US CA</video:restriction>',
    },
    {
      given: { relationship: 'DENY', countries: 'fr, de;it  es' },
      xml: '<video:restriction relationship="deny">FR DE IT ES</video:restriction>',
    },
  ],
  [
    'US',
    { countries: ['US'] },
    { relationship: 'only', countries: ['US'] },
    { relationship: 'allow' },
    { relationship: 'allow', countries: [] },
    { relationship: 'allow', countries: ['XX', 1, null] },
    { relationship: 'allow', countries: { us: true } },
  ],
)

fieldRows(
  'E41',
  'platform',
  [
    {
      given: { relationship: 'allow', platforms: ['web', 'TV', 'web'] },
      xml: '<video:platform relationship="allow">web tv</video:platform>',
    },
    {
      given: { relationship: 'deny', platforms: 'mobile tv' },
      xml: '<video:platform relationship="deny">mobile tv</video:platform>',
    },
  ],
  ['web', { platforms: 'web' }, { relationship: 'allow', platforms: 'radio' }],
)

fieldRows(
  'E36',
  'galleryLoc',
  [
    { given: '/g', xml: `<video:gallery_loc>${ORIGIN}/g</video:gallery_loc>` },
    {
      given: { loc: '/g', title: 'A "B"' },
      xml: `<video:gallery_loc title="A &quot;B&quot;">${ORIGIN}/g</video:gallery_loc>`,
    },
  ],
  ['https://', 5],
)

fieldRows(
  'E37',
  'price',
  [
    { given: { value: 1.99, currency: 'eur' }, xml: '<video:price currency="EUR">1.99</video:price>' },
    { given: [{ value: 0, currency: 'USD' }], xml: '<video:price currency="USD">0</video:price>' },
    { given: [{ value: '4.90', currency: 'USD' }], xml: '<video:price currency="USD">4.90</video:price>' },
    { given: [{ value: 1e-7, currency: 'USD' }], xml: '<video:price currency="USD">0</video:price>' },
    {
      given: [{ value: 0.1 + 0.2, currency: 'USD', type: 'RENT', resolution: 'hd' }],
      xml: '<video:price currency="USD" type="rent" resolution="HD">0.3</video:price>',
    },
    { given: [{ type: 'purchase' }], xml: '<video:price type="purchase"/>' },
    {
      given: [{ type: 'rent', currency: 'EUR' }, null, { type: 'purchase' }],
      xml: '<video:price currency="EUR" type="rent"/><video:price type="purchase"/>',
    },
  ],
  [
    5,
    [{ value: 5 }],
    [{ value: -1, currency: 'EUR' }],
    [{ value: '4,90', currency: 'EUR' }],
    [{ value: 1e21, currency: 'EUR' }],
    [{ value: Number.NaN, currency: 'EUR', type: 'rent' }],
    [{ value: 5, currency: 'EURO' }],
    [{ value: 5, currency: '€' }],
    [{}],
    [{ currency: 'EUR' }],
    [{ type: 'gift' }],
  ],
)

fieldRows(
  'E39',
  'uploader',
  [
    { given: 'Ann <a>', xml: '<video:uploader>Ann &lt;a&gt;</video:uploader>' },
    { given: { name: 'Ann' }, xml: '<video:uploader>Ann</video:uploader>' },
    ...['/ann', `${ORIGIN}/ann`, 'http://example.com/ann', 'https://users.example.com:8443/ann'].map(
      (info) => ({
        given: { name: 'Ann', info },
        xml: `<video:uploader info="${new URL(info, ORIGIN).href}">Ann</video:uploader>`,
      }),
    ),
  ],
  [{}, { info: '/ann' }, { name: {} }, 5n],
)

fieldRows(
  'E40',
  'tvshow',
  [
    {
      given: { showTitle: 'S', videoType: 'Clip' },
      xml: '<video:tvshow><video:show_title>S</video:show_title><video:video_type>clip</video:video_type></video:tvshow>',
    },
    {
      given: { showTitle: 'S', videoType: 'news', seasonNumber: '3', premierDate: '2026-05-10' },
      xml: '<video:tvshow><video:show_title>S</video:show_title><video:video_type>news</video:video_type><video:season_number>3</video:season_number><video:premier_date>2026-05-10</video:premier_date></video:tvshow>',
    },
  ],
  ['S', {}, { showTitle: 'S' }, { videoType: 'full' }, { showTitle: 'S', videoType: 'movie' }],
)

fieldRows(
  'E43',
  'id',
  [
    ...['tms:series', 'tms:program', 'rovi:series', 'rovi:program', 'freebase', 'url'].map((type) => ({
      given: [{ type, value: '1' }],
      xml: `<video:id type="${type}">1</video:id>`,
    })),
    {
      given: { type: 'URL', value: 7 },
      xml: '<video:id type="url">7</video:id>',
    },
  ],
  ['1', [{ value: '1' }], [{ type: 'imdb', value: '1' }], [{ type: 'url' }]],
)

describe('parts of a field', () => {
  it('a bad number of a show leaves alone (E40)', () => {
    const tvshow = {
      showTitle: 'S',
      videoType: 'full',
      seasonNumber: 0,
      episodeNumber: 1.5,
      premierDate: '2026',
    }
    const { xml, reasons } = written({ tvshow })
    expect(xml).toBe(
      '<video:tvshow><video:show_title>S</video:show_title><video:video_type>full</video:video_type></video:tvshow>',
    )
    expect(reasons).toEqual([
      'video tvshow seasonNumber is not a whole number from 1',
      'video tvshow episodeNumber is not a whole number from 1',
      'video tvshow premierDate is a bare year or month',
    ])
  })

  it.each([
    'https://example.net/ann',
    'https://notexample.com/ann',
    'https://www.example.com.evil.test/ann',
    'mailto:ann@example.com',
  ])('a page of the uploader on another domain leaves, the name stays (E39): %s', (info) => {
    const { xml, reasons } = written({ uploader: { name: 'Ann', info } })
    expect(xml).toBe('<video:uploader>Ann</video:uploader>')
    expect(reasons).toEqual([expect.stringMatching(/^video uploader info/)])
  })

  it('one unknown country leaves the others (E35)', () => {
    const { xml, reasons } = written({ restriction: { relationship: 'deny', countries: 'US EU fr' } })
    expect(xml).toBe('<video:restriction relationship="deny">US FR</video:restriction>')
    expect(reasons).toEqual(['video restriction has a code that is none of ISO 3166-1'])
  })

  it('UK is written as GB, and noted (E35)', () => {
    const { xml, reasons, noted } = written({ restriction: { relationship: 'allow', countries: 'UK GB' } })
    expect(xml).toBe('<video:restriction relationship="allow">GB</video:restriction>')
    expect(reasons).toEqual([])
    expect(noted).toEqual(['video restriction UK was written as GB'])
  })

  it('a price that cannot be used leaves the others (E37)', () => {
    const { xml, reasons } = written({ price: [{ value: 1 }, { value: 2, currency: 'EUR' }, 'free'] })
    expect(xml).toBe('<video:price currency="EUR">2</video:price>')
    expect(reasons).toEqual([
      'video price lacks currency',
      'video price is not { value, currency, type, resolution }',
    ])
  })
})

describe('content_segment_loc (SPEC E29)', () => {
  it.each([
    { name: 'text', given: '/s', xml: `<video:content_segment_loc>${ORIGIN}/s</video:content_segment_loc>` },
    {
      name: 'list',
      given: ['/1', { loc: '/2', duration: 0 }, { url: '/3', duration: 'PT1M' }],
      xml: `<video:content_segment_loc>${ORIGIN}/1</video:content_segment_loc><video:content_segment_loc duration="0">${ORIGIN}/2</video:content_segment_loc><video:content_segment_loc duration="60">${ORIGIN}/3</video:content_segment_loc>`,
    },
  ])('$name', ({ given, xml }) => {
    expect(written({ playerLoc: '/p', contentSegmentLoc: given })).toMatchObject({
      xml: `<video:player_loc>${ORIGIN}/p</video:player_loc>${xml}`,
      reasons: [],
    })
  })

  it('without a player they leave', () => {
    expect(written({ contentSegmentLoc: ['/s'] })).toMatchObject({
      xml: '',
      reasons: ['video contentSegmentLoc without playerLoc'],
    })
    expect(written({ contentSegmentLoc: [] })).toMatchObject({ xml: '', reasons: [] })
  })

  it('a bad URL or duration leaves alone; 1,000 at most', () => {
    const list = [{ loc: 'ftp://e.com/s' }, { loc: '/1', duration: 28_801 }]
    const { xml, reasons } = written({ playerLoc: '/p', contentSegmentLoc: list })
    expect(xml).toContain(`<video:content_segment_loc>${ORIGIN}/1</video:content_segment_loc>`)
    expect(reasons).toHaveLength(2)
    const many = written({
      playerLoc: '/p',
      contentSegmentLoc: Array.from({ length: 1_001 }, (_, i) => `/${i}`),
    })
    expect(many.xml.match(/<video:content_segment_loc/g)).toHaveLength(1_000)
    expect(many.reasons).toEqual(['video contentSegmentLoc beyond 1000'])
  })
})

describe('tag (SPEC E32)', () => {
  const tags = (list: readonly string[]) => list.map((tag) => `<video:tag>${tag}</video:tag>`).join('')

  it.each([
    { name: 'text', tag: 'steak', list: ['steak'] },
    { name: 'text with commas', tag: 'steak, meat,,steak', list: ['steak', 'meat'] },
    { name: 'list', tag: ['a, b', ' c ', 'c', '', null, 4], list: ['a, b', 'c', '4'] },
    { name: 'empty list', tag: [], list: [] },
  ])('$name', ({ tag, list }) => {
    expect(written({ tag })).toMatchObject({ xml: tags(list), reasons: [] })
  })

  it('32 at most; the rest is told once', () => {
    const list = Array.from({ length: 34 }, (_, i) => `t${i}`)
    expect(written({ tag: list.slice(0, 32) }).reasons).toEqual([])
    expect(written({ tag: list })).toMatchObject({
      xml: tags(list.slice(0, 32)),
      reasons: ['video tag beyond 32'],
    })
  })

  it('one that is no text leaves the others', () => {
    expect(written({ tag: ['a', {}, 'b'] })).toMatchObject({
      xml: tags(['a', 'b']),
      reasons: ['video tag is not text'],
    })
  })

  it('megabytes of commas are cut', () => {
    expect(written({ tag: `a${','.repeat(5_000_000)}b` })).toMatchObject({
      xml: tags(['a']),
      reasons: ['video tag is longer than 5000 characters and was cut'],
    })
  })
})

describe('names that are not read', () => {
  it.each([
    { name: 'thumbnail_loc', ours: 'thumbnailLoc', value: '/t.png' },
    { name: 'thumbnail', ours: 'thumbnailLoc', value: '/t.png' },
    { name: 'content_loc', ours: 'contentLoc', value: '/v.mp4' },
    { name: 'contentUrl', ours: 'contentLoc', value: '/v.mp4' },
    { name: 'player_loc', ours: 'playerLoc', value: '/p' },
    { name: 'playerUrl', ours: 'playerLoc', value: '/p' },
    { name: 'publication_date', ours: 'publicationDate', value: '2026-05-10' },
    { name: 'family_friendly', ours: 'familyFriendly', value: true },
    { name: 'tags', ours: 'tag', value: ['a'] },
  ])('$name: told with ours where it is missing', ({ name, ours, value }) => {
    const video: Record<string, unknown> = { ...needed, [name]: value }
    expect(videosOf({ ...video, [ours]: undefined }).reasons).toContain(
      `video ${name} is not read: write ${ours}`,
    )
    expect(videosOf({ ...video, [ours]: value }).reasons).toEqual([])
    expect(videosOf({ ...video, [ours]: value }).xml).toBe(videosOf({ ...needed, [ours]: value }).xml)
  })

  it('inside a show', () => {
    const tvshow = { showTitle: 'S', videoType: 'full', season_number: 1 }
    expect(written({ tvshow }).reasons).toEqual([
      'video tvshow season_number is not read: write seasonNumber',
    ])
  })
})

describe('a getter that throws', () => {
  it.each(['duration', 'rating', 'tag', 'price', 'tvshow', 'restriction', 'live', 'category', 'playerLoc'])(
    'loses its field only: %s',
    (field) => {
      const video = Object.defineProperty({ ...needed }, field, {
        enumerable: true,
        get() {
          throw new Error('lazy')
        },
      })
      expect(videosOf(video)).toEqual({ xml: VIDEO_XML, reasons: [`video ${field} cannot be read`] })
    },
  )
})

it('reasons hold no values: they are counted by their text', () => {
  const reasonsFor = (junk: string) =>
    videosOf([
      {
        ...needed,
        ...Object.fromEntries(
          ['duration', 'rating', 'viewCount', 'live', 'restriction', 'platform', 'tvshow', 'id', 'price'].map(
            (field) => [field, junk],
          ),
        ),
      },
    ]).reasons
  expect(reasonsFor('one')).toEqual(reasonsFor('another'))
  expect(reasonsFor('one').join()).not.toContain('one,')
})
