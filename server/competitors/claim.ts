import { sql } from 'kysely'
import { COMPETITORS_UNSEEN_DAYS, type CompetitorState } from '#contract/analytics/competitors.ts'
import type { Reason } from '#contract/failures/catalog.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import type { ReadChannel } from '../insights/openChannel.ts'

/** A competitor whose reading is due. */
export type Due = {
  org_id: string
  id: string
  project_id: string
  platform: PlatformKey
  remote_id: string
  handle: string
  via_channel_id: string | null
  posts_since: Date | null
  tries: number
  /** When its reading was due: the next one is a day later. */
  planned_at: Date
}

/** Readings of one run, over all organizations. */
const MOST = 100
/** Channels that are tried. */
const MOST_CHANNELS = 3
/** How long a reading is one worker's: if that worker dies, it's read again then. */
const LEASE_MS = 30 * 60_000
const DAY_MS = 86_400_000

/** Takes due competitors at which someone has looked lately, of plans that haven't ended, those that waited longest first. */
export async function claimCompetitors(
  tx: Tx,
  { platforms, orgId }: { platforms: readonly PlatformKey[]; orgId: string | undefined },
  now: Date,
): Promise<Due[]> {
  const { rows } = await sql<Due>`
    with due as (
      select c.org_id, c.id from competitor c join project p on p.org_id = c.org_id and p.id = c.project_id
        join plan b on b.org_id = c.org_id and plan_is_valid(b.status, b.trial_ends_at, ${now})
      where c.next_at <= ${now} and c.removed_at is null and c.seen_at > ${new Date(now.getTime() - COMPETITORS_UNSEEN_DAYS * DAY_MS)}
        and c.platform = any(${[...platforms]}::text[]) and p.deleted_at is null ${orgId === undefined ? sql`` : sql`and c.org_id = ${orgId}`}
      order by c.next_at limit ${MOST} for no key update of c skip locked
    )
    update competitor c set next_at = ${new Date(now.getTime() + LEASE_MS)}, tries = c.tries + 1
    from due where c.org_id = due.org_id and c.id = due.id
    returning c.org_id, c.id, c.project_id, c.platform, c.remote_id, c.handle, c.via_channel_id, c.posts_since, c.tries, old.next_at as planned_at`.execute(
    tx,
  )
  return rows.map((row) => ({ ...row, platform: PlatformKey.parse(row.platform) }))
}

/** Connected channels of the project through which a competitor can be read, the last one that worked first. */
export async function channelsFor(
  tx: Tx,
  { org_id: orgId, project_id, platform, via_channel_id }: Due,
): Promise<ReadChannel[]> {
  const { rows } = await sql<ReadChannel>`
    select c.org_id, c.id as channel_id, c.platform, c.remote_id, c.handle, c.service, coalesce(l.credentials, 'own') as credentials,
      k.key_id, k.sealed, k.version as secret_version, k.expires_at as secret_expires_at
    from channel c left join lane l on l.org_id = c.org_id and l.channel_id = c.id left join channel_secret k on k.org_id = c.org_id and k.channel_id = c.id
    where c.org_id = ${orgId} and c.project_id = ${project_id} and c.platform = ${platform} and c.status = 'CONNECTED' and c.deleted_at is null
    order by (c.id = ${via_channel_id}::uuid) desc nulls last, c.connected_at limit ${MOST_CHANNELS}`.execute(tx)
  return rows.map((row) => ({ ...row, platform }))
}

/** Notes how a reading ended, and when to try again. */
export async function putOff(
  tx: Tx,
  { org_id: orgId, id }: Due,
  at: Date,
  { state, problem }: { state: CompetitorState; problem?: Reason },
): Promise<void> {
  await tx
    .updateTable('competitor')
    .set({ next_at: at, state, problem: problem ? JSON.stringify(problem) : null })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
}

/** It's only the turn of others: nothing is wrong. */
export async function waitFor(tx: Tx, { org_id: orgId, id, tries }: Due, at: Date): Promise<void> {
  await tx
    .updateTable('competitor')
    .set({ next_at: at, tries: Math.max(0, tries - 1) })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
}
