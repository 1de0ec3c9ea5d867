import type pg from 'pg'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** How long high-volume rows are kept. Everything else is kept forever. */
const RETENTION = { event: DAY, attempt: 30 * DAY, idempotency: DAY, punctuality: 400 * DAY } as const

/** Rows that end by a time of their own. */
const EXPIRED = [
  'delete from session where expires_at < $1',
  'delete from human_solution where expires_at < $1',
  'delete from reset_link where expires_at < $1',
  "delete from verification_code where expires_at < $1::timestamptz - interval '1 day'",
  // provider notifications that belong to no organization, or to a deleted one: they contain personal data
  "delete from provider_event where org_id is null and received_at < $1::timestamptz - interval '30 days'",
  // a new time is never earlier than the moment
  "delete from account_clock where last_at < $1::timestamptz - interval '1 day'",
  'delete from budget where window_ends_at < $1 and (closed_until is null or closed_until < $1)',
] as const

/** Deletes what has expired: whole partitions where there are some. */
export async function forgetOld(pool: pg.Pool, now: Date): Promise<void> {
  const before = (age: number): Date => new Date(now.getTime() - age)
  await pool.query("select drop_partitions('event'::regclass, 'day', $1)", [before(RETENTION.event)])
  await pool.query("select drop_partitions('attempt'::regclass, 'month', $1)", [before(RETENTION.attempt)])
  // rows in the default partitions; everything else of that age was just dropped
  await pool.query('delete from event where at < $1', [before(RETENTION.event + DAY)])
  await pool.query('delete from attempt where started_at < $1', [before(RETENTION.attempt + 31 * DAY)])
  await pool.query('delete from idempotency where created_at < $1', [before(RETENTION.idempotency)])
  await pool.query('delete from punctuality where hour < $1', [before(RETENTION.punctuality)])
  for (const statement of EXPIRED) await pool.query(statement, [now])
}
