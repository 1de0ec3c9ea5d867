import { because } from '#contract/failures/catalog.ts'
import { sql } from 'kysely'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { heldPosts, type HeldPost } from '../campaigns/heldPosts.ts'
import type { Tx } from '../db/kysely.ts'
import { nudge } from './nudge.ts'
import { failureOf } from './failures.ts'

/*
 * What people's verbs may do to the machine's schedule. All of it runs inside the verb's own transaction and in one
 * order, posts before lanes and lanes by channel: nothing here can wait in a circle with the machine. A lane that is
 * leased keeps its wake_at (the lease's end): whoever gives it back computes the next one from the posts.
 */

export type LanePost = {
  postId: string
  channelId: string
  /** Null for a queued post that has no slot: it waits for one, whatever comes. */
  dueAt: Date | null
  needsPrepare: boolean
  /**
   * `chooseSendKey()` of the post's adapter. Chosen this early, the key is in every backup that holds the post: after a
   * restore it tells whether the post went out meanwhile. Without it the claim chooses one.
   */
  sendKey?: string | undefined
}

/**
 * Puts posts on their lanes: sets due_at, the first step ('prepare', which begins ahead of the due time, where there is
 * something to prepare, else 'send'), its time, and wakes the lanes. Whatever the machine kept of an earlier round is
 * forgotten, except the send key: a second sending is recognized by it. One whose words were changed since they may have
 * gone out is another post, with a key of its own: an old live post must not be taken for the new one. `posts` all belong to the tenant of `tx`; their
 * state is the verb's to set (SCHEDULED, QUEUED). A nearer time than now sends at once. Those in a disabled campaign are held
 * until it is enabled.
 */
export async function scheduleOnLane(tx: Tx, posts: readonly LanePost[]): Promise<void> {
  if (posts.length === 0) return
  await sql`
    update post p
    set due_at = g.due_at,
        step = case when g.needs_prepare then 'prepare' else 'send' end,
        step_at = case when g.needs_prepare then g.due_at - prepare_ahead(p.images) else g.due_at end,
        fence = p.fence + 1, tries = 0, progress = '{}', failure = null, absent_at = null,
        send_key = case when p.send_key is not null and exists (
          select from post_event e
          where e.org_id = p.org_id and e.post_id = p.id and e.kind = 'edited' and e.at >= greatest(
            (select max(d.at) from post_event d where d.org_id = p.org_id and d.post_id = p.id and d.kind = 'due'),
            (select max(a.started_at) from attempt a where a.org_id = p.org_id and a.post_id = p.id and a.step = 'send'))
        ) then coalesce(g.send_key, p.send_key) else coalesce(p.send_key, g.send_key) end
    from unnest(${posts.map((post) => post.postId)}::uuid[], ${posts.map((post) => post.dueAt)}::timestamptz[], ${posts.map((post) => post.needsPrepare)}::boolean[], ${posts.map((post) => post.sendKey ?? null)}::text[])
      as g(id, due_at, needs_prepare, send_key)
    where p.org_id = current_setting('app.org_id')::uuid and p.id = g.id`.execute(tx)
  await holdOnLane(
    tx,
    await heldPosts(
      tx,
      posts.map((post) => post.postId),
    ),
  )
  await wakeLanes(tx, [...new Set(posts.map((post) => post.channelId))])
  nudgeFirst(posts.map(({ dueAt }) => dueAt))
}

function nudgeFirst(times: readonly (Date | null)[]): void {
  const [first, ...later] = times.filter((at) => at !== null)
  if (first) nudge(later.reduce((soonest, at) => (at < soonest ? at : soonest), first))
}

export type QueueMove = {
  postId: string
  /** Its slot, and the wall time of it in the queue's zone; null for none. */ at: Date | null
  wall: string | null
}

/**
 * Gives queued posts of a channel, which the caller has locked, their slots. What was prepared for another time is
 * prepared again, since platforms forget it; those of a disabled campaign are held at the new time. One that keeps its
 * slot is left alone. Open screens are told.
 */
export async function moveInQueue(
  tx: Tx,
  { channelId, zone, moves }: { channelId: string; zone: string; moves: readonly QueueMove[] },
  now: Date,
): Promise<void> {
  if (moves.length === 0) return
  const { rows } = await sql<{ id: string; due_at: Date | null }>`
    with moved as (
      update post p
      set due_at = g.at, wall_time = g.wall, zone = ${zone}, shown_at = coalesce(g.at, case when p.due_at is null then p.shown_at else ${now}::timestamptz end),
        step = case when p.step = 'prepare' or p.progress <> '{}' then 'prepare' else 'send' end,
        step_at = case when p.step = 'prepare' or p.progress <> '{}' then g.at - prepare_ahead(p.images) else g.at end,
        fence = p.fence + 1, tries = 0, progress = '{}', failure = null, absent_at = null
      from unnest(${moves.map(({ postId }) => postId)}::uuid[], ${moves.map(({ at }) => at)}::timestamptz[], ${moves.map(({ wall }) => wall)}::text[]) as g(id, at, wall)
      where p.org_id = current_setting('app.org_id')::uuid and p.id = g.id and p.state = 'QUEUED'
        and (p.due_at, p.wall_time, p.zone) is distinct from (g.at, g.wall, ${zone})
      returning p.org_id, p.project_id, p.id, p.due_at
    ),
    shown as (insert into event (at, org_id, project_id, kind, ref) select ${now}, m.org_id, m.project_id, 'post', m.id::text from moved m)
    select id, due_at from moved`.execute(tx)
  const timed = rows.filter((row) => row.due_at !== null)
  if (timed.length === 0) return
  await holdOnLane(
    tx,
    await heldPosts(
      tx,
      timed.map(({ id }) => id),
    ),
  )
  await wakeLanes(tx, [channelId])
  nudgeFirst(timed.map((row) => row.due_at))
}

/**
 * Takes a post off its lane: it will not be sent, and whatever the machine is preparing for it is refused when it comes
 * back. A part of it that may be out is looked up before anything of it goes on. Answers false, changing nothing, when
 * the machine is sending it at this moment (PROCESSING).
 */
export async function takeOffLane(tx: Tx, orgId: string, postId: string): Promise<boolean> {
  const taken = await tx
    .updateTable('post')
    .set((eb) => ({
      step: null,
      step_at: null,
      part: null,
      fence: eb('fence', '+', 1),
      failure: null,
      absent_at: null,
      parts_doubted: sql<boolean>`parts_doubted or step is not distinct from 'settlePart'`,
    }))
    .where('org_id', '=', orgId)
    .where('id', '=', postId)
    .where('state', '<>', 'PROCESSING')
    .returning('id')
    .execute()
  return taken.length > 0
}

/**
 * Has an UNCONFIRMED post looked for again that was taken off its lane: it may be out, and what was sent of it may still be on its
 * way. One without a key stays with a person.
 */
export async function settleOnLane(tx: Tx, orgId: string, postId: string, now: Date): Promise<void> {
  const { rows } = await sql<{ channel_id: string }>`
    update post p set step = 'settle', tries = 0, fence = p.fence + 1,
      step_at = greatest(${now}::timestamptz, (select max(a.started_at) from attempt a where a.org_id = p.org_id and a.post_id = p.id and a.step = 'send') + make_interval(secs => ${LONGEST_SEND_S}))
    where p.org_id = ${orgId} and p.id = ${postId} and p.state = 'UNCONFIRMED' and p.send_key is not null and p.channel_id is not null
    returning p.channel_id`.execute(tx)
  const [settled] = rows
  if (settled) await rewakeLane(tx, orgId, settled.channel_id)
}

/** Longer than the sending of any platform may take. */
const LONGEST_SEND_S = 180

/**
 * Makes posts wait for their campaign, whatever their time: they keep their step and have none of its time, and what the
 * machine is preparing for them is refused when it comes back. One that is being sent, or that may be out already, is
 * past holding. Answers those that wait now and did not before.
 */
export async function holdOnLane(tx: Tx, held: readonly HeldPost[]): Promise<string[]> {
  if (held.length === 0) return []
  const { rows } = await sql<{ id: string; fresh: boolean }>`
    with held as (
      select p.org_id, p.id, g.failure, p.step_at is not null as fresh
      from unnest(${held.map(({ postId }) => postId)}::uuid[], ${held.map(({ campaign }) => JSON.stringify(campaignFailure(campaign)))}::jsonb[]) as g(id, failure)
      join post p on p.org_id = current_setting('app.org_id')::uuid and p.id = g.id
      where p.state in ('SCHEDULED', 'QUEUED') and p.step in ('prepare', 'send')
      order by p.id for update of p
    )
    update post p set step_at = null, fence = p.fence + 1, tries = 0, progress = '{}', failure = h.failure
    from held h where p.org_id = h.org_id and p.id = h.id returning p.id, h.fresh`.execute(tx)
  return rows.filter(({ fresh }) => fresh).map(({ id }) => id)
}

export type Released = {
  postId: string
  /** Null for one that waits for its queue. */ dueAt: Date | null
  /** Past its channel's lateness limit: the machine looks at it next and leaves it to a person. */ late: boolean
}

/** Lets held posts go on at their time. For one whose time has passed, the lateness limit decides. Answers those that were held. */
export async function releaseOnLane(tx: Tx, postIds: readonly string[], now: Date): Promise<Released[]> {
  if (postIds.length === 0) return []
  const wasHeld = JSON.stringify(failureOf('paused', because('campaign-was-disabled')))
  const { rows } = await sql<Released & { channel_id: string }>`
    with held as (
      select p.org_id, p.id, coalesce(p.due_at < ${now}::timestamptz - make_interval(mins => c.lateness_minutes), false) as late
      from post p join channel c on c.org_id = p.org_id and c.id = p.channel_id
      where p.org_id = current_setting('app.org_id')::uuid and p.id = any(${[...postIds]}::uuid[])
        and p.state in ('SCHEDULED', 'QUEUED') and p.step in ('prepare', 'send') and p.step_at is null
        -- one without a time waits for its queue, which gives it one
        and (p.due_at is not null or p.failure is not null)
      order by p.id for update of p
    )
    update post p
    set step_at = case when p.step = 'prepare' then p.due_at - prepare_ahead(p.images) else p.due_at end, fence = p.fence + 1, tries = 0,
      -- what kept it says why it is late
      failure = case when h.late then ${wasHeld}::jsonb end
    from held h where p.org_id = h.org_id and p.id = h.id returning p.id as "postId", p.due_at as "dueAt", h.late, p.channel_id`.execute(
    tx,
  )
  // a queued one without a slot goes on waiting, for that only
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
 * Makes a lane look again now: after any change of what kept its posts waiting (reconnect, a new plan, a budget, an
 * edited lateness limit). Waiting too long is worse than looking once too often, so this only ever wakes earlier.
 */
export async function rewakeLane(tx: Tx, orgId: string, channelId: string): Promise<void> {
  await sql`
    update lane l
    set wake_at = least(l.wake_at, (select p.step_at from post p where p.org_id = l.org_id and p.channel_id = l.channel_id and p.step_at is not null order by p.step_at limit 1))
    where l.org_id = ${orgId} and l.channel_id = ${channelId} and l.lease_id is null`.execute(tx)
  nudge()
}

/** Stops sending on a channel. What is due waits for its lateness limit, then fails and says why. */
export async function pauseLane(tx: Tx, orgId: string, channelId: string): Promise<void> {
  await tx
    .updateTable('lane')
    .set({ paused: true })
    .where('org_id', '=', orgId)
    .where('channel_id', '=', channelId)
    .execute()
}

/**
 * Sends on a channel again, after a person enabled or reconnected it: posts that waited go out now as long as they are
 * within the lateness limit, and posts whose outcome could not be read are looked at again. Approved ones that it kept
 * wait for a person still, who has nothing left to mend.
 */
export async function resumeLane(tx: Tx, orgId: string, channelId: string): Promise<void> {
  await sql`
    update post set failure = null, tries = 0, step_at = least(step_at, due_at)
    where org_id = ${orgId} and channel_id = ${channelId} and step_at is not null and failure is not null and (state in ('SCHEDULED', 'QUEUED') or failure ->> 'class' = 'reconnect')`.execute(
    tx,
  )
  await sql`
    update post set failure = ${JSON.stringify(MENDED)}::jsonb
    where org_id = ${orgId} and channel_id = ${channelId} and state = 'APPROVED' and failure ->> 'class' in ('reconnect', 'paused', 'plan')`.execute(
    tx,
  )
  // what was looked for in vain; a first look still waits for what may be on its way, and a second one for its gap
  await sql`
    update post p set tries = 0, step_at = least(p.step_at, case p.step when 'settle' then p.due_at else p.parts_at end)
    where p.org_id = ${orgId} and p.channel_id = ${channelId} and p.step in ('settle', 'settlePart') and p.step_at is not null and p.absent_at is null
      and (select a.finished_at is not null and a.step in ('settle', 'settlePart') from attempt a where a.org_id = p.org_id and a.post_id = p.id order by a.id desc limit 1)`.execute(
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

const MENDED = failureOf('late', because('obstacle-gone'))

/** The lane of a new channel, or of one that is connected again. `credentials` names whose app the calls count against. */
export async function openLane(
  tx: Tx,
  lane: { orgId: string; channelId: string; platform: PlatformKey; credentials?: string },
): Promise<void> {
  const credentials = lane.credentials ?? 'own'
  await tx
    .insertInto('lane')
    .values({ org_id: lane.orgId, channel_id: lane.channelId, platform: lane.platform, credentials })
    .onConflict((oc) => oc.columns(['org_id', 'channel_id']).doUpdateSet({ platform: lane.platform, credentials }))
    .execute()
}

/** Wakes the tenant's lanes no later than their posts ask. Lanes are locked in one order, so that verbs cannot block each other in a circle. */
async function wakeLanes(tx: Tx, channelIds: readonly string[]): Promise<void> {
  await sql`
    with mine as (
      select l.org_id, l.channel_id from lane l
      where l.org_id = current_setting('app.org_id')::uuid and l.channel_id = any(${channelIds}::uuid[])
      order by l.channel_id for update
    )
    update lane l
    set wake_at = least(l.wake_at, (select p.step_at from post p where p.org_id = l.org_id and p.channel_id = l.channel_id and p.step_at is not null order by p.step_at limit 1))
    from mine where l.org_id = mine.org_id and l.channel_id = mine.channel_id and l.lease_id is null`.execute(tx)
}
