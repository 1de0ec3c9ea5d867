import { sql } from 'kysely'
import type { StoredReason } from '#contract/failures/define.ts'
import type { BoostState } from '#contract/boosts.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import type { Going } from '../delivery/claim.ts'
import { workedOn } from '../delivery/decide.ts'
import { overrule } from '../delivery/overrule.ts'
import { outcomeOf, type Exchange, type OutcomeWriter } from '../delivery/outcomes.ts'
import { emit } from '../live/emit.ts'
import { createNotification } from '../notifications/create.ts'
import { dedupeKeys } from '../notifications/dedupeKeys.ts'
import { dismissNotifications } from '../notifications/dismiss.ts'
import type { BoostRow } from './access.ts'

/** After the end of a lease, to allow for clock differences. */
export const MARGIN_MS = 5000

/** What a piece of work stores in the row. */
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
 * Writes it durably in the delivery's outcome, unless another worker claimed the promotion in the meantime or a
 * person stopped it: then nothing is written and it returns undefined. Notifies open screens and people in the same
 * transaction.
 */
export async function write(
  writer: OutcomeWriter,
  claimed: Going,
  boost: BoostRow,
  change: Change,
  now: Date,
): Promise<BoostRow | undefined> {
  const after = { ...boost, ...change }
  const isShown =
    change.problem !== undefined ||
    change.spent !== undefined ||
    after.state !== boost.state ||
    after.ends_at !== boost.ends_at
  const until = new Date(claimed.lease_until.getTime() + MARGIN_MS)
  const written = await writer.write(outcomeOf(claimed, workedOn(until), change, []), async (tx) => {
    if (isShown)
      await emit(tx, { orgId: boost.org_id, projectId: boost.project_id, kind: 'post', ref: boost.post_id }, now)
    if (after.state !== boost.state) await notifyOf(tx, after, claimed.platform, now)
  })
  return written ? after : undefined
}

/** The work is done for now: the next worker may claim it at the time in its row. */
export async function release(
  writer: OutcomeWriter,
  claimed: Going,
  exchange: readonly Exchange[] = [],
): Promise<void> {
  await writer.write(outcomeOf(claimed, workedOn(), {}, exchange))
}

/** Takes promotions, which the caller has locked, from the workers that have them: their later writes are rejected. */
export async function takeFromWorkers(tx: Tx, orgId: string, boostIds: readonly string[]): Promise<void> {
  const which = sql`where d.org_id = ${orgId} and d.subject = 'boost' and d.subject_id = any(${[...boostIds]}::uuid[])`
  await overrule(sql`step = null, step_at = null`, which).execute(tx)
}

async function notifyOf(tx: Tx, boost: BoostRow, platform: PlatformKey, now: Date): Promise<void> {
  const { org_id: orgId, id, state, problem } = boost
  if (state !== 'HELD' && state !== 'REJECTED' && state !== 'FAILED')
    return await dismissNotifications(tx, { orgId, dedupeKeys: [dedupeKeys.boost(id)] }, now)
  await createNotification(
    tx,
    {
      orgId,
      projectId: boost.project_id,
      dedupeKey: dedupeKeys.boost(id),
      kind: 'boost-trouble',
      params: { postId: boost.post_id, platform, state, problem },
      people: 'project-editors',
      channelIds: [boost.channel_id],
    },
    now,
  )
}
