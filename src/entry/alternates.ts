const TAG = /^([A-Za-z]{2,3})(?:-([A-Za-z]{4}))?(?:-([A-Za-z]{2}|\d{3}))?$/

/**
 * A language tag as documents write it: language, optionally script and region, hyphens between, each in its usual case
 * (SPEC E74); or `x-default`. CMS locale ids with underscores are mended. Undefined for anything else (E75).
 */
export function normaliseLanguage(input: string): string | undefined {
  const tag = input.trim().replaceAll('_', '-')
  const match = TAG.exec(tag)
  if (match === null) return /^x-default$/i.test(tag) ? 'x-default' : undefined
  const [, language = '', script, region] = match
  let text = language.toLowerCase()
  if (script !== undefined) text += `-${script.charAt(0).toUpperCase()}${script.slice(1).toLowerCase()}`
  if (region !== undefined) text += `-${region.toUpperCase()}`
  return text
}
