import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import type { Job } from './job.ts'

/** `key` makes it one job: enqueued again before it starts, it's replaced, not duplicated. */
export type EnqueueOptions = { key?: string; runAt?: Date }

/**
 * Enqueues a job in the transaction: it exists once that commits. A tenant's transaction can only enqueue for its own
 * organization, so its payload contains `orgId`.
 */
export async function enqueue<P>(
  tx: Tx,
  job: Pick<Job<P>, 'name'>,
  payload: P,
  { key, runAt }: EnqueueOptions = {},
): Promise<void> {
  const fullKey = key === undefined ? null : `${job.name}:${key}`
  await sql`select enqueue_job(${job.name}, ${JSON.stringify(payload)}::json, ${fullKey}, ${runAt ?? null}::timestamptz)`.execute(
    tx,
  )
}
