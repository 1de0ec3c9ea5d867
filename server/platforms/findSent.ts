import type { Refusal, ReconcileAnswer } from './platform.ts'

/*
 * After a lost answer, where a platform knows no key of ours: whether a post or comment of the account is the one that was
 * sent is told by its words and its time.
 */

/** Clocks differ; nothing leaves before its time. */
export const EARLY_MS = 60_000

/** What a look at the account brought: the post under its id there, or that none of those shown is it. */
export type Found = { kind: 'found'; id: string } | { kind: 'none' } | Refusal

/** What was found, in the words of `reconcile`. */
export function reconciledAs(found: Found, progress: Record<string, unknown>): ReconcileAnswer {
  if (found.kind === 'found') return { kind: 'sent', remoteId: found.id, progress }
  return found.kind === 'none' ? { kind: 'absent' } : found
}

/** What the platform shows of a text may differ in white space and in how letters are composed. */
export const sameText = (one: string | null | undefined, other: string | null | undefined): boolean =>
  plainText(one) === plainText(other)
const plainText = (text: string | null | undefined): string => (text ?? '').normalize('NFC').replace(/\s+/g, ' ').trim()

/** The oldest of what was posted since then: later ones are other posts with the same words. */
export function firstSince<T extends { at: Date | null }>(posts: readonly T[], since: Date): T | undefined {
  return posts
    .filter((post) => post.at !== null && post.at.getTime() >= since.getTime() - EARLY_MS)
    .toSorted((a, b) => (a.at?.getTime() ?? 0) - (b.at?.getTime() ?? 0))[0]
}
