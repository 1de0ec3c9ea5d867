import { because } from '#contract/failures/catalog.ts'
import type { TimelineDetail } from '#contract/timeline.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Tx } from '../db/kysely.ts'
import { detectRestore } from '../db/restored.ts'
import { asSystem } from '../db/system.ts'
import { failureOf } from '../delivery/failures.ts'
import { pausePublishing } from '../delivery/killSwitch.ts'
import { overrule } from '../delivery/overrule.ts'
import type { Notify } from '../notifications/create.ts'

/**
 * After a restore, or on a cloned database, two installations may have the same posts: nothing is sent until a person
 * resumes publishing. Posts that the other one may have sent since the copy become UNCONFIRMED and are looked up by
 * their key first, and so are those that were about to be sent again; lookups from before the copy prove nothing.
 * Call it before claims begin. Returns how many, or undefined for a database that isn't a copy.
 */
export async function holdAfterRestore(pool: pg.Pool, now: Date, notify: Notify): Promise<number | undefined> {
  const restore = await detectRestore(pool, now)
  if (!restore.restored) return undefined
  return await asSystem(pool, async (tx) => {
    // nodes that start together take turns; an operator's own pause means nothing here
    const { doubted } = await tx.selectFrom('instance').select('doubted').forUpdate().executeTakeFirstOrThrow()
    if (doubted) return 0
    await tx.updateTable('instance').set({ doubted: true }).execute()
    await pausePublishing(tx, { scope: 'all', name: '', cause: 'restore', since: now })
    const posts = await doubt(tx, restore.since, now)
    await tell(tx, now, notify)
    return posts
  })
}

/** All organizations with waiting posts. */
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

/** A post without a key was scheduled by an older version: it can't be looked up, so a person checks. */
async function doubt(tx: Tx, since: Date, now: Date): Promise<number> {
  const failure = failureOf('unknown', because('maybe-published-before-restore'))
  const { rows } = await sql<{ n: number }>`
    with doubted as (
      update post p
      set state = 'UNCONFIRMED', queue_order = null, failure = ${JSON.stringify(failure)}::jsonb, updated_at = ${now}
      from channel c
      where c.org_id = p.org_id and c.id = p.channel_id
        and (p.state = 'PROCESSING'
          or (p.state = 'UNCONFIRMED' and exists (select from delivery d where d.org_id = p.org_id and d.subject_id = p.id and d.subject = 'post' and d.step is not null))
          or (p.state in ('SCHEDULED', 'QUEUED') and p.due_at <= ${now} and p.due_at >= ${since}::timestamptz - make_interval(mins => c.lateness_minutes)))
      returning p.org_id, p.id, p.project_id, p.channel_id
    ),
    looked_for as (
      ${overrule(
        sql`doubted = true, tries = 0, absent_at = null, failure = ${JSON.stringify(failure)}::jsonb,
        step = case when d.send_key is null then null else 'reconcile' end, step_at = case when d.send_key is null then null else ${now}::timestamptz end`,
        sql`from doubted p where d.org_id = p.org_id and d.subject_id = p.id and d.subject = 'post'`,
      )}
    ),
    -- what follows a live post and was on its way, or that a person may have had tried again there
    following as (
      ${overrule(
        sql`doubted = true, absent_at = null, lease_id = null, lease_until = null,
        step = case when d.step is not null then 'reconcile' end, step_at = case when d.step is not null then ${now}::timestamptz end`,
        // replies of the inbox too: people were waiting for them
        sql`where (d.subject = 'follow-up' or (d.subject = 'reply' and d.step is not null)) and d.state <> 'sent'
      returning d.org_id, d.channel_id`,
      )}
    ),
    told as (insert into post_event (org_id, post_id, id, kind, at, detail) select d.org_id, d.id, uuidv7(), 'unconfirmed', ${now}, ${JSON.stringify({ code: 'restored' } satisfies TimelineDetail)}::jsonb from doubted d),
    shown as (insert into event (at, org_id, project_id, kind, ref) select ${now}, d.org_id, d.project_id, 'post', d.id::text from doubted d),
    woken as (
      update lane l set wake_at = ${now}
      where (l.org_id, l.channel_id) in (select d.org_id, d.channel_id from doubted d union select f.org_id, f.channel_id from following f)
    )
    select count(*) as n from doubted`.execute(tx)
  return rows[0]?.n ?? 0
}
