import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import { asSystem } from '../db/system.ts'
import { eachAlone } from '../jobs/eachAlone.ts'
import { dueOrganizations } from '../jobs/dueOrganizations.ts'
import { defineJob, type AnyJob, type JobContext } from '../jobs/job.ts'

/** How many new rows are folded in one statement. */
const LINES = 5_000

/**
 * Adds the new lines of the counts to those of the same kind, and those of figures to their months, until no new ones are left;
 * returns how many there were. Only organizations with new lines are touched, one after the other, and of theirs only the kinds of
 * these lines: the work grows with what happened, not with what is stored. A reader sees a kind before or after, never in
 * between: each fold is one statement. Two at a time leave two lines of a kind, whose sum is right, or wait for each other's month.
 */
export async function foldCounts(
  context: Pick<JobContext, 'databases' | 'signal'> & Partial<Pick<JobContext, 'log'>>,
): Promise<number> {
  const { databases, signal } = context
  let folded = 0
  for (const { table, isNew, fold } of foldings) {
    const failed = "an organization's new counts couldn't be added"
    const due = await dueOrganizations(databases, table, isNew)
    await eachAlone(context, due, { name: (orgId) => ({ orgId, table }), failed }, async (orgId) => {
      for (let n = LINES; n >= LINES && !signal.aborted; folded += n) {
        const { rows } = await asSystem(databases.system, (tx) => fold(orgId).execute(tx))
        n = rows[0]?.n ?? 0
      }
    })
  }
  return folded
}

/**
 * Deletes and returns the first LINES of these rows that nobody else is folding. By their places: such tables are nearly empty or full
 * of new lines, and with what the planner last heard of them, a join by ID may take a minute.
 */
const takeFirst = (table: string, which: RawBuilder<unknown>) => sql`
    delete from ${sql.table(table)} where ctid = any (array (
      select ctid from ${sql.table(table)} where ${which} order by id limit ${LINES} for update skip locked)) returning *`

/** Folds up to LINES new rows of posts of one organization. */
export const foldPosts = (orgId: string) => sql<{ n: number }>`
  with fresh as materialized (
    ${takeFirst('post_count', sql`not folded and org_id = ${orgId}`)}
  ), kinds as materialized (
    select distinct project_id, channel_id, author_id, day, state from fresh
  ), stood as materialized (
    delete from post_count where ctid = any (array (
      select l.ctid from kinds k cross join lateral (
        select c.ctid from post_count c
        where c.folded and c.org_id = ${orgId} and c.project_id = k.project_id and c.state = k.state and c.day = k.day and c.channel_id is not distinct from k.channel_id and c.author_id is not distinct from k.author_id
        offset 0
      ) l))
    returning *
  ), written as (
    insert into post_count (org_id, project_id, channel_id, author_id, day, state, n, folded)
    select org_id, project_id, channel_id, author_id, day, state, sum(n), true from (select * from fresh union all select * from stood) l
    group by org_id, project_id, channel_id, author_id, day, state having sum(n) <> 0
  )
  select count(*) as n from fresh`

/** Adds up to LINES lines of figures of one organization to their months. */
export const foldFigures = (orgId: string) => sql<{ n: number }>`
  with fresh as materialized (
    ${takeFirst('figure_line', sql`org_id = ${orgId}`)}
  ), by_day as (
    select channel_id, kind, name, date_trunc('month', day)::date as month, extract(day from day)::int as at, sum(amount)::bigint as amount, sum(n)::int as n, max(seconds_after(day, read_at)) as read
    from fresh group by channel_id, kind, name, day
  ), written as (
    insert into figure_month as m (org_id, channel_id, kind, name, month, amounts, counts, read, total, total_count)
    select ${orgId}, channel_id, kind, name, month, packed(array_agg(at), array_agg(amount)), packed(array_agg(at), array_agg(n), 0), packed(array_agg(at), array_agg(read), never_read()), sum(amount), sum(n)
    from by_day group by channel_id, kind, name, month order by channel_id, kind, name, month
    on conflict (org_id, channel_id, kind, name, month) do update
      set amounts = added_amounts(m.amounts, excluded.amounts), counts = added_counts(m.counts, excluded.counts), read = latest_days(m.read, excluded.read), total = m.total + excluded.total, total_count = m.total_count + excluded.total_count
  )
  select count(*) as n from fresh`

const foldings = [
  { table: 'post_count', isNew: sql`not c.folded`, fold: foldPosts },
  { table: 'figure_line', isNew: sql`true`, fold: foldFigures },
] as const

export const dashboardJobs: readonly AnyJob[] = [
  defineJob({
    name: 'dashboard.fold',
    payload: z.object({}),
    every: '*/5 * * * *',
    run: async (context) => void (await foldCounts(context)),
  }),
]
