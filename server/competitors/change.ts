import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { MOST_COMPETITORS, RESTORE_MINUTES } from '#contract/analytics/competitors.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import type { CallerOrg, CallerProject } from '../http/route.ts'
import type { CompetitorAccount } from '../platforms/competitor.ts'

type Changer = {
  tx: Tx
  org: Pick<CallerOrg, 'orgId'>
  project: Pick<CallerProject, 'projectId'>
  now: Date
}

/** The longest address that is kept; longer ones are left out. */
const ADDRESS_MOST = 2000
const NAME_MOST = 200
/** The row's columns that the platform tells. */
export const profileOf = ({ name, handle, pictureUrl, profileUrl }: CompetitorAccount) => ({
  name: name.slice(0, NAME_MOST).toWellFormed(),
  handle: handle.slice(0, NAME_MOST).toWellFormed(),
  picture_url: pictureUrl !== null && pictureUrl.length <= ADDRESS_MOST ? pictureUrl : null,
  profile_url: profileUrl !== null && profileUrl.length <= ADDRESS_MOST ? profileUrl : null,
})

/**
 * Adds the account to the project's competitors, to be read at once; one that was removed within the hour is the same again. Returns
 * its ID. Throws COMPETITOR_THERE, COMPETITORS_FULL.
 */
export async function addAccount(
  c: Changer & { caller: { personId: string } },
  platform: PlatformKey,
  account: CompetitorAccount,
  channelId: string,
): Promise<string> {
  const { tx, org, project, now } = c
  await lockList(c)
  const { rows } = await sql<{ id: string; is_removed: boolean }>`
    select id, removed_at is not null as is_removed from competitor
    where org_id = ${org.orgId} and project_id = ${project.projectId} and platform = ${platform} and remote_id = ${account.remoteId}
    order by removed_at desc nulls first limit 1`.execute(tx)
  const [known] = rows
  if (known && !known.is_removed) throw fail('COMPETITOR_THERE')
  await assertRoom(c)
  if (known) {
    await bringBack(c, known.id)
    return known.id
  }
  const id = randomUUIDv7()
  await tx
    .insertInto('competitor')
    .values({
      org_id: org.orgId,
      id,
      project_id: project.projectId,
      platform,
      remote_id: account.remoteId,
      ...profileOf(account),
      added_by: c.caller.personId,
      added_at: now,
      seen_at: now,
      via_channel_id: channelId,
      next_at: now,
    })
    .execute()
  return id
}

/** Removes a competitor; what was read of it is deleted an hour later. Throws NOT_FOUND. */
export async function removeAccount(c: Changer, competitorId: string): Promise<void> {
  const { numUpdatedRows } = await c.tx
    .updateTable('competitor')
    .set({ removed_at: c.now })
    .where('org_id', '=', c.org.orgId)
    .where('project_id', '=', c.project.projectId)
    .where('id', '=', competitorId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw fail('NOT_FOUND')
}

/** Brings a removed competitor back. Does nothing for one that is there. Throws NOT_FOUND, COMPETITOR_THERE, COMPETITORS_FULL. */
export async function restoreAccount(c: Changer, competitorId: string): Promise<void> {
  await lockList(c)
  const { rows } = await sql<{ removed_at: Date | null; is_there: boolean }>`
    select r.removed_at, exists (
      select from competitor t where t.org_id = r.org_id and t.project_id = r.project_id and t.platform = r.platform and t.remote_id = r.remote_id and t.removed_at is null
    ) as is_there
    from competitor r where r.org_id = ${c.org.orgId} and r.project_id = ${c.project.projectId} and r.id = ${competitorId}`.execute(
    c.tx,
  )
  const [row] = rows
  if (!row) throw fail('NOT_FOUND')
  if (row.removed_at === null) return
  if (row.removed_at.getTime() <= c.now.getTime() - RESTORE_MINUTES * 60_000) throw fail('NOT_FOUND')
  if (row.is_there) throw fail('COMPETITOR_THERE')
  await assertRoom(c)
  await bringBack(c, competitorId)
}

/** Notes that someone looks at the project's competitors. */
export async function seeAccounts({ tx, org, project, now }: Changer): Promise<void> {
  await tx
    .updateTable('competitor')
    .set({ seen_at: now })
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('seen_at', '<', new Date(now.getTime() - 3_600_000))
    .execute()
}

const bringBack = async ({ tx, org, now }: Changer, id: string): Promise<void> =>
  void (await tx
    .updateTable('competitor')
    .set({ removed_at: null, seen_at: now })
    .where('org_id', '=', org.orgId)
    .where('id', '=', id)
    .execute())

/** One change of a project's list at a time, so that its limit holds. */
async function lockList({ tx, project }: Changer): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`competitors ${project.projectId}`}, 0))`.execute(tx)
}

async function assertRoom({ tx, org, project }: Changer): Promise<void> {
  const { n } = await tx
    .selectFrom('competitor')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (n >= MOST_COMPETITORS) throw fail('COMPETITORS_FULL')
}
