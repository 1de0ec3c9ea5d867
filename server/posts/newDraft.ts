import type { DraftBody } from '#contract/drafts.ts'
import type { Tx } from '../db/kysely.ts'
import { emit } from '../live/emit.ts'
import { draftColumns } from './updatePost.ts'
import { addTimelineEvent } from '../publishing/timeline.ts'

export type NewDraft = {
  orgId: string
  projectId: string
  postId: string
  /** Null while it's for several channels, or for none yet. */
  channelId: string | null
  authorId: string
  draft: DraftBody
  /** The zone that it's shown in without a planned time. */
  zone: string
  /** Who wrote its first text. */
  origin: 'person' | 'ai'
}

/** Stores a draft with the start of its timeline and notifies open screens. Returns false if its ID already exists. */
export async function storeDraft(
  tx: Tx,
  { orgId, projectId, postId, channelId, authorId, draft, zone, origin }: NewDraft,
  now: Date,
): Promise<boolean> {
  const row = {
    org_id: orgId,
    id: postId,
    project_id: projectId,
    batch_id: null,
    channel_id: channelId,
    author_id: authorId,
    state: 'DRAFTS',
    post_type: 'post',
    origin,
    ...draftColumns(draft, now, zone),
    created_at: now,
    updated_at: now,
  }
  // two saves of a new draft at once: the second finds it
  const made = await tx
    .insertInto('post')
    .values(row)
    .onConflict((oc) => oc.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) return false
  await addTimelineEvent(tx, orgId, now, [
    {
      postId,
      kind: 'created',
      ...(origin === 'ai' ? { detail: { code: 'ai-written' as const } } : { personId: authorId }),
    },
  ])
  await emit(tx, { kind: 'post', ref: postId, orgId, projectId }, now)
  return true
}
