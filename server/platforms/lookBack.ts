import { because } from '#contract/failures/catalog.ts'
import type { Refusal } from './platform.ts'
import type { Match } from './alterations.ts'
import { EARLY_MS, firstSince, type Found } from './findSent.ts'

/*
 * After a lost response, platforms without idempotency keys are searched: is the post among those published since the
 * attempt? Only a search that reaches back to before the attempt proves that it isn't, however busy the account is.
 */

/** An entry of a platform's list. `at` is the platform's time; null if it has none. */
type Listed = { id: string; at: Date | null }

/**
 * One page of a list. `next` is the platform's cursor for the following page; null on the last one. A page that can't
 * be read is `rejected` only if it never can be; otherwise it's `unknown` or worth another try.
 */
export type ListPage<T> = { kind: 'page'; items: readonly T[]; next: string | null } | Refusal

export type LookBack<T extends Listed> = {
  label: string
  /** What is searched for, in the plural: 'posts', 'comments'. */
  things: string
  /** The earliest time at which the attempt can have begun. */
  since: Date
  /**
   * Reads the page at a cursor; the newest without one. Must come before `isIt` in the object literal, so that its type
   * is inferred.
   */
  page: (cursor: string | null) => Promise<ListPage<T>>
  /** Whether an entry has the same content: if several do since then, the oldest is ours. `maybe` proves nothing. */
  isIt: (item: T) => Match
  /** Whether an entry is certainly ours, such as one with our file: then the search ends. */
  isCertain?: (item: T) => boolean
  /** Whether the platform guarantees newest first. If not, the order is checked, and another day is read. */
  order: 'newest first' | 'not promised'
  /** How many pages one search may read, by the platform's rate limits. */
  mostPages: number
}

/**
 * How far a platform's clock may differ from ours. A match within this time before the attempt may or may not be ours.
 */
export const SKEW_MS = 10 * 60_000
const DAY_MS = 86_400_000
/** How many entries must be in order before a list without a guaranteed order counts as sorted. */
const TELLING = 10

/**
 * Reads the list page by page until it ends or reaches back to before `since`. `none` is a proof. If there's no certain
 * answer, the result is `rejected`, so that a person is asked, or the refusal of a page that couldn't be read.
 */
export async function lookBack<T extends Listed>(
  search: LookBack<T>,
): Promise<{ kind: 'found'; item: T } | { kind: 'none' } | Refusal> {
  const { since, page, isIt, isCertain = () => false, mostPages } = search
  const margin = search.order === 'newest first' ? SKEW_MS : DAY_MS
  const [seen, matches, maybes] = [new Set<string>(), new Array<T>(), new Array<T>()]
  let [cursor, oldest, isSorted, answer] = [null as string | null, Infinity, true, undefined as Refusal | undefined]
  for (let pages = 0; pages < mostPages; pages++) {
    const list = await page(cursor)
    if (list.kind !== 'page') {
      answer = list
      break
    }
    const items = list.items.filter(({ id }) => !seen.has(id))
    for (const item of items) {
      if (isCertain(item)) return { kind: 'found', item }
      seen.add(item.id)
      const match = isIt(item)
      if (match !== false) (match === true ? matches : maybes).push(item)
      // without times, or unsorted, a page doesn't show how far back it goes
      const at = item.at?.getTime() ?? Infinity
      if (at > oldest || item.at === null) isSorted = false
      oldest = Math.min(oldest, at)
    }
    const isInOrder = isSorted && (search.order === 'newest first' || seen.size >= TELLING)
    if (list.next === null || (isInOrder && oldest < since.getTime() - margin)) return verdict(search, matches, maybes)
    // a list that starts over or repeats a page never reaches back far enough
    if (list.next === cursor || (items.length === 0 && list.items.length > 0)) break
    cursor = list.next
  }
  // an older duplicate may be further back, but this one was published since then
  const found = firstSince(matches, since)
  return found ? { kind: 'found', item: found } : (answer ?? notReached(search))
}

function verdict<T extends Listed>(
  search: LookBack<T>,
  matches: readonly T[],
  maybes: readonly T[],
): { kind: 'found'; item: T } | { kind: 'none' } | Refusal {
  const found = firstSince(matches, search.since)
  if (found) return { kind: 'found', item: found }
  const [start, skewed] = [search.since.getTime() - EARLY_MS, search.since.getTime() - SKEW_MS]
  const isDoubtful =
    matches.some(({ at }) => at === null || (at.getTime() >= skewed && at.getTime() < start)) ||
    maybes.some(({ at }) => at === null || at.getTime() >= skewed)
  return isDoubtful ? lookalike(search) : { kind: 'none' }
}

/** The search result as an ID. */
export const foundAs = (answer: Awaited<ReturnType<typeof lookBack>>): Found =>
  answer.kind === 'found' ? { kind: 'found', id: answer.item.id } : answer

type About = Pick<LookBack<Listed>, 'label' | 'things'>

const notReached = ({ label, things }: About): Refusal => ({
  kind: 'rejected',
  reason: { ...because('too-many-to-search', { platform: label, things }), platformCode: 'too-many-to-search' },
})

const lookalike = ({ label, things }: About): Refusal => ({
  kind: 'rejected',
  reason: { ...because('same-text-listed', { platform: label, things }), platformCode: 'same-text' },
})
