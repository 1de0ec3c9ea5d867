import { because } from '#contract/failures/catalog.ts'
import type { TimelineDetail } from '#contract/timeline.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Tx } from '../db/kysely.ts'
import { detectRestore, releaseRestore } from '../db/restored.ts'
import { asSystem } from '../db/system.ts'
import type { Notify } from '../notifications/create.ts'
import { failureOf } from './failures.ts'

/** What publishing can be held for. `name` is the platform, `platform:credentials`, or the organization's id; empty for all. */
export type KillSwitchScope = 'all' | 'platform' | 'credentials' | 'organization'
export type KillSwitch = { scope: KillSwitchScope; name: string; reason: string; since: Date }

/** Stops sending within the scope, on every node, from the next claim. What is under way ends; reading and settling go on. */
export async function pausePublishing(tx: Tx, hold: KillSwitch): Promise<void> {
  await tx
    .insertInto('kill_switch')
    .values(hold)
    .onConflict((oc) => oc.columns(['scope', 'name']).doUpdateSet({ reason: hold.reason }))
    .execute()
}

/**
 * Lets sending go on. Posts that waited go out within a minute when they are still within their limits. Answers whether
 * there was such a hold. Resuming all of it also ends the hold after a restore.
 */
export async function resumePublishing(pool: pg.Pool, scope: KillSwitchScope, name: string): Promise<boolean> {
  const ended = await asSystem(pool, (tx) =>
    tx.deleteFrom('kill_switch').where('scope', '=', scope).where('name', '=', name).returning('scope').execute(),
  )
  if (scope === 'all') await releaseRestore(pool)
  return ended.length > 0
}

/** What holds sending now, the oldest first. */
export async function activeKillSwitches(pool: pg.Pool): Promise<KillSwitch[]> {
  const rows = await asSystem(pool, (tx) => tx.selectFrom('kill_switch').selectAll().orderBy('since').execute())
  // the column's check allows nothing else
  return rows.map((row) => ({ ...row, scope: row.scope as KillSwitchScope }))
}

const RESTORED = 'This database came back from a backup or is a copy of another one.'

/**
 * After a restore, or on a cloned database, two installations may hold the same posts: nothing is sent until a person
 * resumes publishing. Posts that the other one may have sent since the copy become UNCONFIRMED, and are settled by their
 * key before anything else; so are those that were just about to be sent again, and what was read before the copy proves nothing. Call it before claims begin. Answers how many, or undefined for a database that is its own.
 */
export async function holdAfterRestore(pool: pg.Pool, now: Date, notify: Notify): Promise<number | undefined> {
  const restore = await detectRestore(pool, now)
  if (!restore.restored) return undefined
  return await asSystem(pool, async (tx) => {
    // nodes that start together come one after the other; an operator's own hold says nothing of this
    const { doubted } = await tx.selectFrom('instance').select('doubted').forUpdate().executeTakeFirstOrThrow()
    if (doubted) return 0
    await tx.updateTable('instance').set({ doubted: true }).execute()
    await pausePublishing(tx, { scope: 'all', name: '', reason: RESTORED, since: now })
    const posts = await doubt(tx, restore.since, now)
    await tell(tx, now, notify)
    return posts
  })
}

/** Everybody whose posts wait. */
async function tell(tx: Tx, now: Date, notify: Notify): Promise<void> {
  const projects = await tx
    .selectFrom('post')
    .select(['org_id', 'project_id'])
    .distinct()
    .where('state', 'in', ['SCHEDULED', 'QUEUED', 'UNCONFIRMED'])
    .execute()
  for (const { org_id: orgId, project_id: projectId } of projects) {
    await notify(
      tx,
      {
        orgId,
        projectId,
        dedupeKey: `project:${projectId}:held`,
        kind: 'publishing-held',
        params: {},
        people: 'project-editors',
        channelIds: null,
      },
      now,
    )
  }
}

/** A post without a key was put on its lane by an older version: there is nothing to read by, so a person looks. */
async function doubt(tx: Tx, since: Date, now: Date): Promise<number> {
  const failure = failureOf('unknown', because('maybe-published-before-restore'))
  const { rows } = await sql<{ n: number }>`
    with doubted as (
      update post p
      set state = 'UNCONFIRMED', parts_doubted = true, queue_order = null, fence = p.fence + 1, tries = 0, absent_at = null, failure = ${JSON.stringify(failure)}::jsonb, updated_at = ${now},
        step = case when p.send_key is null then null else 'settle' end, step_at = case when p.send_key is null then null else ${now}::timestamptz end
      from channel c
      where c.org_id = p.org_id and c.id = p.channel_id
        and (p.state = 'PROCESSING' or (p.state = 'UNCONFIRMED' and p.step is not null) or (p.state in ('SCHEDULED', 'QUEUED') and p.due_at <= ${now} and p.due_at >= ${since}::timestamptz - make_interval(mins => c.lateness_minutes)))
      returning p.org_id, p.id, p.project_id, p.channel_id
    ),
    -- the parts of a live post that were on their way, or that a person may have had tried again there
    parts as (
      update post p
      set parts_doubted = true, fence = p.fence + case when p.step is null then 0 else 1 end, absent_at = null,
        step = case when p.step is not null then 'settlePart' end, step_at = case when p.step is not null then ${now}::timestamptz end
      where p.state = 'PUBLISHED' and exists (select from post_part q where q.org_id = p.org_id and q.post_id = p.id and q.state <> 'sent')
      returning p.org_id, p.channel_id
    ),
    told as (insert into post_event (org_id, post_id, id, kind, at, detail) select d.org_id, d.id, uuidv7(), 'unconfirmed', ${now}, ${JSON.stringify({ code: 'restored' } satisfies TimelineDetail)}::jsonb from doubted d),
    shown as (insert into event (at, org_id, project_id, kind, ref) select ${now}, d.org_id, d.project_id, 'post', d.id::text from doubted d),
    woken as (
      update lane l set wake_at = ${now}, lease_id = null, lease_by = null, lease_until = null
      where (l.org_id, l.channel_id) in (select d.org_id, d.channel_id from doubted d union select q.org_id, q.channel_id from parts q)
    )
    select count(*) as n from doubted`.execute(tx)
  return rows[0]?.n ?? 0
}
