import { entitlements } from '#contract/plans.ts'
import type { Subscription } from '#contract/subscription.ts'
import { writeAudit } from '../audit/write.ts'
import type { Tx } from '../db/kysely.ts'
import { emit } from '../live/emit.ts'
import { lockBeyond } from './locks.ts'
import { notifyAdmins } from './notify.ts'

const counted = ['channels', 'users', 'projects'] as const
const measures = [...counted, 'xAccounts'] as const

/**
 * Whether a change added capacity: a plan after one that had ended, or more of something that plans limit. Nobody buys
 * Free.
 */
export function isLarger(before: Subscription, after: Subscription, now: Date): boolean {
  const had = entitlements(before, now)
  const has = entitlements(after, now)
  return after.planId !== 'free' && has.valid && (!had.valid || measures.some((kind) => has[kind] > had[kind]))
}

export type Shrink = {
  before: Subscription
  after: Subscription
  version: number
  /** The admin who chose the plan; null if nobody here did. */ chooser: string | null
}

/**
 * Handles a plan that became smaller, by a choice here or at the provider: what it doesn't include is paused in the
 * same transaction, and the admins are notified where to choose otherwise. Does nothing if it didn't become smaller, or
 * isn't valid, because then nothing is published anyway.
 */
export async function settleShrink(
  tx: Tx,
  orgId: string,
  { before, after, version, chooser }: Shrink,
  now: Date,
): Promise<void> {
  // what the plan itself allows: a pause in between doesn't add anything
  const had = entitlements({ ...before, status: 'ACTIVE' }, now)
  const has = entitlements(after, now)
  if (!has.valid || measures.every((kind) => has[kind] >= had[kind])) return
  const locked = await lockBeyond(tx, orgId, has, chooser, now)
  const total = counted.reduce((sum, kind) => sum + locked[kind], 0)
  if (total === 0) return
  await writeAudit(
    tx,
    [{ orgId, projectId: null, personId: null, action: 'locked', entity: 'plan', entityId: orgId, detail: { locked } }],
    now,
  )
  for (const kind of ['channel', 'member'] as const) await emit(tx, { orgId, projectId: null, kind, ref: orgId }, now)
  const { channels, projects, users } = locked
  await notifyAdmins(
    tx,
    orgId,
    { dedupeKey: `plan-shrank:${version}`, kind: 'plan-shrank', params: { channels, projects, users } },
    now,
  )
}
