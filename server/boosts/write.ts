import type { StoredReason } from '#contract/failures/define.ts'
import type { BoostState } from '#contract/boosts.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { asSystem } from '../db/system.ts'
import type { Databases } from '../db/pools.ts'
import { emit } from '../live/emit.ts'
import { createNotification } from '../notifications/create.ts'
import { dedupeKeys } from '../notifications/dedupeKeys.ts'
import { dismissNotifications } from '../notifications/dismiss.ts'
import type { BoostRow } from './access.ts'

/** What a piece of work leaves in the row. */
export type Change = Partial<{
  state: BoostState
  made: Record<string, string>
  began_at: Date | null
  absent_at: Date | null
  next_at: Date | null
  tries: number
  ends_at: Date | null
  spent: number | null
  impressions: number | null
  reach: number | null
  read_at: Date
  problem: StoredReason | null
}>

/**
 * Writes it, durably, unless somebody else took the promotion up meanwhile or a person stopped it: then nothing is written and
 * undefined is answered. Open screens and people hear of what matters to them in the same transaction.
 */
export async function write(
  databases: Pick<Databases, 'system'>,
  boost: BoostRow,
  platform: PlatformKey | null,
  change: Change,
  now: Date,
): Promise<BoostRow | undefined> {
  const { made, problem, ...rest } = change
  return await asSystem(databases.system, async (tx) => {
    const written = await tx
      .updateTable('boost')
      .set({
        ...rest,
        ...(made && { made: JSON.stringify(made) }),
        ...(problem !== undefined && { problem: problem && JSON.stringify(problem) }),
        updated_at: now,
      })
      .where('org_id', '=', boost.org_id)
      .where('id', '=', boost.id)
      .where('fence', '=', boost.fence)
      .returning('id')
      .executeTakeFirst()
    if (!written) return undefined
    const after = { ...boost, ...change }
    const isShown =
      change.problem !== undefined ||
      change.spent !== undefined ||
      after.state !== boost.state ||
      after.ends_at !== boost.ends_at
    if (isShown)
      await emit(tx, { orgId: boost.org_id, projectId: boost.project_id, kind: 'post', ref: boost.post_id }, now)
    if (after.state !== boost.state) {
      const { state } = after
      if (state === 'HELD' || state === 'REJECTED' || state === 'FAILED') {
        await createNotification(
          tx,
          {
            orgId: boost.org_id,
            projectId: boost.project_id,
            dedupeKey: dedupeKeys.boost(boost.id),
            kind: 'boost-trouble',
            params: { postId: boost.post_id, platform, state, problem: after.problem },
            people: 'project-editors',
            channelIds: [boost.channel_id],
          },
          now,
        )
      } else await dismissNotifications(tx, { orgId: boost.org_id, dedupeKeys: [dedupeKeys.boost(boost.id)] }, now)
    }
    return after
  })
}
