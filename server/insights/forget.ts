import { sql } from 'kysely'
import { termsOf } from '#contract/analytics/catalog/catalog.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { eachAlone } from '../jobs/eachAlone.ts'
import type { JobContext } from '../jobs/job.ts'

const DAY = 86_400_000

/**
 * Deletes figures that their platform's terms don't let us keep and that weren't read again in time, of each organization alone.
 * The reading of a post that remains says nothing of what it gained (`after_gap`), so a deletion never looks like a gain. Returns how
 * many rows it deleted.
 */
export async function forgetFigures(
  context: Pick<JobContext, 'databases' | 'clock'> & Partial<Pick<JobContext, 'log' | 'signal'>>,
  accepted: readonly PlatformKey[],
): Promise<number> {
  const { databases, clock } = context
  let deleted = 0
  for (const platform of platformKeys) {
    const { keepDays } = termsOf(platform, accepted)
    if (keepDays === null) continue
    const before = new Date(clock.now().getTime() - keepDays * DAY)
    const { rows } = await asSystem(databases.system, (tx) =>
      sql<{ org_id: string }>`select distinct org_id from channel where platform = ${platform} order by org_id`.execute(
        tx,
      ),
    )
    const failed = "an organization's old figures couldn't be deleted"
    await eachAlone(
      context,
      rows,
      { name: ({ org_id: orgId }) => ({ orgId, platform }), failed },
      async ({ org_id: orgId }) => {
        deleted += await asSystem(databases.system, (tx) => forgetOf(tx, { orgId, platform, before }))
      },
    )
  }
  return deleted
}

async function forgetOf(
  tx: Tx,
  { orgId, platform, before }: { orgId: string; platform: PlatformKey; before: Date },
): Promise<number> {
  const channels = sql`select c.id from channel c where c.org_id = ${orgId} and c.platform = ${platform}`
  await sql`
    update post_metric m set after_gap = true
    from (
      select o.post_id, max(o.read_at) as read_at from post_metric o join measured_post p on p.org_id = o.org_id and p.id = o.post_id
      where o.org_id = ${orgId} and p.channel_id in (${channels}) and o.read_at < ${before} group by o.post_id
    ) old
    where m.org_id = ${orgId} and m.post_id = old.post_id and not m.after_gap
      and m.read_at = (select min(n.read_at) from post_metric n where n.org_id = ${orgId} and n.post_id = old.post_id and n.read_at > old.read_at)`.execute(
    tx,
  )
  const posts = await sql`
    delete from post_metric m using measured_post p
    where m.org_id = ${orgId} and p.org_id = m.org_id and p.id = m.post_id and p.channel_id in (${channels}) and m.read_at < ${before}`.execute(
    tx,
  )
  const figures = await sql`
    delete from channel_figure f where f.org_id = ${orgId} and f.channel_id in (${channels}) and f.read_at < ${before}`.execute(
    tx,
  )
  const people = await sql`
    delete from audience a where a.org_id = ${orgId} and a.channel_id in (${channels}) and a.day < ${before.toISOString().slice(0, 10)}::date`.execute(
    tx,
  )
  return Number([posts, figures, people].reduce((sum, { numAffectedRows = 0n }) => sum + numAffectedRows, 0n))
}
