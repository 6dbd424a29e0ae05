import { createBest, newestFirst, soonestFirst } from './newest.ts'
import type { NewsArticle } from './snapshot.ts'

/** How long an article is news (SPEC E60). */
export const NEWS_MS: number = 48 * 60 * 60 * 1000
/** Articles kept of one section: ten files. */
const MOST_DUE = 10_000
const MOST_COMING = 1_000

/** Whether an article first published at `atMs` is news now. */
export function isNews(atMs: number, nowMs: number): boolean {
  return atMs <= nowMs && nowMs < atMs + NEWS_MS
}

/** The next instant at which {@link isNews} changes; undefined where it never does again. */
export function nextNewsChange(atMs: number, nowMs: number): number | undefined {
  if (nowMs < atMs) return atMs
  return nowMs < atMs + NEWS_MS ? atMs + NEWS_MS : undefined
}

/** Articles of a section for the news file: the newest that are news, and those to come. Bounded. */
export interface NewsCandidates {
  wants(atMs: number): boolean
  add(article: NewsArticle): void
  /** Newest first, equal dates in the provider's order. */
  finish(): readonly NewsArticle[]
}

export function createNewsCandidates(nowMs: number): NewsCandidates {
  const due = createBest<NewsArticle>(MOST_DUE, newestFirst)
  const coming = createBest<NewsArticle>(MOST_COMING, soonestFirst)
  let order = 0
  return {
    wants: (atMs) => nowMs < atMs + NEWS_MS && (atMs <= nowMs ? due : coming).wants(atMs),
    add: (value) => (value.atMs <= nowMs ? due : coming).add({ value, dateMs: value.atMs, order: order++ }),
    finish: () =>
      [...coming.all(), ...due.all()]
        .sort((a, b) => b.dateMs - a.dateMs || a.order - b.order)
        .map(({ value }) => value),
  }
}
