import { sql, type RawBuilder } from 'kysely'
import { inboxRules } from '#contract/platforms/inboxRegistry.ts'
import { platformKeys } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { eachAlone } from '../jobs/eachAlone.ts'
import type { JobContext } from '../jobs/job.ts'

/** Rows of one transaction. */
const BATCH = 1_000

type Changed = { org_id: string; inbox_keep_days: number }

/**
 * After an organization has chosen for how long its inbox is kept, says so for what is stored already. Platforms' own bounds
 * stay: they're never extended here. Returns how many organizations are done.
 */
export async function applyKeeping(
  context: Pick<JobContext, 'databases' | 'signal'> & Partial<Pick<JobContext, 'log'>>,
): Promise<number> {
  const { databases, signal } = context
  const changed = await asSystem(databases.system, (tx) =>
    sql<Changed>`select org_id, inbox_keep_days from organization where inbox_keep_days <> inbox_kept_days order by org_id`.execute(
      tx,
    ),
  )
  let done = 0
  const failed = "an organization's inbox couldn't be kept for as long as it chose"
  await eachAlone(context, changed.rows, { name: ({ org_id: orgId }) => ({ orgId }), failed }, async (organization) => {
    for (const table of tables) {
      for (let after: string | null = FIRST; after !== null && !signal.aborted;) {
        const from: string = after
        after = await asSystem(databases.system, (tx): Promise<string | null> =>
          applySome(tx, organization, table, from),
        )
      }
    }
    if (signal.aborted) return
    // someone may have chosen again meanwhile
    await asSystem(databases.system, (tx) =>
      sql`update organization set inbox_kept_days = ${organization.inbox_keep_days} where org_id = ${organization.org_id}`.execute(
        tx,
      ),
    )
    done += 1
  })
  return done
}

const FIRST = '00000000-0000-0000-0000-000000000000'
type Table = {
  name: 'inbox_item' | 'inbox_person'
  /** When the organization's time began. */ since: RawBuilder<Date>
  bounded: string[]
}
const boundedBy = (bound: 'textHours' | 'personHours') =>
  platformKeys.filter((key) => inboxRules[key].keep?.[bound] !== undefined)
const tables: readonly Table[] = [
  { name: 'inbox_item', since: sql`r.at`, bounded: boundedBy('textHours') },
  {
    name: 'inbox_person',
    since: sql`(select max(i.at) from inbox_item i where i.org_id = r.org_id and i.person_id = r.id)`,
    bounded: boundedBy('personHours'),
  },
]

/** The next rows by their IDs; returns the last of these, or null after the last row. */
async function applySome(
  tx: Tx,
  { org_id: orgId, inbox_keep_days: days }: Changed,
  { name, since, bounded }: Table,
  after: string,
): Promise<string | null> {
  const { rows } = await sql<{ last: string | null }>`
    with batch as materialized (
      select r.id, r.keep_until, c.platform = any(${bounded}::text[]) as is_bounded, ${since} + ${days} * interval '1 day' as ours
      from ${sql.table(name)} r join channel c on c.org_id = r.org_id and c.id = r.channel_id
      where r.org_id = ${orgId} and r.id > ${after} order by r.id limit ${BATCH}
    ), changed as (
      update ${sql.table(name)} r set keep_until = case when s.is_bounded then least(r.keep_until, s.ours) else s.ours end
      from batch s where r.org_id = ${orgId} and r.id = s.id and r.keep_until is not null and s.ours is not null
    )
    select id as last from batch order by id desc limit 1`.execute(tx)
  return rows[0]?.last ?? null
}
