import type { CheckedVideo, Relation } from './checked.ts'
import { type Dropped, type FieldReaders, LONGEST_TEXT, type Noted, partsOf, type Raw } from './fields.ts'
import { FOREIGN_TVSHOW_NAMES, FOREIGN_VIDEO_NAMES, tellForeign } from './foreign-names.ts'
import { COUNTRIES } from './iso-codes.ts'
import { inSeconds, type W3cDate } from './lastmod.ts'

export const NO_VIDEOS: readonly CheckedVideo[] = Object.freeze([])

const MOST_VIDEOS = 1_000
/** Of segments, prices and ids: the schema sets no bound, a page does. */
const MOST_OF_A_KIND = 1_000
const MOST_TAGS = 32 // SPEC E32
const LONGEST_TITLE = 100 // SPEC E22
const LONGEST_DESCRIPTION = 2_048 // SPEC E23
const LONGEST_CATEGORY = 256 // SPEC E33
const LONGEST_UPLOADER = 255 // SPEC E39
const LONGEST_SECONDS = 28_800 // SPEC E26

const RELATIONSHIPS = ['allow', 'deny'] as const
const VIDEO_TYPES = ['full', 'preview', 'clip', 'interview', 'news', 'other'] as const
const PRICE_TYPES = ['purchase', 'rent'] as const
const RESOLUTIONS = ['SD', 'HD'] as const
const ID_TYPES = ['tms:series', 'tms:program', 'rovi:series', 'rovi:program', 'freebase', 'url'] as const
const PLATFORMS: ReadonlySet<string> = new Set(['web', 'mobile', 'tv'])

/**
 * Makes the reader of an entry's videos (SPEC 2.2). A field that cannot be used is left out and reported; a video that
 * lacks one of those it needs is left out as a whole, and the entry stays.
 */
export function createVideosReader(
  { textOf, textsOf, urlOf, dateOf: anyDateOf, attempt, readerOf }: FieldReaders,
  dropped: Dropped,
  noted: Noted,
): (value: unknown, loc: string) => readonly CheckedVideo[] {
  function videosOf(value: unknown, loc: string): readonly CheckedVideo[] {
    if (value === undefined || value === null) return NO_VIDEOS
    return listOf(value, 'videos', MOST_VIDEOS, loc, (video) =>
      attempt('video', loc, () => videoOf(video, loc)),
    )
  }

  function videoOf(value: unknown, loc: string): CheckedVideo | undefined {
    if (typeof value !== 'object' || value === null) {
      dropped('videos', 'video is not an object with thumbnailLoc, title and description', loc)
      return undefined
    }
    const raw = value as Raw
    tellForeign(raw, FOREIGN_VIDEO_NAMES, (name, ours) =>
      dropped('videos', `video ${name} is not read: write ${ours}`, loc),
    )
    const read = readerOf(raw, 'video', loc)
    const short =
      (longest: number) =>
      (given: unknown, field: string): string | undefined =>
        textOf(given, field, loc, longest)

    const thumbnailLoc = read('thumbnailLoc', urlOf)
    const title = read('title', short(LONGEST_TITLE))
    const description = read('description', short(LONGEST_DESCRIPTION))
    const contentLoc = read('contentLoc', mediaOf)
    const playerLoc = read('playerLoc', playerOf)
    if (thumbnailLoc === undefined) return lacking('video lacks thumbnailLoc', loc)
    if (title === undefined) return lacking('video lacks title', loc)
    if (description === undefined) return lacking('video lacks description', loc)
    if (contentLoc === undefined && playerLoc === undefined)
      return lacking('video lacks both contentLoc and playerLoc', loc)
    const contentSegmentLoc = read('contentSegmentLoc', segmentsOf) ?? []
    // SPEC E29: segments are of use to a player only.
    const isPlayed = playerLoc !== undefined || contentSegmentLoc.length === 0
    if (!isPlayed) dropped('video contentSegmentLoc', 'video contentSegmentLoc without playerLoc', loc)
    return {
      thumbnailLoc,
      title,
      description,
      contentLoc,
      playerLoc,
      duration: read('duration', durationOf),
      expirationDate: read('expirationDate', dateOf),
      rating: read('rating', ratingOf),
      contentSegmentLoc: isPlayed ? contentSegmentLoc : [],
      viewCount: read('viewCount', (given, field) => wholeOf(given, 0, field, loc))?.toString(),
      publicationDate: read('publicationDate', dateOf),
      tags: read('tag', (given, field) => textsOf(given, field, loc, MOST_TAGS)) ?? [],
      category: read('category', short(LONGEST_CATEGORY)),
      familyFriendly: read('familyFriendly', yesNoOf),
      restriction: read('restriction', restrictionOf),
      galleryLoc: read('galleryLoc', galleryOf),
      prices: read('price', pricesOf) ?? [],
      requiresSubscription: read('requiresSubscription', yesNoOf),
      uploader: read('uploader', uploaderOf),
      tvshow: read('tvshow', tvshowOf),
      platform: read('platform', platformOf),
      live: read('live', yesNoOf),
      ids: read('id', idsOf) ?? [],
    }
  }

  function lacking(reason: string, loc: string): undefined {
    dropped('videos', reason, loc)
  }

  /** Members that `convert` can use, at most `most`; one value stands for a list of one. */
  function listOf<T>(
    value: unknown,
    field: string,
    most: number,
    loc: string,
    convert: (member: unknown) => T | undefined,
  ): readonly T[] {
    if (!isGiven(value)) return []
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    const converted: T[] = []
    for (const member of list) {
      if (!isGiven(member)) continue
      if (converted.length === most) {
        dropped(field, `${field} beyond ${most}`, loc)
        break
      }
      const made = convert(member)
      if (made !== undefined) converted.push(made)
    }
    return converted
  }

  /** What `parse` makes of a value that is given; undefined from it means that the value cannot be used. */
  function parsed<T>(
    value: unknown,
    parse: (value: unknown) => T | undefined,
    expected: string,
    field: string,
    loc: string,
  ): T | undefined {
    if (!isGiven(value)) return undefined
    const result = parse(value)
    if (result === undefined) dropped(field, `${field} is not ${expected}`, loc)
    return result
  }

  /** One of `words`, in any case. */
  function oneOf<T extends string>(
    value: unknown,
    words: readonly T[],
    field: string,
    loc: string,
  ): T | undefined {
    const find = (given: unknown): T | undefined => {
      const word = wordOf(given)
      return words.find((known) => known.toLowerCase() === word)
    }
    return parsed(value, find, `one of ${words.join(' ')}`, field, loc)
  }

  function yesNoOf(value: unknown, field: string, loc: string): 'yes' | 'no' | undefined {
    return parsed(value, parseYesNo, 'yes or no', field, loc)
  }

  /** SPEC E27, E31: without fractions of a second, at which readers of these tags stumble. */
  function dateOf(value: unknown, field: string, loc: string): W3cDate | undefined {
    const date = anyDateOf(value, field, loc)
    return date && inSeconds(date)
  }

  function durationOf(value: unknown, field: string, loc: string): number | undefined {
    return parsed(value, parseDuration, '1 to 28,800 seconds, as a number, HH:MM:SS or ISO 8601', field, loc)
  }

  function ratingOf(value: unknown, field: string, loc: string): string | undefined {
    return parsed(value, parseRating, 'a number from 0.0 to 5.0', field, loc)
  }

  function wholeOf(value: unknown, least: number, field: string, loc: string): number | undefined {
    const parse = (given: unknown): number | undefined => parseWhole(given, least)
    return parsed(value, parse, `a whole number from ${least}`, field, loc)
  }

  /** SPEC E24, E25: the media is another thing than the page. */
  function mediaOf(value: unknown, field: string, loc: string): string | undefined {
    const url = urlOf(value, field, loc)
    if (url !== loc) return url
    dropped(field, `${field} is the loc of the page`, loc)
    return undefined
  }

  function playerOf(value: unknown, field: string, loc: string): CheckedVideo['playerLoc'] {
    const parts = partsOf(value)
    const player = mediaOf(parts === undefined ? value : locationOf(parts), field, loc)
    if (player === undefined) return undefined
    return {
      loc: player,
      allowEmbed: yesNoOf(parts?.allowEmbed, `${field} allowEmbed`, loc),
      autoplay: textOf(parts?.autoplay, `${field} autoplay`, loc),
    }
  }

  function segmentsOf(value: unknown, field: string, loc: string): CheckedVideo['contentSegmentLoc'] {
    return listOf(value, field, MOST_OF_A_KIND, loc, (member) => {
      const parts = partsOf(member)
      const segment = urlOf(parts === undefined ? member : locationOf(parts), field, loc)
      if (segment === undefined) return undefined
      const lasts = parsed(parts?.duration, parseSegment, '0 to 28,800 seconds', `${field} duration`, loc)
      return { loc: segment, duration: lasts }
    })
  }

  function galleryOf(value: unknown, field: string, loc: string): CheckedVideo['galleryLoc'] {
    const parts = partsOf(value)
    const gallery = urlOf(parts === undefined ? value : locationOf(parts), field, loc)
    if (gallery === undefined) return undefined
    return { loc: gallery, title: textOf(parts?.title, `${field} title`, loc) }
  }

  function uploaderOf(value: unknown, field: string, loc: string): CheckedVideo['uploader'] {
    const parts = partsOf(value)
    const name = textOf(parts === undefined ? value : parts.name, field, loc, LONGEST_UPLOADER)
    if (name === undefined) {
      if (parts !== undefined) dropped(field, `${field} has no name`, loc)
      return undefined
    }
    const info = urlOf(parts?.info, `${field} info`, loc)
    const isNear = info === undefined || isOnDomainOf(info, loc)
    if (!isNear) dropped(field, `${field} info is not on the domain of the page`, loc) // SPEC E39
    return { name, info: isNear ? info : undefined }
  }

  function restrictionOf(value: unknown, field: string, loc: string): Relation | undefined {
    const spell = (word: string): string | undefined => {
      const code = word.toUpperCase()
      if (code !== 'UK') return COUNTRIES.has(code) ? code : undefined
      noted(`${field} UK was written as GB`, loc)
      return 'GB'
    }
    return relationOf(value, 'countries', spell, 'code that is none of ISO 3166-1', field, loc)
  }

  function platformOf(value: unknown, field: string, loc: string): Relation | undefined {
    const spell = (word: string): string | undefined => {
      const platform = word.toLowerCase()
      return PLATFORMS.has(platform) ? platform : undefined
    }
    return relationOf(value, 'platforms', spell, 'word that is none of web mobile tv', field, loc)
  }

  /** SPEC E35, E41. What is left of the list counts; without a relationship it would mean nothing. */
  function relationOf(
    value: unknown,
    listName: 'countries' | 'platforms',
    spell: (word: string) => string | undefined,
    unknownWord: string,
    field: string,
    loc: string,
  ): Relation | undefined {
    if (!isGiven(value)) return undefined
    const parts = partsOf(value)
    if (parts === undefined) {
      dropped(field, `${field} is not { relationship, ${listName} }`, loc)
      return undefined
    }
    const relationship = oneOf(parts.relationship, RELATIONSHIPS, `${field} relationship`, loc)
    const words = wordsOf(parts[listName])
    const spelled = words.map(spell)
    const list = [...new Set(spelled.filter((word) => word !== undefined))].join(' ')
    if (spelled.includes(undefined)) dropped(field, `${field} has a ${unknownWord}`, loc)
    if (relationship !== undefined && list !== '') return { relationship, list }
    dropped(field, `${field} lacks relationship or ${listName}`, loc)
    return undefined
  }

  function pricesOf(value: unknown, field: string, loc: string): CheckedVideo['prices'] {
    return listOf(value, field, MOST_OF_A_KIND, loc, (member) => {
      const parts = partsOf(member)
      if (parts === undefined) {
        dropped(field, `${field} is not { value, currency, type, resolution }`, loc)
        return undefined
      }
      const amount = parsed(parts.value, parseAmount, 'a decimal from 0', field, loc)
      if (amount === undefined && isGiven(parts.value)) return undefined
      const currency = parsed(
        parts.currency,
        parseCurrency,
        'three letters of ISO 4217',
        `${field} currency`,
        loc,
      )
      const type = oneOf(parts.type, PRICE_TYPES, `${field} type`, loc)
      // SPEC E37: a value needs its currency, no value a type.
      if ((amount === undefined ? type : currency) === undefined) {
        dropped(
          field,
          amount === undefined ? `${field} lacks value and type` : `${field} lacks currency`,
          loc,
        )
        return undefined
      }
      const resolution = oneOf(parts.resolution, RESOLUTIONS, `${field} resolution`, loc)
      return { value: amount, currency, type, resolution }
    })
  }

  function tvshowOf(value: unknown, field: string, loc: string): CheckedVideo['tvshow'] {
    if (!isGiven(value)) return undefined
    const parts = partsOf(value) ?? {}
    tellForeign(parts, FOREIGN_TVSHOW_NAMES, (name, ours) =>
      dropped(field, `${field} ${name} is not read: write ${ours}`, loc),
    )
    const showTitle = textOf(parts.showTitle, `${field} showTitle`, loc)
    const videoType = oneOf(parts.videoType, VIDEO_TYPES, `${field} videoType`, loc)
    if (showTitle === undefined || videoType === undefined) {
      dropped(field, `${field} lacks showTitle or videoType`, loc) // SPEC E40: both are needed.
      return undefined
    }
    return {
      showTitle,
      videoType,
      episodeTitle: textOf(parts.episodeTitle, `${field} episodeTitle`, loc),
      seasonNumber: wholeOf(parts.seasonNumber, 1, `${field} seasonNumber`, loc),
      episodeNumber: wholeOf(parts.episodeNumber, 1, `${field} episodeNumber`, loc),
      premierDate: dateOf(parts.premierDate, `${field} premierDate`, loc),
    }
  }

  function idsOf(value: unknown, field: string, loc: string): CheckedVideo['ids'] {
    return listOf(value, field, MOST_OF_A_KIND, loc, (member) => {
      const parts = partsOf(member)
      const type = oneOf(parts?.type, ID_TYPES, `${field} type`, loc)
      const id = textOf(parts?.value, field, loc)
      if (type !== undefined && id !== undefined) return { type, value: id }
      dropped(field, `${field} lacks type or value`, loc) // SPEC E43
      return undefined
    })
  }

  return videosOf
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

/** The URL of parts, as an image has it. */
function locationOf(parts: Raw): unknown {
  return parts.loc ?? parts.url ?? parts.href
}

/** A text, number or boolean as one lower-case word; empty for anything else, and for what is too long to be one. */
function wordOf(value: unknown): string {
  if (typeof value === 'boolean' || typeof value === 'number') return String(value)
  return typeof value === 'string' && value.length <= LONGEST_WORD ? value.trim().toLowerCase() : ''
}

const LONGEST_WORD = 64

/** Words with spaces or commas between, or of a list. Members that are no text come out as words that nobody knows. */
function wordsOf(value: unknown): readonly string[] {
  if (typeof value === 'string')
    return value
      .slice(0, LONGEST_TEXT)
      .split(/[\s,;]+/)
      .filter((word) => word !== '')
  return Array.isArray(value) ? value.map(wordOf) : []
}

function parseYesNo(value: unknown): 'yes' | 'no' | undefined {
  switch (wordOf(value)) {
    case 'yes':
    case 'true':
    case '1':
      return 'yes'
    case 'no':
    case 'false':
    case '0':
      return 'no'
    default:
      return undefined
  }
}

const SECONDS = /^\d{1,9}(?:\.\d{1,9})?$/
const CLOCK = /^(?:(\d{1,4}):(?=[0-5]?\d:))?(\d{1,4}):([0-5]?\d(?:\.\d{1,9})?)$/
const PERIOD =
  /^p(?:(\d{1,9}(?:[.,]\d{1,9})?)d)?(?:t(?:(\d{1,9}(?:[.,]\d{1,9})?)h)?(?:(\d{1,9}(?:[.,]\d{1,9})?)m)?(?:(\d{1,9}(?:[.,]\d{1,9})?)s)?)?$/

/** SPEC E26. */
function parseDuration(value: unknown): number | undefined {
  return parseSeconds(value, 1)
}

/** SPEC E29: unlike a video, a segment may last 0 seconds. */
function parseSegment(value: unknown): number | undefined {
  return parseSeconds(value, 0)
}

/** Whole seconds from `least` to 28,800. */
function parseSeconds(value: unknown, least: number): number | undefined {
  const seconds = Math.round(typeof value === 'number' ? value : secondsOfText(wordOf(value)))
  return seconds >= least && seconds <= LONGEST_SECONDS ? seconds : undefined
}

/** Seconds of `4677`, `1:17:57`, `77:57` or `pt1h17m57s`; NaN for any other text. */
function secondsOfText(text: string): number {
  if (SECONDS.test(text)) return Number(text)
  const clock = CLOCK.exec(text)
  if (clock !== null) return Number(clock[1] ?? 0) * 3600 + Number(clock[2] ?? 0) * 60 + Number(clock[3] ?? 0)
  const period = PERIOD.exec(text)?.slice(1)
  if (period === undefined || period.every((part) => part === undefined)) return Number.NaN
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = period.map((part) =>
    Number((part ?? '0').replace(',', '.')),
  )
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
}

/** A decimal from 0 to 5 without exponent (SPEC E28). */
function parseRating(value: unknown): string | undefined {
  const text = wordOf(value)
  const rating =
    typeof value === 'number' ? value : /^\d(?:\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN
  if (!(rating >= 0 && rating <= 5)) return undefined
  const rounded = Math.round(rating * 100) / 100
  return Number.isInteger(rounded) ? rounded.toFixed(1) : String(rounded)
}

function parseWhole(value: unknown, least: number): number | undefined {
  const text = typeof value === 'bigint' ? String(value) : wordOf(value)
  if (!/^-?\d{1,16}$/.test(text)) return undefined
  const number = Number(text)
  return Number.isSafeInteger(number) && number >= least ? number : undefined
}

/** A price as it is written: text as given, a number rounded to four decimals, which is never written with an exponent. */
function parseAmount(value: unknown): string | undefined {
  if (typeof value === 'number')
    return value >= 0 && value < 1e12 ? String(Math.round(value * 10_000) / 10_000) : undefined
  const text = wordOf(value)
  return /^\d{1,15}(?:\.\d{1,9})?$/.test(text) ? text : undefined
}

function parseCurrency(value: unknown): string | undefined {
  const text = wordOf(value).toUpperCase()
  return /^[A-Z]{3}$/.test(text) ? text : undefined
}

/** Whether a URL is on the host of the page, or on one below or above it. */
function isOnDomainOf(url: string, loc: string): boolean {
  const one = domainOf(url)
  const other = domainOf(loc)
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`)
}

/** Of a URL that is final: its host without the port and without `www.`. */
function domainOf(url: string): string {
  const start = url.indexOf('//') + 2
  return url.slice(start, url.indexOf('/', start)).replace(/^www\.|:\d+$/g, '')
}
