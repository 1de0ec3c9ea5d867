import type { Refusal, ReconcileAnswer } from './platform.ts'

/*
 * After a lost response on a platform that knows no key of ours: recognizes the post or comment by its text and time.
 */

/** Allows for clock differences; nothing is sent before its time. */
export const EARLY_MS = 60_000

/** The result of searching the account: the post's ID there, or that none of the listed posts is it. */
export type Found = { kind: 'found'; id: string } | { kind: 'none' } | Refusal

/** The search result as `reconcile` returns it. */
export function reconciledAs(found: Found, progress: Record<string, unknown>): ReconcileAnswer {
  if (found.kind === 'found') return { kind: 'sent', remoteId: found.id, progress }
  return found.kind === 'none' ? { kind: 'absent' } : found
}

/** Platforms may change white space and Unicode normalization. */
export const sameText = (one: string | null | undefined, other: string | null | undefined): boolean =>
  plainText(one) === plainText(other)
/** The text as it's compared. */
export const plainText = (text: string | null | undefined): string =>
  (text ?? '').normalize('NFC').replace(/\s+/g, ' ').trim()

/** The oldest one since then: later ones are other posts with the same text. */
export function firstSince<T extends { at: Date | null }>(posts: readonly T[], since: Date): T | undefined {
  return posts
    .filter((post) => post.at !== null && post.at.getTime() >= since.getTime() - EARLY_MS)
    .toSorted((a, b) => (a.at?.getTime() ?? 0) - (b.at?.getTime() ?? 0))[0]
}
