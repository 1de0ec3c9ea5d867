import type { Reason } from '#contract/failures/catalog.ts'
import type { PostFailure } from '#contract/postLists.ts'
import type { Tx } from '../db/kysely.ts'
import type { DeliveryStep } from './steps.ts'

/** What happened to a delivery, for its subject. */
export type DecisionKind =
  | 'waits'
  | 'late'
  | 'not-begun'
  | 'prepared'
  | 'preparing'
  | 'acknowledged'
  | 'processing'
  | 'delivered'
  | 'unread'
  | 'lost'
  | 'absent'
  | 'absent-once'
  | 'unresolved-yet'
  | 'unresolved'
  | 'retry'
  | 'rejected'
  | 'signed-out'

/** The changes to a delivery. Undefined leaves a column as it is, null clears it. */
export type Decision = {
  kind: DecisionKind
  /** The result, for the attempt's row. */
  outcome: string
  /** The engine is done with it for now: the lane is released and the fence raised. */
  ends: boolean
  state?: 'sent' | 'failed' | 'unsure'
  step: DeliveryStep | null
  step_at: Date | null
  tries: number
  progress?: Record<string, unknown>
  remote_id?: string
  sent_at?: Date
  failure: PostFailure | null
  absent_at: Date | null
  /** Rate limits that the platform closed, and until when. */
  closes: readonly string[]
  closed_until?: Date
  /** The platform's reason, where the failure doesn't contain it. */
  reason?: Reason
  /** For something delivered: its address, or why it couldn't be read back. */
  permalink?: string
  warning?: Reason
}

/** A change of a subject's rows: JSON that only its own SQL function reads. */
export type SubjectChange = Record<string, unknown>

/** What else the same commit does when the outcome is accepted: notices, a channel's status. */
export type Alongside = (tx: Tx) => Promise<void>
