import { z } from 'zod'
import type { StoredReason } from '#contract/failures/define.ts'
import type { PostFailure } from '#contract/postLists.ts'
import type { PostState } from '#contract/postStates.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Claimed } from '../delivery/claim.ts'
import type { SubjectKind } from '../delivery/steps.ts'

export type FollowUpState = 'waiting' | 'sent' | 'failed' | 'unsure'

/** A follow-up's row of `delivery`, as begin_posts() loads it. */
export type FollowUpRow = {
  key: string
  place: number
  details: FollowUpDetails
  send_key: string
  state: FollowUpState
  remote_id: string | null
  progress: Record<string, unknown>
}
export const FollowUpDetails = z.object({
  kind: z.enum(['item', 'comment', 'playlist']),
  /** For a thread item: its index in the post's contents. */
  item: z.int().optional(),
})
export type FollowUpDetails = z.infer<typeof FollowUpDetails>

/** The post of a claim, as begin_posts() loads it: its content and the state of its delivery. */
export type LoadedPost = {
  project_id: string
  state: PostState
  failure: PostFailure | null
  warning: readonly StoredReason[] | null
  due_at: Date
  /** The zone in which it was given its time. */
  zone: string
  /** The date of what the claim sends, the post or a follow-up, on platforms where no two of an account may share one. */
  dated_at: Date | null
  remote_id: string | null
  post_type: string
  created_at: Date
  contents: unknown
  details: unknown
  first_comment: string
  mentions: unknown
  /** The post's own delivery. */
  progress: Record<string, unknown>
  send_key: string | null
  /** All of the post's follow-ups, in order; null for a claim of the post itself. */
  follow_ups: readonly FollowUpRow[] | null
  /** The last approval round, for a post that is about to be published; null for none. */
  approval_state: string | null
  approved_hash: Buffer | null
}

export type PostClaim = { orgId: string; postId: string; platform: PlatformKey; post: LoadedPost }

type AsJson = Omit<
  LoadedPost,
  'due_at' | 'dated_at' | 'created_at' | 'approved_hash' | 'progress' | 'send_key' | 'follow_ups'
> & {
  /** For a follow-up: the post's own delivery comes first. */
  deliveries: readonly (FollowUpRow & { subject: SubjectKind })[] | null
  due_at: string
  created_at: string
  approved_hash: string | null
}

/** The post that a claim is about. JSON has neither times nor bytes. */
export function postOf(claimed: Claimed): PostClaim {
  const { org_id: orgId, subject_id: postId } = claimed
  // as begin_posts() makes it, and nothing else does
  const { deliveries, ...row } = claimed.loaded as AsJson
  const own = deliveries?.find(({ subject }) => subject === 'post') ?? claimed
  return {
    orgId,
    postId,
    platform: claimed.platform,
    post: {
      ...row,
      progress: own.progress,
      send_key: own.send_key,
      follow_ups: deliveries?.filter(({ subject }) => subject === 'follow-up') ?? null,
      due_at: new Date(row.due_at),
      dated_at: claimed.dated_at,
      created_at: new Date(row.created_at),
      approved_hash: row.approved_hash === null ? null : Buffer.from(row.approved_hash, 'hex'),
    },
  }
}
