import { describe } from '../errors.ts'
import type { Check } from './check.ts'
import { ROBOTS, ROBOTS_GROUP } from './keys.ts'
import { type MemberRule, resolveTexts } from './lists.ts'
import type { ResolvedOptions } from './resolved.ts'
import { urlRule } from './urls.ts'
import { isText } from './values.ts'

type Group = ResolvedOptions['robots']['groups'][number]

/** What `/robots.txt` says beside our own sitemaps. */
export function resolveRobots(check: Check, value: unknown): ResolvedOptions['robots'] {
  const robots = check.record('robots', value, ROBOTS)
  return Object.freeze({
    groups: resolveGroups(check, robots.groups),
    sitemaps: resolveTexts(
      check,
      'robots.sitemaps',
      robots.sitemaps,
      urlRule('https://www.example.com/other/sitemap.xml'),
    ),
  })
}

function resolveGroups(check: Check, value: unknown): readonly Group[] {
  if (value === undefined) return Object.freeze([ALL_ALLOWED])
  if (!Array.isArray(value) || value.length === 0) {
    const wayOut =
      "Write [{ userAgent: '*', disallow: '/admin/' }], or leave it out: everything is allowed then."
    check.invalid('robots.groups', value, 'a list of groups that is not empty', wayOut)
    return []
  }
  return Object.freeze(Array.from(value, (group, i) => resolveGroup(check, `robots.groups[${i}]`, group)))
}

const ALL_ALLOWED: Group = Object.freeze({
  userAgent: Object.freeze(['*']),
  allow: Object.freeze([]),
  disallow: Object.freeze([]),
})

function resolveGroup(check: Check, path: string, value: unknown): Group {
  // An undefined member of a list is a value that came.
  if (value === undefined) check.invalid(path, value, 'an object', 'Take it out.', describe(value))
  const { userAgent = '*', allow, disallow } = check.record(path, value, ROBOTS_GROUP)
  if (Array.isArray(userAgent) && userAgent.length === 0) {
    const wayOut = "Leave it out for '*', all of them."
    check.invalid(`${path}.userAgent`, userAgent, 'the name of a robot, or a list of names', wayOut)
  }
  return Object.freeze({
    userAgent: resolveTexts(check, `${path}.userAgent`, userAgent, USER_AGENT),
    allow: resolveTexts(check, `${path}.allow`, allow, PATTERN),
    disallow: resolveTexts(check, `${path}.disallow`, withoutNothing(disallow), PATTERN),
  })
}

/** `Disallow:` without a path is how robots.txt says that nothing is disallowed (SPEC X5). */
function withoutNothing(value: unknown): unknown {
  if (value === '') return []
  return Array.isArray(value) ? value.filter((member) => member !== '') : value
}

/** What ends a line for some reader, or begins a comment. */
const NOT_IN_LINE = /[\p{Cc}\u2028\u2029#]/u

const USER_AGENT: MemberRule = {
  take: (member) =>
    isText(member) && member.trim() !== '' && !NOT_IN_LINE.test(member) ? member : undefined,
  expected: 'the name of a robot on one line, without #',
  wayOut: "Write 'Googlebot', or leave it out for all.",
}

/** A message proposes no more than a line. */
const LONGEST_SHOWN = 80

/** SPEC X5: RFC 9309 has no white space in a path either. */
const PATTERN: MemberRule = {
  take: (member) =>
    isText(member) && /^[/*]\S*$/.test(member) && !NOT_IN_LINE.test(member) ? member : undefined,
  expected: 'a path that starts with / or *, without white space and #',
  wayOut: (member) => {
    const encoded = isText(member)
      ? member
          .toWellFormed()
          .trim()
          .replace(/[\s\p{Cc}#]/gu, encodeURIComponent)
      : ''
    if (encoded === '' || encoded.includes('://') || encoded.length > LONGEST_SHOWN) return "Write '/admin/'."
    return `Write '${/^[/*]/.test(encoded) ? '' : '/'}${encoded}'.`
  },
}
