import type { PostFailure } from '#contract/postLists.ts'
import type { Reason } from '#contract/failures/catalog.ts'
import type { Notify } from '../notifications/create.ts'
import type {
  AccountRef,
  FollowUpAnswer,
  MediaFile,
  Platform,
  PrepareAnswer,
  Reach,
  Refusal,
  Secret,
  SendAnswer,
  ReconcileAnswer,
} from '../platforms/platform.ts'
import type { Claimed, Going } from './claim.ts'
import type { Alongside, Decision, SubjectChange } from './decision.ts'
import type { SubjectKind } from './steps.ts'

/*
 * What can be delivered. The engine (claim, lease, fence, journal, budgets, reconciling) knows deliveries only; a subject says
 * what is sent, how it is asked of the platform, and what an outcome means for its own rows. A new subject is a value of
 * `Subject`, a branch in each function of db/functions/delivery_subjects.sql and a word in the table's check.
 */

export type Subject = {
  kind: SubjectKind
  /** Why it must not be sent although it is due, such as that it isn't what was approved; undefined when it may. */
  objection: (claimed: Going) => Reason | undefined
  /** Whether an earlier send of it was lost and found absent, so that being late means something else. */
  wasLost: (claimed: Claimed) => boolean
  /** What is kept while an answer that was lost is looked for, and once nobody but a person can tell. */
  unconfirmed: (claimed: Claimed, reason: Reason) => PostFailure
  unresolved: (claimed: Claimed, why?: Reason) => PostFailure
  /** What its steps ask of the platform; undefined when its row or its files aren't whole. Throws when files can't be reached now. */
  operations: (claimed: Going, platform: Platform, openMedia: OpenMedia) => Promise<Operations | undefined>
  /** What a decision changes in its own rows, as write_subjects() takes it. Written in the commit that writes the delivery. */
  change: (claimed: Claimed, decision: Decision, now: Date) => SubjectChange
  /** Whom the same commit notifies; undefined for nobody. */
  alongside: (claimed: Claimed, decision: Decision, notify: Notify, now: Date) => Alongside | undefined
}

/** One request's way to the platform, with whose account it is. */
type Call = { reach: Reach; secret: Secret; account: AccountRef }
type Progress = Record<string, unknown>

/** The calls of a delivery. Those that it lacks are steps that it never takes; without `reconcile` a person is asked. */
export type Operations = {
  prepare?: (call: Call) => Promise<PrepareAnswer>
  send?: (call: Call) => Promise<SendAnswer | FollowUpAnswer>
  poll?: (call: Call) => Promise<SendAnswer>
  readBack?: (
    call: Call,
    sent: { remoteId: string; progress: Progress },
  ) => Promise<{ kind: 'live'; permalink: string } | { kind: 'missing' } | Refusal>
  reconcile?: (call: Call) => Promise<ReconcileAnswer>
  /** Whether sending it twice has the effect of sending it once; the platform's `sendIsRepeatable` unless it says otherwise. */
  sendIsRepeatable?: boolean
  /** What the acknowledgement adds to the change of its subject, such as what follows it. */
  acknowledged?: () => SubjectChange
}

/** Opens files of one organization by their asset ids; an asset that is gone is missing from the answer. */
export type OpenMedia = (orgId: string, assetIds: readonly string[]) => Promise<ReadonlyMap<string, MediaFile>>
