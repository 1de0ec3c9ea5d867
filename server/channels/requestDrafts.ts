import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import { enqueue } from '../jobs/enqueue.ts'

/** The job as those who enqueue it know it; writeDrafts.ts runs it. */
export const WRITE_DRAFTS = { name: 'ai.writeDrafts' }

/**
 * Requests drafts for a channel that was just connected, while the project's wizard is at its channels: a job, and the
 * run that the wizard polls. A channel has one run; a failed one starts again, any other stays as it is.
 */
export async function beginDrafts(
  tx: Tx,
  { orgId, projectId, channelId }: { orgId: string; projectId: string; channelId: string },
  now: Date,
): Promise<void> {
  const { rows } = await sql`
    insert into ai_run as r (org_id, channel_id, project_id, state, started_at)
    select p.org_id, ${channelId}::uuid, p.id, 'running', ${now}::timestamptz from project p where p.org_id = ${orgId} and p.id = ${projectId} and p.onboarding_step = 'addChannels'
    on conflict (org_id, channel_id) do update set state = 'running', problem = null, tries = 0, started_at = excluded.started_at, finished_at = null
      where r.state = 'failed'
    returning r.channel_id`.execute(tx)
  if (rows.length > 0) await enqueue(tx, WRITE_DRAFTS, { orgId, channelId }, { key: channelId })
}
