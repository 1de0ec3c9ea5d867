import { because } from '#contract/failures/catalog.ts'
import { failureOf } from '../delivery/failures.ts'
import type { Subject } from '../delivery/subject.ts'

/**
 * A promotion as a subject of the delivery engine. A job works on it (advance.ts), so there is nothing for the nodes that publish
 * to ask its platform. If that worker died and a node finds the lease over, it only lets go: the job's next run looks up
 * what was made.
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
