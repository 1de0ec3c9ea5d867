import type { QueryClient } from '@tanstack/react-query'
import type { Kind } from '#contract/kinds.ts'

/** A change of something of a kind; without `ref`, of any of them. */
export type Change = { kind: Kind; ref?: string }

/** A cached reply: its key is `[path, params, query]`, and `reads` comes from its endpoint. */
type Reading = { queryKey: readonly unknown[]; meta?: { reads?: readonly Kind[] } | undefined }

/**
 * The parameter that names a thing of the kind in calls about one thing. An event about another thing keeps those
 * fresh.
 */
const idNames: Partial<Record<Kind, string>> = {
  post: 'postId',
  channel: 'channelId',
  notice: 'noticeId',
  member: 'userId',
  asset: 'assetId',
  presence: 'postId',
  note: 'postId',
  queue: 'channelId',
  bulk: 'importId',
  conversation: 'conversationId',
}

/** Whether a cached reply shows something that the change made stale. */
export function isStale({ queryKey: [, params], meta }: Reading, { kind, ref }: Change): boolean {
  if (!meta?.reads?.includes(kind)) return false
  const name = idNames[kind]
  const named = name && typeof params === 'object' && params !== null ? Reflect.get(params, name) : undefined
  return ref === undefined || named === undefined || named === ref
}

/**
 * Marks what the changes affect as stale: what is on screen is fetched again immediately, the rest when it's next
 * shown.
 */
export function invalidate(queries: Pick<QueryClient, 'invalidateQueries'>, changes: readonly Change[]): void {
  if (changes.length === 0) return
  void queries.invalidateQueries({ predicate: (query) => changes.some((change) => isStale(query, change)) })
  for (const listener of listeners) listener(changes)
}

const listeners = new Set<(changes: readonly Change[]) => void>()

/**
 * Calls back with all changes that `invalidate` is given: for long lists, of which only the changed rows are read again.
 * Returns how to stop.
 */
export function onChanges(listener: (changes: readonly Change[]) => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
