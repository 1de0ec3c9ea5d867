import { sql } from 'kysely'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import { nudge } from './nudge.ts'

/*
 * Channels' lanes, for the actions of people: inside the action's own transaction and always in one order (subjects
 * before deliveries, deliveries before lanes, lanes by channel), so that no deadlock with the engine is possible. A
 * lane with sends in flight can be woken too: the claim looks once and finds that it has to wait.
 */

/**
 * Makes a lane look again now, after any change to what kept its deliveries waiting (reconnection, a new plan, a rate
 * limit, a new lateness limit). Waiting too long is worse than looking too often, so this only ever wakes it earlier.
 */
export async function rewakeLane(tx: Tx, orgId: string, channelId: string): Promise<void> {
  await sql`
    update lane l
    set wake_at = least(l.wake_at, (select d.step_at from delivery d where d.org_id = l.org_id and d.channel_id = l.channel_id and d.step_at is not null order by d.step_at limit 1))
    where l.org_id = ${orgId} and l.channel_id = ${channelId}`.execute(tx)
  nudge()
}

/** Wakes the tenant's lanes no later than their deliveries require (functions/scheduling.sql). */
export async function wakeLanes(tx: Tx, channelIds: readonly string[]): Promise<void> {
  await sql`
    select wake_lanes(array_agg(l.channel_id), array_agg((
      select d.step_at from delivery d where d.org_id = l.org_id and d.channel_id = l.channel_id and d.step_at is not null order by d.step_at limit 1)))
    from lane l where l.org_id = current_setting('app.org_id')::uuid and l.channel_id = any(${channelIds}::uuid[])`.execute(
    tx,
  )
}

/** Stops sending on a channel. Due posts wait until their lateness limit, then fail with the reason. */
export async function pauseLane(tx: Tx, orgId: string, channelId: string): Promise<void> {
  await tx
    .updateTable('lane')
    .set({ paused: true })
    .where('org_id', '=', orgId)
    .where('channel_id', '=', channelId)
    .execute()
}

/** Creates the lane of a new or reconnected channel. `credentials` names the app that its calls count against. */
export async function openLane(
  tx: Tx,
  lane: { orgId: string; channelId: string; platform: PlatformKey; credentials?: string },
): Promise<void> {
  const credentials = lane.credentials ?? 'own'
  await tx
    .insertInto('lane')
    .values({ org_id: lane.orgId, channel_id: lane.channelId, platform: lane.platform, credentials })
    .onConflict((oc) => oc.columns(['org_id', 'channel_id']).doUpdateSet({ platform: lane.platform, credentials }))
    .execute()
}
