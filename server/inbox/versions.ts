import { FIRST_SYNC_CLOSES_DAYS } from '#contract/inbox/terms.ts'
import type { InboxChange, RemoteItem } from '../platforms/inbox.ts'

export type Deletion = { remote_id: string; at: Date }

/** Of each item its newest version, in the order of their ids, and what was deleted. Of the same version, the one that came last. */
export function latestVersions(changes: readonly InboxChange[]): { items: RemoteItem[]; deletions: Deletion[] } {
  const items = new Map<string, RemoteItem>()
  const deletions = new Map<string, Deletion>()
  for (const change of changes) {
    const { remoteId } = change
    if (change.change === 'deleted') {
      const known = deletions.get(remoteId)
      if (!known || change.at < known.at) deletions.set(remoteId, { remote_id: remoteId, at: change.at })
    } else if ((items.get(remoteId)?.version ?? change.version) <= change.version) items.set(remoteId, change)
  }
  const byId = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  return {
    items: [...items.values()].toSorted((a, b) => byId(a.remoteId, b.remoteId)),
    deletions: [...deletions.values()].toSorted((a, b) => byId(a.remote_id, b.remote_id)),
  }
}

const FIRST_SYNC_CLOSES_MS = FIRST_SYNC_CLOSES_DAYS * 86_400_000

/** Whether something received opens its conversation: always, but for what the first reading finds to be old. */
export const opensConversation = ({ at }: Pick<RemoteItem, 'at'>, now: Date, first: boolean): boolean =>
  !first || at.getTime() >= now.getTime() - FIRST_SYNC_CLOSES_MS
