import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { lockMeasured } from '../insights/lockMeasured.ts'
import { eachAlone } from '../jobs/eachAlone.ts'
import type { JobContext } from '../jobs/job.ts'

/** Posts of an organization whose new clicks are told in one transaction. */
const POSTS = 500

/**
 * Adds clicks that weren't told yet to the figures of their posts and to what these gained, on the days on which they were
 * clicked. Each organization's alone. Returns of how many posts.
 */
export async function tellClicks(
  context: Pick<JobContext, 'databases' | 'signal'> & Partial<Pick<JobContext, 'log'>>,
): Promise<number> {
  const { databases, signal } = context
  let told = 0
  const { rows: due } = await asSystem(databases.system, (tx) =>
    sql<{ org_id: string }>`
      with recursive due(org_id) as (
        (select org_id from post_click where n <> told order by org_id limit 1)
        union all select (select c.org_id from post_click c where c.n <> c.told and c.org_id > due.org_id order by c.org_id limit 1) from due where due.org_id is not null
      ) select org_id from due where org_id is not null`.execute(tx),
  )
  const failed = "an organization's clicks couldn't be added to its figures"
  await eachAlone(context, due, { name: ({ org_id: orgId }) => ({ orgId }), failed }, async ({ org_id: orgId }) => {
    for (let n = POSTS; n >= POSTS && !signal.aborted; told += n)
      n = await asSystem(databases.system, (tx) => tellSome(tx, orgId))
  })
  return told
}

/** Tells the clicks of some posts; returns of how many. */
export async function tellSome(tx: Tx, orgId: string): Promise<number> {
  const { rows } = await sql<{ post_id: string }>`
      select distinct post_id from post_click where org_id = ${orgId} and n <> told order by post_id limit ${POSTS}`.execute(
    tx,
  )
  const posts = sql`${rows.map(({ post_id: id }) => id)}::uuid[]`
  await lockMeasured(tx, orgId, sql`m.id = any(${posts})`)
  // a day has as many values as posts with clicks on it
  await sql`
      with due as materialized (
        select * from post_click where org_id = ${orgId} and post_id = any(${posts}) and n <> told order by post_id, name, day for update
      ), told as (
        update post_click c set told = d.n from due d where c.org_id = d.org_id and c.post_id = d.post_id and c.name = d.name and c.day = d.day
      )
      insert into figure_line (org_id, project_id, channel_id, kind, day, name, amount, n, read_at)
      select d.org_id, p.project_id, p.channel_id, 'gains', d.day, d.name, sum(d.n - d.told), count(*) filter (where d.told = 0), 'epoch'
      from due d join measured_post p on p.org_id = d.org_id and p.id = d.post_id group by 1, 2, 3, 5, 6`.execute(tx)
  await sql`select refresh_post_figures(${orgId}::uuid, ${posts})`.execute(tx)
  return rows.length
}
