const WITHOUT_ZONE = /T\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/

/**
 * The instant of a W3C date in ms since 1970, undefined where it is none.
 * A date alone is its midnight in UTC, and a time without zone is UTC too: `new Date` would read the server's zone (SPEC 1.3).
 */
export function instantOf(date: string): number | undefined {
  const instant = Date.parse(WITHOUT_ZONE.test(date) ? `${date}Z` : date)
  return Number.isNaN(instant) ? undefined : instant
}
