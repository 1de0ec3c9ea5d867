import type { ConversationKind, EntityType, ReplyState } from '#contract/inbox/terms.ts'
import type { Claimed } from '../../delivery/claim.ts'
import type { RemotePerson } from '../../platforms/inbox.ts'

/** The reply of a claim, with its conversation: as begin_replies() loads it. */
export type LoadedReply = {
  project_id: string
  conversation_id: string
  kind: ConversationKind
  thread_key: string
  subject_remote_id: string | null
  last_received_at: Date | null
  state: ReplyState
  text: string
  asset_ids: readonly string[]
  /** By the file's id; without one, the file's own. */
  alt_texts: Readonly<Record<string, string>>
  author_id: string
  created_at: Date
  closes: boolean | null
  /** What it answers. */
  item: { remote_id: string; type: EntityType; at: Date } | null
  person: RemotePerson | null
  /** Of a claim to reconcile: ids of the platform's that other things of ours in the conversation have. */
  others: readonly string[]
}

type Written = Omit<LoadedReply, 'last_received_at' | 'created_at' | 'item'> & {
  last_received_at: string | null
  created_at: string
  item: { remote_id: string; type: EntityType; at: string } | null
}

/** The reply that a claim is about. JSON has no times. */
export function replyOf({ loaded }: Pick<Claimed, 'loaded'>): LoadedReply {
  // as begin_replies() makes it, and nobody else
  const row = loaded as Written
  return {
    ...row,
    last_received_at: row.last_received_at === null ? null : new Date(row.last_received_at),
    created_at: new Date(row.created_at),
    item: row.item && { ...row.item, at: new Date(row.item.at) },
  }
}

/** What a change at the platform is about: a reply of ours, or an item (`item_id`) of someone else's. As begin_changes() loads it. */
export type LoadedChange = {
  project_id: string
  conversation_id: string
  kind: ConversationKind
  thread_key: string
  item_id: string | null
  remote_id: string | null
  type: EntityType | null
}

// as begin_changes() makes it, and nobody else
export const changeOf = ({ loaded }: Pick<Claimed, 'loaded'>): LoadedChange => loaded as LoadedChange
