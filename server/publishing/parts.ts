import type { StoredReason } from '#contract/failures/define.ts'
import type { Outgoing, FollowUp, FollowUpToSend, Platform } from '../platforms/platform.ts'
import type { Claimed } from './claim.ts'

/*
 * What follows a post: the further items of a thread, its first comment, its place in a playlist. Each is a row of
 * `post_part` from the commit that acknowledges the post, and is claimed, sent and settled as a post is, one at a time.
 */

export type PartState = 'waiting' | 'sent' | 'failed' | 'unsure'

/** A row of post_part. */
export type PartRow = {
  key: string
  place: number
  kind: FollowUp['kind']
  /** Of a thread's item: its index in the post's contents. */
  item: number | null
  send_key: string
  state: PartState
  remote_id: string | null
  progress: Record<string, unknown>
  reason: StoredReason | null
}

export type NewPart = Pick<PartRow, 'key' | 'place' | 'kind' | 'item' | 'send_key'>

/** What became of a part; what is left out stays as it is, except the reason. */
export type PartDone = {
  key: string
  state?: PartState
  remote_id?: string
  progress?: Record<string, unknown>
  sent_at?: Date
  reason?: StoredReason
}

/** What is to follow this post, with the key of each part. The post itself was acknowledged under `post.sendKey`. */
export function partsOf({ publish }: Pick<Platform, 'publish'>, post: Outgoing): NewPart[] {
  const keyOf = publish.partSendKey ?? ((sendKey: string, part: FollowUp) => `${sendKey}/${part.key}`)
  return (publish.parts?.(post) ?? []).map((part, place) => ({
    key: part.key,
    place,
    kind: part.kind,
    item: part.kind === 'item' ? part.item : null,
    send_key: keyOf(post.sendKey, part),
  }))
}

/** The part that is next: the first that waits. An item of a thread answers the one before it, so nothing goes past an item that is not out. */
export function nextPart<P extends Pick<PartRow, 'kind' | 'state'>>(parts: readonly P[]): P | undefined {
  for (const part of parts) {
    if (part.state === 'waiting') return part
    if (part.kind === 'item' && part.state !== 'sent') return undefined
  }
  return undefined
}

/** The part that was claimed; undefined for a step of the post itself. */
export function currentPart({ part, parts }: Pick<Claimed, 'part' | 'parts'>): PartRow | undefined {
  return parts?.find(({ key }) => key === part)
}

/** The part as its adapter gets to see it; undefined when the journal does not hold it. */
export function partToSend(claimed: Claimed, post: Outgoing): FollowUpToSend | undefined {
  const row = currentPart(claimed)
  if (!row || claimed.remote_id === null) return undefined
  const before = (claimed.parts ?? []).flatMap(({ key, place, state, remote_id: remoteId, progress }) =>
    place < row.place && state === 'sent' && remoteId !== null ? [{ key, remoteId, progress }] : [],
  )
  const shared = {
    key: row.key,
    sendKey: row.send_key,
    progress: row.progress,
    sent: [{ key: 'post', remoteId: claimed.remote_id, progress: post.progress }, ...before],
  }
  if (row.kind !== 'item') return { ...shared, kind: row.kind }
  return row.item === null ? undefined : { ...shared, kind: 'item', item: row.item }
}
