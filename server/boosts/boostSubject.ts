import { because } from '#contract/failures/catalog.ts'
import { failureOf } from '../delivery/failures.ts'
import type { Subject } from '../delivery/subject.ts'

/**
 * A promotion as a subject of the delivery engine. A job works on it (advance.ts), so publishing nodes have nothing
 * to send. If that worker died and a node finds the lease expired, it only releases it: the job's next run looks up
 * what was created.
 */
export const boostSubject: Subject = {
  kind: 'boost',
  objection: () => undefined,
  wasLost: () => false,
  unconfirmed: (_, reason) => failureOf('unknown', reason),
  unresolved: () => failureOf('unknown', because('boost-unknown')),
  operations: async () => ({}),
  change: () => ({}),
  alongside: () => undefined,
}
