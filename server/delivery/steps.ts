import type { PublishStep } from '../platforms/platform.ts'

/** What can be delivered; each kind is a value of `Subject` (subject.ts). */
export type SubjectKind = 'post' | 'follow-up' | 'edit' | 'deletion' | 'boost'

/** What the engine does with a delivery, in order. `reconcile` finds out whether it was sent after an answer was lost. */
export type DeliveryStep = 'prepare' | 'send' | 'poll' | 'readback' | 'reconcile'

/** Whether the step changes nothing at the platform, so that it may be done again. */
export const isReading = ({ step }: { step: DeliveryStep }): boolean =>
  step === 'readback' || step === 'reconcile' || step === 'poll'
/** Whether the step makes something that others see: one attempt, guarded by the lease, and reconciled when its answer is lost. */
export const isIrreversible = ({ step }: { step: DeliveryStep }): boolean => step === 'send'

const uses: Record<SubjectKind, Partial<Record<DeliveryStep, PublishStep>>> = {
  post: { prepare: 'prepare', send: 'send', poll: 'poll', readback: 'readback', reconcile: 'reconcile' },
  'follow-up': { send: 'followUp', reconcile: 'reconcileFollowUp' },
  // no platform is known to limit these
  edit: {},
  deletion: {},
  boost: {},
}

/** What platforms' budgets call a step of a subject; undefined for a step that it never takes. */
export const platformUse = (subject: SubjectKind, step: DeliveryStep): PublishStep | undefined => uses[subject][step]

/** Costs by platforms' names, as the claim counts them: by subject and step. */
export const costBySubject = (cost: Partial<Record<PublishStep, number>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(uses).flatMap(([subject, steps]) =>
      Object.entries(steps).flatMap(([step, use]) => {
        const price = cost[use]
        return price === undefined ? [] : [[`${subject}/${step}`, price]]
      }),
    ),
  )
