import type { BudgetUse } from '../platforms/platform.ts'

/** What can be delivered; each kind has a `Subject` (subject.ts). */
export type SubjectKind =
  | 'post'
  | 'follow-up'
  | 'edit'
  | 'deletion'
  | 'boost'
  | 'reply'
  | 'reply-change'
  | 'item-change'

/** What the engine does with a delivery, in order. `reconcile` finds out after a lost answer whether it was sent. */
export type DeliveryStep = 'prepare' | 'send' | 'poll' | 'readback' | 'reconcile'

/** Whether the step changes nothing on the platform, so that it can be repeated. */
export const isReading = ({ step }: { step: DeliveryStep }): boolean =>
  step === 'readback' || step === 'reconcile' || step === 'poll'
/** Whether the step publishes something: one attempt, guarded by the lease, and reconciled if its answer is lost. */
export const isIrreversible = ({ step }: { step: DeliveryStep }): boolean => step === 'send'

const uses: Record<SubjectKind, Partial<Record<DeliveryStep, BudgetUse>>> = {
  post: { prepare: 'prepare', send: 'send', poll: 'poll', readback: 'readback', reconcile: 'reconcile' },
  'follow-up': { send: 'followUp', reconcile: 'reconcileFollowUp' },
  // no platform is known to limit these
  edit: {},
  deletion: {},
  boost: {},
  reply: { prepare: 'prepare', send: 'reply', reconcile: 'reconcile' },
  'reply-change': {},
  'item-change': {},
}

/** What platforms' rate limits call a subject's step; undefined for a step that it never takes. */
export const platformUse = (subject: SubjectKind, step: DeliveryStep): BudgetUse | undefined => uses[subject][step]

/** Costs by platforms' names, as the claim counts them: by subject and step. */
export const costBySubject = (cost: Partial<Record<BudgetUse, number>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(uses).flatMap(([subject, steps]) =>
      Object.entries(steps).flatMap(([step, use]) => {
        const price = cost[use]
        return price === undefined ? [] : [[`${subject}/${step}`, price]]
      }),
    ),
  )
