import { sql } from 'kysely'
import type { Databases } from '../../db/pools.ts'
import { asSystem } from '../../db/system.ts'
import type { Tx } from '../../db/kysely.ts'

/** A run that one worker holds: until its lease ends, or another one has taken it. */
export type Claimed = {
  orgId: string
  runId: string
  projectId: string
  scheduleId: string
  dueAt: Date
  state: 'waiting' | 'making' | 'sending'
  waitUntil: Date | null
  /** Failed tries in this state, and workers that died. */
  tries: number
  fence: number
}

/** A worker that makes a document or sends a mail for so long has died. */
export const LEASE_MS = 15 * 60_000
/** Runs of an organization at a time: one with many, or with slow ones, doesn't hold the others up. */
const PER_ORGANIZATION = 2

/**
 * Takes the run that waited longest, of the organizations with the fewest under way; undefined if there's none. `without`: those that
 * can't be taken now.
 */
export async function claimRun(
  { system }: Pick<Databases, 'system'>,
  { orgId, without }: { orgId: string | undefined; without: readonly string[] },
  now: Date,
): Promise<{ runId: string; claimed: () => Promise<Claimed | undefined> } | undefined> {
  const found = await asSystem(system, (tx) => findRun(tx, { orgId, without }, now))
  return found && { runId: found.id, claimed: () => asSystem(system, (tx) => takeRun(tx, found, now)) }
}

async function findRun(
  tx: Tx,
  { orgId, without }: { orgId: string | undefined; without: readonly string[] },
  now: Date,
): Promise<{ org_id: string; id: string } | undefined> {
  const { rows } = await sql<{ org_id: string; id: string }>`
    with held as (
      select org_id, count(*)::int as n from report_run where state in ('waiting', 'making', 'sending') and lease_until > ${now} group by org_id
    )
    select r.org_id, r.id from report_run r
      join project p on p.org_id = r.org_id and p.id = r.project_id and p.deleted_at is null
      join organization o on o.org_id = r.org_id and o.deletes_at is null
      left join held h on h.org_id = r.org_id
    where ${isFree(now)} and coalesce(h.n, 0) < ${PER_ORGANIZATION} and r.id <> all(${[...without]}::uuid[])
      ${orgId === undefined ? sql`` : sql`and r.org_id = ${orgId}`}
    order by coalesce(h.n, 0), r.next_try_at, r.id limit 1`.execute(tx)
  return rows[0]
}

const isFree = (now: Date) =>
  sql`r.state in ('waiting', 'making', 'sending') and r.next_try_at <= ${now} and (r.lease_until is null or r.lease_until <= ${now})`
const underWay = (now: Date) =>
  sql`select count(*)::int as n from report_run h where h.org_id = r.org_id and h.state in ('waiting', 'making', 'sending') and h.lease_until > ${now}`

async function takeRun(
  tx: Tx,
  { org_id: orgId, id }: { org_id: string; id: string },
  now: Date,
): Promise<Claimed | undefined> {
  // one at a time for each organization, so that its limit holds
  await sql`select pg_advisory_xact_lock(hashtextextended(${`report runs ${orgId}`}, 0))`.execute(tx)
  const { rows } = await sql<Claimed>`
    update report_run r set fence = r.fence + 1, lease_until = ${new Date(now.getTime() + LEASE_MS)},
      tries = r.tries + case when r.lease_until is null then 0 else 1 end
    where r.org_id = ${orgId} and r.id = ${id} and ${isFree(now)} and (${underWay(now)}) < ${PER_ORGANIZATION}
    returning r.org_id as "orgId", r.id as "runId", r.project_id as "projectId", r.schedule_id as "scheduleId", r.due_at as "dueAt", r.state,
      r.wait_until as "waitUntil", r.tries, r.fence`.execute(tx)
  return rows[0]
}
