import { sql } from 'kysely'
import { z } from 'zod'
import { because, type Reason } from '#contract/failures/catalog.ts'
import { StoredReason } from '#contract/failures/define.ts'
import { followUpName } from '#contract/failures/publishing.ts'
import type { Tx } from '../db/kysely.ts'
import { dedupeKeys } from '../notifications/dedupeKeys.ts'
import { dismissNotifications } from '../notifications/dismiss.ts'
import { rewakeLane } from './lane.ts'
import { nextPart } from './parts.ts'

/*
 * What people's verbs may do to the parts of a live post, in the verb's own transaction and with its post locked. What the
 * machine does with a part at that moment is refused when it comes back.
 */

const Row = z.object({
  key: z.string(),
  kind: z.enum(['item', 'comment', 'playlist']),
  item: z.int().nullable(),
  state: z.enum(['waiting', 'sent', 'failed', 'unsure']),
  reason: StoredReason.nullable(),
})
type Row = z.infer<typeof Row>
export type PartStanding = Pick<Row, 'key' | 'state' | 'reason'> & { name: string }

async function rowsOf(tx: Tx, orgId: string, postId: string): Promise<Row[]> {
  const rows = await tx
    .selectFrom('post_part')
    .select(['key', 'kind', 'item', 'state', 'reason'])
    .where('org_id', '=', orgId)
    .where('post_id', '=', postId)
    .orderBy('place')
    .execute()
  return rows.map((row) => Row.parse(row))
}

/** What follows the post and how it stands, in order; empty for a post of one piece. */
export async function partsOfPost(tx: Tx, orgId: string, postId: string): Promise<PartStanding[]> {
  return (await rowsOf(tx, orgId, postId)).map((row) => ({
    key: row.key,
    name: followUpName(row),
    state: row.state,
    reason: row.reason,
  }))
}

/**
 * Lets the parts of a PUBLISHED post go on from where they stopped: those that wait and, with `failedToo`, those that
 * failed; what was sent is never sent again. Their lateness counts from `now`. With `seen` a person looked, and the first of
 * them is not looked up once more. Answers false, changing nothing, when there is nothing to go on with.
 */
export async function resumeParts(
  tx: Tx,
  { orgId, postId, failedToo, seen = false }: { orgId: string; postId: string; failedToo: boolean; seen?: boolean },
  now: Date,
): Promise<boolean> {
  const rows = await rowsOf(tx, orgId, postId)
  const willing = rows.map((row) =>
    failedToo && row.state === 'failed' ? { ...row, state: 'waiting' as const, reason: null } : row,
  )
  const next = nextPart(willing)
  if (!next) return false
  const resumed = await tx
    .updateTable('post')
    .set((eb) => ({
      step: sql<string>`case when parts_doubted and not ${seen}::boolean then 'settlePart' else 'part' end`,
      step_at: now,
      parts_at: now,
      part: next.key,
      tries: 0,
      absent_at: null,
      fence: eb('fence', '+', 1),
      warning: warningOf(willing),
    }))
    .where('org_id', '=', orgId)
    .where('id', '=', postId)
    .where('state', '=', 'PUBLISHED')
    .where('step', 'is', null)
    .returning('channel_id')
    .executeTakeFirst()
  if (!resumed) return false
  if (failedToo)
    await tx
      .updateTable('post_part')
      .set({ state: 'waiting', reason: null })
      .where('org_id', '=', orgId)
      .where('post_id', '=', postId)
      .where('state', '=', 'failed')
      .execute()
  await dismissNotifications(tx, { orgId, dedupeKeys: [dedupeKeys.followUps(postId)] }, now)
  if (resumed.channel_id) await rewakeLane(tx, orgId, resumed.channel_id)
  return true
}

/**
 * Keeps what is to follow a PUBLISHED post until that time, from when its lateness counts. A part that may be out is looked up no earlier than it
 * would have been.
 */
export async function holdParts(
  tx: Tx,
  { orgId, postId }: { orgId: string; postId: string },
  until: Date,
): Promise<void> {
  const held = await tx
    .updateTable('post')
    .set((eb) => ({
      step_at: sql<Date>`case when step = 'settlePart' then greatest(step_at, ${until}::timestamptz) else ${until}::timestamptz end`,
      parts_at: until,
      fence: eb('fence', '+', 1),
    }))
    .where('org_id', '=', orgId)
    .where('id', '=', postId)
    .where('state', '=', 'PUBLISHED')
    .where('step', 'in', ['part', 'settlePart'])
    .returning('channel_id')
    .executeTakeFirst()
  if (held?.channel_id) await rewakeLane(tx, orgId, held.channel_id)
}

/** Whether the machine is sending a part of this post at this moment: what it sends may arrive after whatever is done now. */
export async function isSendingPart(tx: Tx, orgId: string, postId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from attempt a join lane l on l.org_id = a.org_id and l.channel_id = a.channel_id and l.lease_id = a.id
    where a.org_id = ${orgId} and a.post_id = ${postId} and a.step = 'part' and a.finished_at is null and l.lease_until > ${now}`.execute(
    tx,
  )
  return rows.length > 0
}

/** A person's word on a part that could not be settled; the rest goes on. Answers false when there is none. */
export async function answerPart(
  tx: Tx,
  { orgId, postId, outcome }: { orgId: string; postId: string; outcome: 'published' | 'send_again' | 'failed' },
  now: Date,
): Promise<boolean> {
  const state = { published: 'sent', send_again: 'waiting', failed: 'failed' }[outcome]
  const reason = outcome === 'failed' ? JSON.stringify(because('follow-up-given-up')) : null
  const answered = await tx
    .updateTable('post_part')
    .set({ state, reason })
    .where('org_id', '=', orgId)
    .where('post_id', '=', postId)
    .where('state', '=', 'unsure')
    .returning('key')
    .execute()
  if (answered.length === 0) return false
  // whoever works on another part at this moment counted without this one, and would end with that: it is looked up instead
  await tx
    .updateTable('post')
    .set((eb) => ({ fence: eb('fence', '+', 1) }))
    .where('org_id', '=', orgId)
    .where('id', '=', postId)
    .where('step', '=', 'settlePart')
    .execute()
  // what was waiting behind it goes on; what had failed waits for a Retry
  if (await resumeParts(tx, { orgId, postId, failedToo: false, seen: outcome === 'send_again' }, now)) return true
  await tx
    .updateTable('post')
    .set({ warning: warningOf(await rowsOf(tx, orgId, postId)) })
    .where('org_id', '=', orgId)
    .where('id', '=', postId)
    .execute()
  await dismissNotifications(tx, { orgId, dedupeKeys: [dedupeKeys.followUps(postId)] }, now)
  return true
}

/** Ends what was to follow the live posts of a channel that is disconnected, and says so under each. Answers their ids. */
export async function endParts(
  tx: Tx,
  { orgId, channelId, reason }: { orgId: string; channelId: string; reason: Reason },
): Promise<string[]> {
  const posts = await tx
    .selectFrom('post')
    .select(['id', 'step', 'part'])
    .where('org_id', '=', orgId)
    .where('channel_id', '=', channelId)
    .where('state', '=', 'PUBLISHED')
    .where('part', 'is not', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const post of posts) {
    // one that was being sent may be out
    const state = post.step === 'settlePart' ? 'unsure' : 'failed'
    await tx
      .updateTable('post_part')
      .set({ state, reason: JSON.stringify(reason) })
      .where('org_id', '=', orgId)
      .where('post_id', '=', post.id)
      .where('key', '=', post.part)
      .execute()
    await sql`
      update post set step = null, step_at = null, part = null, absent_at = null, fence = fence + 1, warning = coalesce(warning, '[]') || ${warningOf(await rowsOf(tx, orgId, post.id)) ?? '[]'}::jsonb
      where org_id = ${orgId} and id = ${post.id}`.execute(tx)
  }
  return posts.map(({ id }) => id)
}

/** What stands under the post of parts that are not there, or may not be; as JSON, null for nothing. */
function warningOf(rows: readonly Row[]): string | null {
  const warnings = rows.flatMap(({ kind, item, state, reason }) =>
    (state === 'failed' || state === 'unsure') && reason
      ? [because('follow-up-failed', { followUp: { kind, item }, because: reason })]
      : [],
  )
  return warnings.length === 0 ? null : JSON.stringify(warnings)
}
