import { because } from '#contract/failures/catalog.ts'
import type { Refusal } from './platform.ts'
import { EARLY_MS, firstSince, type Found } from './findSent.ts'

/*
 * After a lost answer, platforms without a repeatable key are searched: is the post among what the account published since the
 * attempt? Only a search that goes back to before the attempt proves that it isn't, however busy the account is.
 */

/** An entry of a platform's list. `at` is the platform's own time; null where it gives none. */
type Listed = { id: string; at: Date | null }

/**
 * One page of a list. `next` leads to the page after it, in the platform's own terms; null on the last one. A page that could not be
 * read is `rejected` only where none ever will be: everything else is `unknown` or worth another look.
 */
export type ListPage<T> = { kind: 'page'; items: readonly T[]; next: string | null } | Refusal

export type LookBack<T extends Listed> = {
  label: string
  /** What is looked for, in the plural: 'posts', 'comments'. */
  things: string
  /** When the attempt can have begun at the earliest. */
  since: Date
  /** Reads the page at a cursor; the newest without one. Stands before `isIt` in a call, for its type to be known there. */
  page: (cursor: string | null) => Promise<ListPage<T>>
  /** Whether an entry says the same: of several since then the oldest is ours. */
  isIt: (item: T) => boolean
  /** Whether an entry can be nothing else, such as one with a file of ours: nothing further is read. */
  isCertain?: (item: T) => boolean
  /** Whether the platform promises newest first. Where it doesn't, the order is checked, and a day more is read. */
  order: 'newest first' | 'not promised'
  /** Pages that one search may read: what the platform's rate limits allow. */
  mostPages: number
}

/** How far a platform's clock may differ from ours. A match in this time before the attempt may be ours or not. */
export const SKEW_MS = 10 * 60_000
const DAY_MS = 86_400_000
/** Entries that have to be seen newest first before a list of no promised order is taken for one. */
const TELLING = 10

/**
 * Reads the list page by page until it ends or goes back to before `since`. `none` is a proof. What cannot be told is
 * `rejected`, so that a person is asked, or what the platform said about a page that could not be read.
 */
export async function lookBack<T extends Listed>(
  search: LookBack<T>,
): Promise<{ kind: 'found'; item: T } | { kind: 'none' } | Refusal> {
  const { since, page, isIt, isCertain = () => false, mostPages } = search
  const margin = search.order === 'newest first' ? SKEW_MS : DAY_MS
  const [seen, matches] = [new Set<string>(), new Array<T>()]
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
      if (isIt(item)) matches.push(item)
      // without a time, and out of order, nothing says how far back this page goes
      const at = item.at?.getTime() ?? Infinity
      if (at > oldest || item.at === null) isSorted = false
      oldest = Math.min(oldest, at)
    }
    const isInOrder = isSorted && (search.order === 'newest first' || seen.size >= TELLING)
    if (list.next === null || (isInOrder && oldest < since.getTime() - margin)) return verdict(search, matches)
    // a list that starts over, or stays where it is, never goes back far enough
    if (list.next === cursor || (items.length === 0 && list.items.length > 0)) break
    cursor = list.next
  }
  // an older twin may be further back: this one was published since then all the same
  const found = firstSince(matches, since)
  return found ? { kind: 'found', item: found } : (answer ?? notReached(search))
}

function verdict<T extends Listed>(
  search: LookBack<T>,
  matches: readonly T[],
): { kind: 'found'; item: T } | { kind: 'none' } | Refusal {
  const found = firstSince(matches, search.since)
  if (found) return { kind: 'found', item: found }
  const [start, skewed] = [search.since.getTime() - EARLY_MS, search.since.getTime() - SKEW_MS]
  const isDoubtful = matches.some(({ at }) => at === null || (at.getTime() >= skewed && at.getTime() < start))
  return isDoubtful ? lookalike(search) : { kind: 'none' }
}

/** What a search found, as an id. */
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
