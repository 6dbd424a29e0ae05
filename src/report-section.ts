import type { SectionReport, SkipReport } from './report.ts'
import type { Shelf } from './shelves/shelf.ts'

const NOTHING_SKIPPED: SkipReport = { total: 0, reasons: {}, samples: [] }

export function reportSection(
  shelf: Shelf,
  partitions: SectionReport['partitions'],
  nowMs: number,
): SectionReport {
  const { snapshot, failure } = shelf
  return {
    state: shelf.state(nowMs),
    entries: snapshot?.count ?? 0,
    parts: snapshot?.parts.length ?? 0,
    ...(partitions === undefined ? {} : { partitions }),
    skipped: snapshot?.skipped ?? NOTHING_SKIPPED,
    ...instant('changedAt', shelf.changedAtMs),
    ...instant('readAt', shelf.readAtMs),
    ...instant('nextAt', shelf.nextAtMs()),
    ...(shelf.readAtMs === undefined ? {} : { ms: shelf.lastWalkMs }),
    ...(failure === undefined
      ? {}
      : {
          lastError: {
            code: failure.code,
            at: new Date(failure.atMs).toISOString(),
            failures: failure.count,
          },
        }),
  }
}

function instant<K extends string>(name: K, ms: number | undefined): { readonly [P in K]?: string } {
  return ms === undefined || !Number.isFinite(ms)
    ? {}
    : ({ [name]: new Date(ms).toISOString() } as { readonly [P in K]?: string })
}
