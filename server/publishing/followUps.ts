import { sql } from 'kysely'
import { z } from 'zod'
import { because, type Reason } from '#contract/failures/catalog.ts'
import { StoredReason } from '#contract/failures/define.ts'
import { followUpName, type FollowUp as FollowUpName } from '#contract/failures/publishing.ts'
import type { Tx } from '../db/kysely.ts'
import type { Claimed } from '../delivery/claim.ts'
import { failureOf } from '../delivery/failures.ts'
import { rewakeLane } from '../delivery/lane.ts'
import { overrule } from '../delivery/overrule.ts'
import { dedupeKeys } from '../notifications/dedupeKeys.ts'
import { dismissNotifications } from '../notifications/dismiss.ts'
import type { FollowUp, FollowUpToSend, Outgoing, Platform } from '../platforms/platform.ts'
import { FollowUpDetails, type FollowUpRow, type FollowUpState, type LoadedPost } from './loaded.ts'

/*
 * A post's follow-ups: further thread items, its first comment, its place in a playlist. Each is a delivery of its
 * own, created in the commit that acknowledges the post. What the engine needs comes first, then what people's
 * actions may do to them, in the action's own transaction and with the post locked: whatever the engine is doing with
 * one at that moment is rejected.
 */

export type NewFollowUp = Pick<FollowUpRow, 'key' | 'place' | 'details' | 'send_key'>

/** The post's follow-ups, each with its key. The post itself was acknowledged under `post.sendKey`. */
export function newFollowUps({ publish }: Pick<Platform, 'publish'>, post: Outgoing): NewFollowUp[] {
  const keyOf = publish.followUpSendKey ?? ((sendKey: string, followUp: FollowUp) => `${sendKey}/${followUp.key}`)
  return (publish.followUps?.(post) ?? []).map((followUp, place) => ({
    key: followUp.key,
    place,
    details: { kind: followUp.kind, ...(followUp.kind === 'item' && { item: followUp.item }) },
    send_key: keyOf(post.sendKey, followUp),
  }))
}

/** The follow-up of a claim, as it's called on screen. */
export function nameOf({ details }: Pick<Claimed, 'details'>): FollowUpName {
  const { kind, item = null } = FollowUpDetails.parse(details)
  return { kind, item }
}

/** The follow-up as its adapter sees it; undefined if nothing is known about it. */
export function followUpToSend(claimed: Claimed, post: LoadedPost, outgoing: Outgoing): FollowUpToSend | undefined {
  const row = post.follow_ups?.find(({ key }) => key === claimed.key)
  if (!row || post.remote_id === null) return undefined
  const before = (post.follow_ups ?? []).flatMap(({ key, place, state, remote_id: remoteId, progress }) =>
    place < row.place && state === 'sent' && remoteId !== null ? [{ key, remoteId, progress }] : [],
  )
  const shared = {
    key: row.key,
    sendKey: row.send_key,
    progress: row.progress,
    sent: [{ key: 'post', remoteId: post.remote_id, progress: outgoing.progress }, ...before],
  }
  const { kind, item } = row.details
  if (kind !== 'item') return { ...shared, kind }
  return item === undefined ? undefined : { ...shared, kind, item }
}

const Row = z.object({
  key: z.string(),
  details: FollowUpDetails,
  state: z.enum(['waiting', 'sent', 'failed', 'unsure']),
  failure: StoredReason.nullable(),
})
type Row = z.infer<typeof Row>
export type FollowUpStatus = { key: string; name: string; state: FollowUpState; reason: StoredReason | null }

async function rowsOf(tx: Tx, orgId: string, postId: string): Promise<Row[]> {
  const rows = await ofPost(tx, orgId, postId).select(['key', 'details', 'state', 'failure']).orderBy('place').execute()
  return rows.map((row) => Row.parse(row))
}

const ofPost = (tx: Tx, orgId: string, postId: string) =>
  tx
    .selectFrom('delivery')
    .where('org_id', '=', orgId)
    .where('subject_id', '=', postId)
    .where('subject', '=', 'follow-up')

/** The follow-ups of a post with their progress, from their `key`, `details`, `state` and `failure`, in order. */
export const followUpsIn = (rows: unknown): FollowUpStatus[] =>
  z
    .array(Row)
    .parse(rows)
    .map(({ key, details, state, failure }) => ({
      key,
      name: followUpName({ kind: details.kind, item: details.item ?? null }),
      state,
      reason: failure && reasonIn(failure),
    }))

/**
 * Continues the follow-ups of a PUBLISHED post from where they stopped: what is waiting and, with `failedToo`, what
 * failed; what was sent is never sent again. Lateness counts from `now`. With `seen` a person has looked, and the
 * first isn't looked up again. Returns false, without changes, if there is nothing to continue or one is in progress.
 */
export async function resumeFollowUps(
  tx: Tx,
  { orgId, postId, failedToo, seen = false }: { orgId: string; postId: string; failedToo: boolean; seen?: boolean },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<{ resumed: boolean; channel_id: string }>`
    with of_post as (
      select d.* from delivery d join post p on p.org_id = d.org_id and p.id = d.subject_id
      where d.org_id = ${orgId} and d.subject_id = ${postId} and d.subject = 'follow-up' and p.state = 'PUBLISHED'
    ),
    willing as (
      select o.*, case when o.state = 'failed' and ${failedToo}::boolean then 'waiting' else o.state end as willing from of_post o
    ),
    next as (
      select w.key from willing w
      where w.willing = 'waiting' and not exists (select from of_post u where u.step is not null)
        and not exists (select from willing e where e.place < w.place and e.willing <> 'sent' and e.details ->> 'kind' = 'item')
      order by w.place limit 1
    )
    ${overrule(
      sql`state = w.willing, failure = case when w.state = 'failed' then null else d.failure end, wanted_at = ${now}, tries = 0, absent_at = null,
      step = case when n.key is null then null when d.doubted and not ${seen}::boolean then 'reconcile' else 'send' end,
      step_at = case when n.key is not null then ${now}::timestamptz end`,
      sql`from willing w left join next n on n.key = w.key
    where exists (select from next) and w.willing = 'waiting'
      and d.org_id = w.org_id and d.subject_id = w.subject_id and d.subject = w.subject and d.key = w.key
    returning d.step is not null as resumed, d.channel_id`,
    )}`.execute(tx)
  const [resumed] = rows.filter((row) => row.resumed)
  if (!resumed) return false
  await writeWarning(tx, orgId, postId)
  await dismissNotifications(tx, { orgId, dedupeKeys: [dedupeKeys.followUps(postId)] }, now)
  await rewakeLane(tx, orgId, resumed.channel_id)
  return true
}

/**
 * Postpones the follow-ups of a PUBLISHED post until that time, from which their lateness counts. One that may be
 * published is looked up no earlier than planned.
 */
export async function holdFollowUps(
  tx: Tx,
  { orgId, postId }: { orgId: string; postId: string },
  until: Date,
): Promise<void> {
  const held = overrule(
    sql`step_at = case when d.step = 'reconcile' then greatest(d.step_at, ${until}::timestamptz) else ${until}::timestamptz end, wanted_at = ${until}`,
    sql`where d.org_id = ${orgId} and d.subject_id = ${postId} and d.subject = 'follow-up' and d.step in ('send', 'reconcile') returning d.channel_id`,
  )
  const [lane] = (await sql<{ channel_id: string }>`${held}`.execute(tx)).rows
  if (lane) await rewakeLane(tx, orgId, lane.channel_id)
}

/** Whether a follow-up of this post is being sent right now: it may arrive after whatever is done next. */
export async function isSendingFollowUp(tx: Tx, orgId: string, postId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from delivery
    where org_id = ${orgId} and subject_id = ${postId} and subject = 'follow-up' and lease_until > ${now}`.execute(tx)
  return rows.length > 0
}

/** A person's decision about an unconfirmed follow-up; the rest continues. Returns false if there is none. */
export async function resolveFollowUp(
  tx: Tx,
  { orgId, postId, outcome }: { orgId: string; postId: string; outcome: 'published' | 'send_again' | 'failed' },
  now: Date,
): Promise<boolean> {
  const state = { published: 'sent', send_again: 'waiting', failed: 'failed' }[outcome]
  const failure =
    outcome === 'failed' ? JSON.stringify(failureOf('permanent', because('follow-up-given-up'), 'retry')) : null
  const resolved = await tx
    .updateTable('delivery')
    .where('org_id', '=', orgId)
    .where('subject_id', '=', postId)
    .where('subject', '=', 'follow-up')
    .set({ state, failure })
    .where('state', '=', 'unsure')
    .returning('key')
    .execute()
  if (resolved.length === 0) return false
  // what was waiting behind it continues; what had failed waits for a retry
  if (await resumeFollowUps(tx, { orgId, postId, failedToo: false, seen: outcome === 'send_again' }, now)) return true
  await writeWarning(tx, orgId, postId)
  await dismissNotifications(tx, { orgId, dedupeKeys: [dedupeKeys.followUps(postId)] }, now)
  return true
}

/** Ends the remaining follow-ups of the live posts of a disconnected channel, and says so on each post. Returns the posts' IDs. */
export async function endFollowUps(
  tx: Tx,
  { orgId, channelId, reason }: { orgId: string; channelId: string; reason: Reason },
): Promise<string[]> {
  const { rows: posts } = await sql<{ id: string }>`
    select p.id from post p
    where p.org_id = ${orgId} and p.channel_id = ${channelId} and p.state = 'PUBLISHED'
      and exists (select from delivery d where d.org_id = p.org_id and d.subject_id = p.id and d.subject = 'follow-up' and d.step is not null)
    order by p.id for update of p`.execute(tx)
  for (const { id } of posts) {
    // one that was being sent may be published
    await overrule(
      sql`state = case when d.step = 'reconcile' then 'unsure' else 'failed' end, failure = ${JSON.stringify(failureOf('permanent', reason, 'retry'))}::jsonb,
      step = null, step_at = null, absent_at = null`,
      sql`where d.org_id = ${orgId} and d.subject_id = ${id} and d.subject = 'follow-up' and d.step is not null`,
    ).execute(tx)
    await sql`
      update post set warning = coalesce(warning, '[]') || ${warningOf(await rowsOf(tx, orgId, id)) ?? '[]'}::jsonb
      where org_id = ${orgId} and id = ${id}`.execute(tx)
  }
  return posts.map(({ id }) => id)
}

async function writeWarning(tx: Tx, orgId: string, postId: string): Promise<void> {
  const warning = warningOf(await rowsOf(tx, orgId, postId))
  await tx.updateTable('post').set({ warning }).where('org_id', '=', orgId).where('id', '=', postId).execute()
}

/** What a post says about follow-ups that are missing or unconfirmed; as JSON, null for nothing. */
function warningOf(rows: readonly Row[]): string | null {
  const warnings = rows.flatMap(({ details: { kind, item = null }, state, failure }) =>
    (state === 'failed' || state === 'unsure') && failure
      ? [because('follow-up-failed', { followUp: { kind, item }, because: reasonIn(failure) })]
      : [],
  )
  return warnings.length === 0 ? null : JSON.stringify(warnings)
}

/** The reason alone, from a stored failure. */
export const reasonIn = ({ code, params, platformCode }: StoredReason): StoredReason => ({
  code,
  ...(params && { params }),
  ...(platformCode !== undefined && { platformCode }),
})
