import type { AuditFacts, ProjectContext } from '../http/route.ts'
import type { Updateable } from 'kysely'
import { draftContents, type DraftBody } from '#contract/drafts.ts'
import { PostType } from '#contract/platforms/rules.ts'
import { problem } from '#contract/postProblems.ts'
import { channelsById } from '../access/channels.ts'
import type { Database } from '../db/schema.ts'
import { fail } from '../errors.ts'
import { dedupeKeys } from '../notifications/dedupeKeys.ts'
import { dismissNotifications } from '../notifications/dismiss.ts'
import { compactQueue } from '../queues/shiftQueue.ts'
import type { PostRecord } from './access.ts'
import type { Composed } from './checks.ts'
import { contentColumns, saysOf, type Says } from './content.ts'
import { plannedTimeOf, type PlannedTime } from './time.ts'
import { addTimelineEvent } from '../publishing/timeline.ts'

/** What changing a post requires: a person's transaction, or the delivery engine's in a person's name. */
export type PostUpdate = Pick<ProjectContext, 'tx' | 'now' | 'emit'> & { org: Pick<ProjectContext['org'], 'orgId'> }

/**
 * Writes a person's change: raises the version, notifies open screens, moves queued posts up into the time it leaves,
 * and resolves notifications about its failure. Returns the version.
 */
export async function updatePost(
  c: PostUpdate,
  post: Pick<PostRecord, 'id' | 'version' | 'state' | 'channel_id' | 'due_at'>,
  columns: Updateable<Database['post']>,
): Promise<number> {
  const version = post.version + 1
  const keys =
    post.state === 'PUBLISHED'
      ? [dedupeKeys.followUps(post.id)]
      : post.state === 'FAILED' || post.state === 'UNCONFIRMED'
        ? [dedupeKeys.post(post.id, post.state)]
        : []
  if (keys.length > 0 && columns.state !== undefined && columns.state !== post.state)
    await dismissNotifications(c.tx, { orgId: c.org.orgId, dedupeKeys: keys }, c.now)
  await c.tx
    .updateTable('post')
    .set({ ...columns, version, updated_at: c.now })
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', post.id)
    .execute()
  const { state, channel_id: channelId, due_at: dueAt } = post
  const keepsMinute = (columns.state ?? state) === state && columns.due_at === undefined
  if (state === 'SCHEDULED' && channelId !== null && dueAt !== null && !keepsMinute)
    await compactQueue(c, { channelId, dueAt })
  await c.emit({ kind: 'post', ref: post.id })
  return version
}

/** Writes that a person deleted a post, which has left its lane; with `more`, also on its platform, and then it can't be undone. */
export async function recordDeletion(
  c: PostUpdate & { caller: Pick<ProjectContext['caller'], 'personId'>; audit: (facts: AuditFacts) => Promise<void> },
  post: PostRecord,
  more: { remote_id?: null; permalink?: null },
): Promise<void> {
  const onPlatform = 'remote_id' in more
  // unscheduling clears what the engine said about it; an undo restores it. A post deleted on the platform can't be
  // restored
  await updatePost(c, post, {
    state: 'DELETED',
    deleted_from: onPlatform ? null : post.state,
    failure: post.failure === null ? null : JSON.stringify(post.failure),
    ...more,
  })
  await addTimelineEvent(c.tx, c.org.orgId, c.now, [
    {
      postId: post.id,
      kind: 'deleted',
      personId: c.caller.personId,
      detail: onPlatform ? { code: 'on-platform', did: 'deleted' } : null,
    },
  ])
  await c.audit({ entityId: post.id, detail: { before: { state: post.state }, onPlatform } })
}

/** The columns of a post that is published at a time. The engine's columns are set by `schedule`, called afterwards. */
export function timeColumns(time: PlannedTime) {
  return {
    state: 'SCHEDULED',
    draft: null,
    schedule: JSON.stringify(time.schedule),
    wall_time: time.wallTime,
    zone: time.zone,
    due_at: time.dueAt,
    shown_at: time.dueAt,
  }
}

/** The columns of a post that waits for approval: its requested time. Only a dated one has a due time. */
export function waitingColumns(time: PlannedTime) {
  return {
    schedule: JSON.stringify(time.schedule),
    wall_time: time.wallTime,
    zone: time.zone,
    due_at: time.schedule.type === 'ONCE' ? time.dueAt : null,
    shown_at: time.dueAt,
  }
}

/** The columns of a draft, derived from the composer's state. One for a single channel has its variant's content. */
export function draftColumns(draft: DraftBody, now: Date, zone: string) {
  const [only, another] = draft.channelIds
  const channelId = another === undefined ? only : undefined
  const own = channelId === undefined ? undefined : draft.variants?.[channelId]
  const contents = draftContents(draft, channelId)
  return {
    ...contentColumns(contents, own?.additionalDetails ?? draft.additionalDetails),
    first_comment: own?.firstComment ?? draft.firstComment ?? '',
    ...planColumns(draft, now, zone),
  }
}

/** A draft is shown at its planned time, or when it was last changed; the engine never sees it. */
export function planColumns(draft: DraftBody, now: Date, zone: string) {
  const planned = plannedTimeOf(draft)
  return {
    draft: JSON.stringify(draft),
    schedule: JSON.stringify({ type: 'DRAFT' }),
    wall_time: planned?.wallTime ?? null,
    zone: planned?.zone ?? zone,
    due_at: planned?.dueAt ?? null,
    shown_at: planned?.dueAt ?? now,
  }
}

/**
 * A post with its channel, for the checks and the engine; `says` replaces its content. Throws POST_LOCKED if its
 * channel is gone, or if a draft names none.
 */
export async function composedOf(c: ProjectContext, post: PostRecord, says: Partial<Says> = {}): Promise<Composed> {
  if (post.channel_id === null)
    throw fail('POST_LOCKED', { problem: problem('post-without-channels'), meta: { state: post.state } })
  const channel = (await channelsById(c, [post.channel_id])).get(post.channel_id)
  if (!channel) throw fail('POST_LOCKED', { problem: problem('post-channel-gone'), meta: { state: post.state } })
  return { channel, postType: PostType.parse(post.post_type), ...saysOf(post), ...says, at: '' }
}
