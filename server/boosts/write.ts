import type { BoostState } from '#contract/boosts.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { asSystem } from '../db/system.ts'
import type { Databases } from '../db/pools.ts'
import { emit } from '../live/emit.ts'
import { raiseNotice } from '../notices/raise.ts'
import { settleMatters } from '../notices/settle.ts'
import { platformLabel } from '../publishing/words.ts'
import type { BoostRow, Problem } from './access.ts'
import { boostMatter } from './names.ts'

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
  problem: Problem | null
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
      if (needsPeople.has(after.state)) {
        await raiseNotice(
          tx,
          {
            orgId: boost.org_id,
            projectId: boost.project_id,
            matter: boostMatter(boost.id),
            kind: 'boost-trouble',
            title: `A promotion on ${platform === null ? 'a platform' : platformLabel(platform)} ${after.state === 'FAILED' ? "couldn't be started" : after.state === 'REJECTED' ? 'was rejected' : 'is on hold'}`,
            body: after.problem ? `${after.problem.text} ${after.problem.advice}`.trim() : 'Open the post to see why.',
            link: `/${boost.org_id}/project/${boost.project_id}/post/${boost.post_id}`,
            people: 'project-editors',
            channelIds: [boost.channel_id],
          },
          now,
        )
      } else await settleMatters(tx, { orgId: boost.org_id, matters: [boostMatter(boost.id)] }, now)
    }
    return after
  })
}

const needsPeople: ReadonlySet<BoostState> = new Set(['HELD', 'REJECTED', 'FAILED'])
