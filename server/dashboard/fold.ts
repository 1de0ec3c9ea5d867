import { sql } from 'kysely'
import { z } from 'zod'
import { asSystem } from '../db/system.ts'
import { defineJob, type AnyJob, type JobContext } from '../jobs/job.ts'

/** New lines that are folded in one statement. */
const LINES = 5_000

/**
 * Adds the new lines of the counts to those of the same kind, until no new ones are left; answers how many there were. A
 * reader sees a kind before or after, never in between: each fold is one statement. Two at a time leave two lines of a
 * kind, whose sum is right.
 */
export async function foldCounts({ databases, signal }: Pick<JobContext, 'databases' | 'signal'>): Promise<number> {
  let folded = 0
  for (const fold of [foldPosts, foldEngagement]) {
    for (;;) {
      const { rows } = await asSystem(databases.system, (tx) => fold().execute(tx))
      const n = rows[0]?.n ?? 0
      folded += n
      if (n < LINES || signal.aborted) break
    }
  }
  return folded
}

const foldPosts = () => sql<{ n: number }>`
  with fresh as materialized (
    delete from post_count c using (select org_id, id from post_count where not folded order by org_id, id limit ${LINES} for update skip locked) f
    where c.org_id = f.org_id and c.id = f.id returning c.*
  ), kinds as materialized (
    select distinct org_id, project_id, channel_id, author_id, day, state from fresh
  ), stood as materialized (
    delete from post_count c using kinds k
    where c.folded and c.org_id = k.org_id and c.project_id = k.project_id and c.state = k.state and c.day = k.day and c.channel_id is not distinct from k.channel_id and c.author_id is not distinct from k.author_id
    returning c.*
  ), written as (
    insert into post_count (org_id, project_id, channel_id, author_id, day, state, n, folded)
    select org_id, project_id, channel_id, author_id, day, state, sum(n), true from (select * from fresh union all select * from stood) l
    group by org_id, project_id, channel_id, author_id, day, state having sum(n) <> 0
  )
  select count(*) as n from fresh`

const foldEngagement = () => sql<{ n: number }>`
  with fresh as materialized (
    delete from engagement e using (select org_id, id from engagement where not folded order by org_id, id limit ${LINES} for update skip locked) f
    where e.org_id = f.org_id and e.id = f.id returning e.*
  ), kinds as materialized (
    select distinct org_id, project_id, channel_id, day from fresh
  ), stood as materialized (
    delete from engagement e using kinds k
    where e.folded and e.org_id = k.org_id and e.project_id = k.project_id and e.day = k.day and e.channel_id = k.channel_id
    returning e.*
  ), written as (
    insert into engagement (org_id, project_id, channel_id, day, impressions, reactions, comments, shares, readings, read_at, folded)
    select org_id, project_id, channel_id, day, sum(impressions), sum(reactions), sum(comments), sum(shares), sum(readings), max(read_at), true from (select * from fresh union all select * from stood) l
    group by org_id, project_id, channel_id, day having sum(readings) <> 0 or sum(impressions) <> 0 or sum(reactions) <> 0 or sum(comments) <> 0 or sum(shares) <> 0
  )
  select count(*) as n from fresh`

export const dashboardJobs: readonly AnyJob[] = [
  defineJob({
    name: 'dashboard.fold',
    payload: z.object({}),
    every: '*/5 * * * *',
    run: async (context) => void (await foldCounts(context)),
  }),
]
