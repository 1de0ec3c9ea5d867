import { z } from 'zod'
import { writeAudit } from '../audit/write.ts'
import { notifyAdmins } from '../billing/notify.ts'
import type { Tx } from '../db/kysely.ts'
import type { Databases } from '../db/pools.ts'
import { asSystem } from '../db/system.ts'
import { eachAlone } from '../jobs/eachAlone.ts'
import { defineJob, type AnyJob, type JobContext } from '../jobs/job.ts'
import { emit } from '../live/emit.ts'

const DAY = 86_400_000
/** Days before a trial's end at which its admins are notified, the nearest first. */
const TOLD_BEFORE = [1, 3] as const

type Trial = {
  orgId: string
  name: string
  endsAt: Date
  zone: string
}

/**
 * Notifies an organization's admins that its trial ends: three days before, one day before, and when it's over; then it
 * updates the plan too. What may be published depends on the date alone, so a late run does no harm. Safe to repeat,
 * also beside another worker.
 */
export async function watchTrials(
  context: Pick<JobContext, 'clock'> & Partial<Pick<JobContext, 'log'>> & { databases: Pick<Databases, 'system'> },
): Promise<void> {
  const { databases, clock } = context
  const now = clock.now()
  const trials = await asSystem(databases.system, (tx) =>
    endingTrials(tx, new Date(now.getTime() + Math.max(...TOLD_BEFORE) * DAY)),
  )
  await eachAlone(
    context,
    trials,
    { name: ({ orgId }) => ({ orgId }), failed: "the end of a trial couldn't be processed" },
    (trial) =>
      asSystem(databases.system, (tx) => (trial.endsAt <= now ? endTrial(tx, trial, now) : tellOfEnd(tx, trial, now))),
  )
}

async function endingTrials(tx: Tx, before: Date): Promise<Trial[]> {
  const rows = await tx
    .selectFrom('plan')
    .innerJoin('organization', 'organization.org_id', 'plan.org_id')
    .select((e) => [
      'plan.org_id as orgId',
      'organization.name',
      'plan.trial_ends_at as endsAt',
      e
        .selectFrom('project')
        .select('project.zone')
        .whereRef('project.org_id', '=', 'plan.org_id')
        .orderBy('project.created_at')
        .orderBy('project.id')
        .limit(1)
        .as('zone'),
    ])
    .where('plan.status', '=', 'TRIAL_ACTIVE')
    .where('plan.trial_ends_at', '<=', before)
    .orderBy('plan.trial_ends_at')
    .execute()
  return rows.flatMap(({ endsAt, zone, ...row }) => (endsAt ? [{ ...row, endsAt, zone: zone ?? 'UTC' }] : []))
}

async function tellOfEnd(tx: Tx, trial: Trial, now: Date): Promise<void> {
  const left = trial.endsAt.getTime() - now.getTime()
  const stage = TOLD_BEFORE.find((days) => left <= days * DAY)
  if (stage === undefined) return
  await notifyAdmins(
    tx,
    trial.orgId,
    {
      dedupeKey: `trial:${trial.endsAt.toISOString()}:${stage}`,
      kind: 'trial-ends',
      params: { orgName: trial.name, days: stage, endsAt: trial.endsAt.toISOString(), zone: trial.zone },
    },
    now,
  )
}

async function endTrial(tx: Tx, trial: Trial, now: Date): Promise<void> {
  const { orgId } = trial
  const ended = await tx
    .updateTable('plan')
    .set({ status: 'TRIAL_EXPIRED', changed_at: now })
    .where('org_id', '=', orgId)
    .where('status', '=', 'TRIAL_ACTIVE')
    .where('trial_ends_at', '<=', now)
    .returning('org_id')
    .executeTakeFirst()
  // a plan was chosen in the meantime, or another worker was first
  if (!ended) return
  await writeAudit(
    tx,
    [
      {
        orgId,
        projectId: null,
        personId: null,
        action: 'expired',
        entity: 'plan',
        entityId: orgId,
        detail: { before: { status: 'TRIAL_ACTIVE' }, after: { status: 'TRIAL_EXPIRED' } },
      },
    ],
    now,
  )
  await emit(tx, { orgId, projectId: null, kind: 'plan', ref: orgId }, now)
  await notifyAdmins(
    tx,
    orgId,
    {
      dedupeKey: `trial:${trial.endsAt.toISOString()}:ended`,
      kind: 'trial-ended',
      params: { orgName: trial.name },
    },
    now,
  )
}

// every hour, so that "within a day" isn't announced a day late
export const trialJobs: readonly AnyJob[] = [
  defineJob({ name: 'organizations.trials', payload: z.object({}), every: '13 * * * *', run: watchTrials }),
]
