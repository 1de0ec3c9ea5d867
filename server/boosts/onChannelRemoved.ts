import { canStop, runningStates } from '#contract/boosts.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { emit } from '../live/emit.ts'
import { createNotification } from '../notifications/create.ts'
import { dedupeKeys } from '../notifications/dedupeKeys.ts'
import { ADVANCE } from './names.ts'
import { takeFromWorkers } from './write.ts'

/*
 * A removed channel ends its promotions: their platform can only be asked while the sign-in still exists, and money
 * that nobody can see anymore must not be spent.
 */

type Of = { orgId: string; channelId: string }

/**
 * Requests the end of every promotion of a channel that is being removed; the promotions job stops them on the
 * platform, as when a person stops one. Idempotent, and includes promotions started in the meantime. Returns whether
 * the platform hasn't confirmed the end of one yet. Runs in a tenant transaction.
 */
export async function stopBoostsOf(tx: Tx, { orgId, channelId }: Of, now: Date): Promise<boolean> {
  const stopped = await tx
    .updateTable('boost')
    .set({ state: 'STOPPING', next_at: now, tries: 0, problem: null, updated_at: now })
    .where('org_id', '=', orgId)
    .where('channel_id', '=', channelId)
    .where('state', 'in', [...runningStates.filter(canStop), 'REJECTED'])
    .returning(['id', 'project_id', 'post_id'])
    .execute()
  await takeFromWorkers(
    tx,
    orgId,
    stopped.map(({ id }) => id),
  )
  if (stopped.length > 0) await enqueue(tx, ADVANCE, { orgId }, { key: channelId })
  for (const { project_id: projectId, post_id: postId } of stopped)
    await emit(tx, { orgId, projectId, kind: 'post', ref: postId }, now)
  return (await unstopped(tx, { orgId, channelId })).length > 0
}

/** Tells people which promotions may continue without their channel, because the platform never confirmed their end. */
export async function notifyOfUnstopped(tx: Tx, of: Of & { platform: PlatformKey }, now: Date): Promise<void> {
  for (const { id, project_id: projectId, post_id: postId } of await unstopped(tx, of)) {
    await createNotification(
      tx,
      {
        orgId: of.orgId,
        projectId,
        dedupeKey: dedupeKeys.boost(id),
        kind: 'boost-unstopped',
        params: { postId, platform: of.platform },
        people: 'project-editors',
        channelIds: [of.channelId],
      },
      now,
    )
  }
}

/** FAILED is over too, unless it may have started after all. */
const unstopped = (tx: Tx, { orgId, channelId }: Of) =>
  tx
    .selectFrom('boost')
    .select(['id', 'project_id', 'post_id'])
    .where('org_id', '=', orgId)
    .where('channel_id', '=', channelId)
    .where((e) =>
      e.or([
        e('state', 'in', runningStates),
        e.and([e('state', '=', 'FAILED'), e('began_at', 'is not', null), e('next_at', 'is not', null)]),
      ]),
    )
    .execute()
