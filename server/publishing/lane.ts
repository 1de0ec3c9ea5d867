import { because } from '#contract/failures/catalog.ts'
import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import { queryWithCommit } from '../db/transaction.ts'
import { failureOf } from '../delivery/failures.ts'
import { rewakeLane, wakeLanes } from '../delivery/lane.ts'
import { nudge } from '../delivery/nudge.ts'
import { overrule, putDeliveries } from '../delivery/overrule.ts'

/*
 * What people's actions may do to the schedule of posts. All of it runs inside the action's own transaction and in
 * one order: posts, their deliveries, lanes. Each raises the fence, so that whatever the engine is doing with a post
 * at that moment is rejected.
 */

export type LanePost = {
  postId: string
  channelId: string
  /** Null for a queued post without a slot: it waits for one. */
  dueAt: Date | null
  needsPrepare: boolean
  /**
   * `chooseSendKey()` of the post's adapter. Chosen this early, the key is in every backup that contains the post:
   * after a restore it shows whether the post was published in the meantime. Without it the claim chooses one.
   */
  sendKey?: string | undefined
}

/**
 * Puts posts on their lanes: sets due_at, the first step ('prepare', which starts before the due time, if there is
 * something to prepare, otherwise 'send') and its time, and wakes the lanes. Everything left from an earlier round is
 * cleared except the send key, which identifies a second send. A post whose content changed since it may have been
 * published is a different post and gets a new key: an old live post must not be taken for the new one. `posts` all
 * belong to the tenant of `tx`; the caller sets their status (SCHEDULED, QUEUED). A time in the past sends at once.
 * The caller then holds those in a disabled campaign.
 */
export async function scheduleOnLane(tx: Tx, posts: readonly LanePost[]): Promise<void> {
  if (posts.length === 0) return
  await sql`
    with planned as (
      update post p set due_at = g.due_at, failure = null
      from unnest(${posts.map((post) => post.postId)}::uuid[], ${posts.map((post) => post.dueAt)}::timestamptz[], ${posts.map((post) => post.needsPrepare)}::boolean[], ${posts.map((post) => post.sendKey ?? null)}::text[])
        as g(id, due_at, needs_prepare, send_key)
      where p.org_id = current_setting('app.org_id')::uuid and p.id = g.id
      returning p.org_id, p.id, p.channel_id, p.images, g.due_at, g.needs_prepare, g.send_key
    )
    ${putDeliveries(
      sql`(org_id, channel_id, subject, subject_id, step, step_at, wanted_at, send_key)
    select org_id, channel_id, 'post', id, case when needs_prepare then 'prepare' else 'send' end,
      case when needs_prepare then due_at - prepare_ahead(images) else due_at end, due_at, send_key
    from planned`,
      sql`channel_id = excluded.channel_id, state = 'waiting', step = excluded.step, step_at = excluded.step_at, wanted_at = excluded.wanted_at,
        tries = 0, progress = '{}', failure = null, absent_at = null,
        send_key = case when d.send_key is not null and exists (
          select from post_event e
          where e.org_id = d.org_id and e.post_id = d.subject_id and e.kind = 'edited' and e.at >= greatest(
            (select max(x.at) from post_event x where x.org_id = d.org_id and x.post_id = d.subject_id and x.kind = 'due'),
            (select max(a.started_at) from attempt a where a.org_id = d.org_id and a.subject_id = d.subject_id and a.subject = 'post' and a.step = 'send'))
        ) then coalesce(excluded.send_key, d.send_key) else coalesce(d.send_key, excluded.send_key) end`,
    )}`.execute(tx)
  await wakeLanes(tx, [...new Set(posts.map((post) => post.channelId))])
  nudgeFirst(posts.map(({ dueAt }) => dueAt))
}

/** The same for posts that are stored with the transaction's commit: their deliveries are too, in the same statement. */
export function scheduleNewOnLane(tx: Tx, posts: readonly (LanePost & { images: number })[]): void {
  queryWithCommit(tx, {
    name: 'planned',
    insert: sql`
      insert into delivery (org_id, channel_id, subject, subject_id, step, step_at, wanted_at, send_key)
      select current_setting('app.org_id')::uuid, "channelId", 'post', "postId", case when "needsPrepare" then 'prepare' else 'send' end,
        case when "needsPrepare" then "dueAt" - prepare_ahead(images) else "dueAt" end, "dueAt", "sendKey"
      from json_to_recordset(${JSON.stringify(posts)}::json) as g("postId" uuid, "channelId" uuid, "dueAt" timestamptz, "needsPrepare" boolean, images int, "sendKey" text)
      returning channel_id, step_at`,
    last: sql`select wake_lanes(array_agg(channel_id), array_agg(step_at)) from planned`,
  })
  nudgeFirst(posts.map(({ dueAt }) => dueAt))
}

function nudgeFirst(times: readonly (Date | null)[]): void {
  const [first, ...later] = times.filter((at) => at !== null)
  if (first) nudge(later.reduce((soonest, at) => (at < soonest ? at : soonest), first))
}

export type QueueMove = {
  postId: string
  /** Its slot, with its wall time in the queue's zone; null for none. */ at: Date | null
  wall: string | null
}

/**
 * Gives queued posts of a channel, which the caller has locked, their slots. What was prepared for another time is
 * prepared again, because uploads expire. A post that keeps its slot isn't touched. Notifies open screens. Returns
 * those that have a time now and had another before, so that the caller can hold those in a disabled campaign.
 */
export async function moveInQueue(
  tx: Tx,
  { channelId, zone, moves }: { channelId: string; zone: string; moves: readonly QueueMove[] },
  now: Date,
): Promise<string[]> {
  if (moves.length === 0) return []
  const { rows } = await sql<{ id: string; due_at: Date | null }>`
    with moved as (
      update post p
      set due_at = g.at, wall_time = g.wall, zone = ${zone}, shown_at = coalesce(g.at, case when p.due_at is null then p.shown_at else ${now}::timestamptz end), failure = null
      from unnest(${moves.map(({ postId }) => postId)}::uuid[], ${moves.map(({ at }) => at)}::timestamptz[], ${moves.map(({ wall }) => wall)}::text[]) as g(id, at, wall)
      where p.org_id = current_setting('app.org_id')::uuid and p.id = g.id and p.state = 'QUEUED'
        and (p.due_at, p.wall_time, p.zone) is distinct from (g.at, g.wall, ${zone})
      returning p.org_id, p.project_id, p.id, p.due_at, p.images
    ),
    planned as (
      ${overrule(
        sql`step = case when d.step = 'prepare' or d.progress <> '{}' then 'prepare' else 'send' end,
        step_at = case when d.step = 'prepare' or d.progress <> '{}' then m.due_at - prepare_ahead(m.images) else m.due_at end,
        wanted_at = m.due_at, tries = 0, progress = '{}', failure = null, absent_at = null`,
        sql`from moved m where d.org_id = m.org_id and d.subject_id = m.id and d.subject = 'post'`,
      )}
    ),
    shown as (insert into event (at, org_id, project_id, kind, ref) select ${now}, m.org_id, m.project_id, 'post', m.id::text from moved m)
    select id, due_at from moved`.execute(tx)
  const timed = rows.filter((row) => row.due_at !== null)
  if (timed.length === 0) return []
  await wakeLanes(tx, [channelId])
  nudgeFirst(timed.map((row) => row.due_at))
  return timed.map(({ id }) => id)
}

/**
 * Takes a post off its lane: it won't be sent, and whatever the engine is preparing for it is rejected. A follow-up
 * that may be published is looked up before any other continues. Returns false, without changes, if the post is being
 * sent right now (PROCESSING).
 */
export async function takeOffLane(tx: Tx, orgId: string, postId: string): Promise<boolean> {
  const { rows } = await sql`
    with taken as (
      update post set failure = null where org_id = ${orgId} and id = ${postId} and state <> 'PROCESSING' returning org_id, id
    ),
    withdrawn as (
      ${overrule(
        sql`step = null, step_at = null, failure = case when d.subject = 'post' or d.state = 'waiting' then null else d.failure end,
        absent_at = null, doubted = d.doubted or (d.subject = 'follow-up' and d.step is not distinct from 'reconcile')`,
        sql`from taken t where d.org_id = t.org_id and d.subject_id = t.id and d.subject in ('post', 'follow-up')`,
      )}
    )
    select from taken`.execute(tx)
  return rows.length > 0
}

/**
 * Looks up an UNCONFIRMED post again that was taken off its lane: it may be published, and its send may still be
 * under way. One without a key stays with a person.
 */
export async function reconcileOnLane(tx: Tx, orgId: string, postId: string, now: Date): Promise<void> {
  const { rows } = await sql<{ channel_id: string }>`
    ${overrule(
      sql`step = 'reconcile', tries = 0,
      step_at = greatest(${now}::timestamptz, (select max(a.started_at) from attempt a where a.org_id = d.org_id and a.subject_id = d.subject_id and a.subject = 'post' and a.step = 'send') + make_interval(secs => ${LONGEST_SEND_S}))`,
      sql`from post p
    where p.org_id = ${orgId} and p.id = ${postId} and p.state = 'UNCONFIRMED' and p.channel_id is not null
      and d.org_id = p.org_id and d.subject_id = p.id and d.subject = 'post' and d.send_key is not null
    returning d.channel_id`,
    )}`.execute(tx)
  const [found] = rows
  if (found) await rewakeLane(tx, orgId, found.channel_id)
}

/** Longer than sending takes on any platform. */
const LONGEST_SEND_S = 180

/** A waiting post, and the disabled campaign that holds it. */
export type HeldPost = { postId: string; campaign: string }

/**
 * Holds posts for their campaign, whatever their time: they keep their step but not its time, and whatever the engine
 * is preparing for them is rejected. A post that is being sent or may already be published can't be held. Returns
 * those that are newly held.
 */
export async function holdOnLane(tx: Tx, held: readonly HeldPost[]): Promise<string[]> {
  if (held.length === 0) return []
  const { rows } = await sql<{ id: string; fresh: boolean }>`
    with held as (
      select p.org_id, p.id, g.failure
      from unnest(${held.map(({ postId }) => postId)}::uuid[], ${held.map(({ campaign }) => JSON.stringify(campaignFailure(campaign)))}::jsonb[]) as g(id, failure)
      join post p on p.org_id = current_setting('app.org_id')::uuid and p.id = g.id
      where p.state in ('SCHEDULED', 'QUEUED')
      order by p.id for update of p
    ),
    stopped as (
      ${overrule(
        sql`step_at = null, tries = 0, progress = '{}', failure = h.failure`,
        sql`from held h where d.org_id = h.org_id and d.subject_id = h.id and d.subject = 'post' and d.step in ('prepare', 'send')
      returning d.org_id, d.subject_id, old.step_at is not null as fresh`,
      )}
    )
    update post p set failure = h.failure
    from held h join stopped s on s.org_id = h.org_id and s.subject_id = h.id
    where p.org_id = h.org_id and p.id = h.id returning p.id, s.fresh`.execute(tx)
  return rows.filter(({ fresh }) => fresh).map(({ id }) => id)
}

export type Released = {
  postId: string
  /** Null for one that waits for a queue slot. */ dueAt: Date | null
  /** Past its channel's lateness limit: the engine will leave it to a person. */ late: boolean
}

/** Releases held posts at their time. If it has passed, the lateness limit decides. Returns those that were held. */
export async function releaseOnLane(tx: Tx, postIds: readonly string[], now: Date): Promise<Released[]> {
  if (postIds.length === 0) return []
  const wasHeld = JSON.stringify(failureOf('paused', because('campaign-was-disabled')))
  const { rows } = await sql<Released & { channel_id: string }>`
    with held as (
      select p.org_id, p.id, p.images, p.failure, p.due_at, coalesce(p.due_at < ${now}::timestamptz - make_interval(mins => c.lateness_minutes), false) as late
      from post p join channel c on c.org_id = p.org_id and c.id = p.channel_id
      where p.org_id = current_setting('app.org_id')::uuid and p.id = any(${[...postIds]}::uuid[]) and p.state in ('SCHEDULED', 'QUEUED')
        -- one without a time waits for its queue, which gives it one
        and (p.due_at is not null or p.failure is not null)
      order by p.id for update of p
    ),
    going as (
      ${overrule(
        sql`step_at = case when d.step = 'prepare' then h.due_at - prepare_ahead(h.images) else h.due_at end, wanted_at = h.due_at, tries = 0,
        failure = case when h.late then ${wasHeld}::jsonb end`,
        sql`from held h where d.org_id = h.org_id and d.subject_id = h.id and d.subject = 'post' and d.step in ('prepare', 'send') and d.step_at is null
      returning d.org_id, d.subject_id`,
      )}
    )
    -- what kept it says why it is late
    update post p set failure = case when h.late then ${wasHeld}::jsonb end
    from held h join going g on g.org_id = h.org_id and g.subject_id = h.id
    where p.org_id = h.org_id and p.id = h.id returning p.id as "postId", p.due_at as "dueAt", h.late, p.channel_id`.execute(
    tx,
  )
  // a queued one without a slot keeps waiting, but only for that
  await sql`
    update post set failure = null
    where org_id = current_setting('app.org_id')::uuid and id = any(${[...postIds]}::uuid[]) and state = 'QUEUED' and due_at is null and failure ->> 'class' = 'paused'`.execute(
    tx,
  )
  if (rows.length === 0) return []
  await wakeLanes(tx, [...new Set(rows.map((row) => row.channel_id))])
  nudge()
  return rows.map(({ postId, dueAt, late }) => ({ postId, dueAt, late }))
}

const campaignFailure = (campaign: string) => failureOf('paused', because('campaign-disabled', { campaign }))

/**
 * Resumes sending on a channel that a person enabled or reconnected: waiting posts are published now if they're
 * within the lateness limit, and unconfirmed ones are looked up again. Approved posts that the channel blocked still
 * wait for a person, who has nothing left to fix.
 */
export async function resumeLane(tx: Tx, orgId: string, channelId: string): Promise<void> {
  await sql`
    select from post p where p.org_id = ${orgId} and p.channel_id = ${channelId}
      and exists (select from delivery d where d.org_id = p.org_id and d.subject_id = p.id and d.step_at is not null)
    order by p.id for no key update`.execute(tx)
  await sql`
    with waited as (
      update delivery d set failure = null, tries = 0, step_at = least(d.step_at, d.wanted_at)
      from post p
      where p.org_id = ${orgId} and p.channel_id = ${channelId} and d.org_id = p.org_id and d.subject_id = p.id and d.step_at is not null
        and case d.subject when 'post' then p.failure is not null and (p.state in ('SCHEDULED', 'QUEUED') or p.failure ->> 'class' = 'reconnect') else d.failure ->> 'class' = 'reconnect' end
      returning d.org_id, d.subject_id, d.subject
    )
    update post p set failure = null
    from waited w where w.subject = 'post' and p.org_id = w.org_id and p.id = w.subject_id`.execute(tx)
  await sql`
    update post set failure = ${JSON.stringify(OBSTACLE_GONE)}::jsonb
    where org_id = ${orgId} and channel_id = ${channelId} and state = 'APPROVED' and failure ->> 'class' in ('reconnect', 'paused', 'plan')`.execute(
    tx,
  )
  // what was looked up in vain; a first lookup still waits for a send that may be under way, and a second one for the
  // time between the two
  await sql`
    update delivery d set tries = 0, step_at = least(d.step_at, d.wanted_at)
    where d.org_id = ${orgId} and d.channel_id = ${channelId} and d.step = 'reconcile' and d.step_at is not null and d.absent_at is null
      and (select a.finished_at is not null and a.step = 'reconcile' from attempt a where a.org_id = d.org_id and a.subject_id = d.subject_id order by a.id desc limit 1)`.execute(
    tx,
  )
  await tx
    .updateTable('lane')
    .set({ paused: false })
    .where('org_id', '=', orgId)
    .where('channel_id', '=', channelId)
    .execute()
  await rewakeLane(tx, orgId, channelId)
}

const OBSTACLE_GONE = failureOf('late', because('obstacle-gone'))
