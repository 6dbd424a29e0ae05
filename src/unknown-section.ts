import { SitemapError } from './errors.ts'
import type { ResolvedOptions } from './options.ts'

/** What a call gets that names a section which is not there. */
export function unknownSection(section: string, { providers }: ResolvedOptions): SitemapError {
  return new SitemapError(
    'LSM_ERR_SECTION_UNKNOWN',
    `there is no section "${section}"; the sections are ${providers.map((provider) => provider.section).join(', ')}`,
  )
}

/** Throws where a section is named that is not there. */
export function refuseUnknownSection(section: string | undefined, options: ResolvedOptions): void {
  if (section !== undefined && !options.providers.some((provider) => provider.section === section))
    throw unknownSection(section, options)
}
