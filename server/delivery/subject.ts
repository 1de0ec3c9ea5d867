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
 * What can be delivered. The engine (claim, lease, fence, journal, rate limits, reconciling) only knows deliveries; a
 * subject decides what is sent, how the platform is called, and what an outcome means for its own rows. To add one,
 * write a `Subject`, a branch in each function of db/functions/delivery_subjects.sql, and an entry in the table's
 * check.
 */

export type Subject = {
  kind: SubjectKind
  /** Why it must not be sent although it's due, such as content that differs from what was approved; undefined if it may. */
  objection: (claimed: Going) => Reason | undefined
  /** Whether an earlier send of it was lost and found absent, which changes what being late means. */
  wasLost: (claimed: Claimed) => boolean
  /** The failure to store while a lost response is being reconciled, and the one for when only a person can tell. */
  unconfirmed: (claimed: Claimed, reason: Reason) => PostFailure
  unresolved: (claimed: Claimed, why?: Reason) => PostFailure
  /** The platform calls for its steps; undefined when its row or files are incomplete. Throws when files can't be reached now. */
  operations: (claimed: Going, platform: Platform, openMedia: OpenMedia) => Promise<Operations | undefined>
  /** What a decision changes in its own rows, as write_subjects() takes it. Written in the same commit as the delivery. */
  change: (claimed: Claimed, decision: Decision, now: Date) => SubjectChange
  /** The notifications of the same commit; undefined for none. */
  alongside: (claimed: Claimed, decision: Decision, notify: Notify, now: Date) => Alongside | undefined
}

/** HTTP access for one request, and the account that it uses. */
type Call = { reach: Reach; secret: Secret; account: AccountRef }
type Progress = Record<string, unknown>

/** The calls of a delivery. A missing one is a step that it never takes; without `reconcile` a person is asked. */
export type Operations = {
  prepare?: (call: Call) => Promise<PrepareAnswer>
  send?: (call: Call) => Promise<SendAnswer | FollowUpAnswer>
  poll?: (call: Call) => Promise<SendAnswer>
  readBack?: (
    call: Call,
    sent: { remoteId: string; progress: Progress },
  ) => Promise<{ kind: 'live'; permalink: string } | { kind: 'missing' } | Refusal>
  reconcile?: (call: Call) => Promise<ReconcileAnswer>
  /** Whether sending it twice has the same effect as sending it once; by default the platform's `sendIsRepeatable`. */
  sendIsRepeatable?: boolean
  /** What the acknowledgement adds to the subject's change, such as its follow-ups. */
  acknowledged?: () => SubjectChange
}

/** Opens files of one organization by asset ID; deleted assets are missing from the result. */
export type OpenMedia = (orgId: string, assetIds: readonly string[]) => Promise<ReadonlyMap<string, MediaFile>>
