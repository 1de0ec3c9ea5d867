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
 * The end of a channel is the end of its promotions: their platform can be asked only while its sign-in is still here, and money
 * that nobody sees any more must not be spent.
 */

type Of = { orgId: string; channelId: string }

/**
 * Asks for the end of every promotion of a channel that is to go; the job of promotions tells the platform, as when a person stops
 * one. Asking again changes nothing, and takes along what somebody began meanwhile. Answers whether there is one whose end the
 * platform has not confirmed yet. For verbs of a tenant.
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

/** Tells people which promotions may go on although their channel is gone: the platform never confirmed their end. */
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

/** FAILED is over too, unless it may have begun after all. */
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
