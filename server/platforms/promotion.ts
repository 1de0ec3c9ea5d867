import type { Reason } from '#contract/failures/catalog.ts'
import type { AdAccount, Audience, BoostState } from '#contract/boosts.ts'
import type { PostType } from '#contract/platforms/rules.ts'
import type { AccountRef, Reach, Refusal, Secret } from './calls.ts'

/**
 * Promoting a published post. Its objects are created step by step, each with a name of ours, so that it's found again
 * after a lost response; nothing is spent before the last step, which can be repeated.
 */
export type Promotion = {
  /** Which way to connect it needs, among the `app.variants` of the platform's rules. */
  variant: string
  /** Additional permissions it needs, in the platform's words. */
  needs: readonly string[]
  postTypes: readonly PostType[]
  /** How long one call of a step, a check or a stop may take, in milliseconds. */
  timeoutMs: number
  /** Ad accounts that can pay. Only reads. */
  accounts: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
  ) => Promise<{ kind: 'accounts'; accounts: AdAccount[] } | Refusal>
  /** Saved audiences of an ad account. Only reads. */
  audiences: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    adAccountId: string,
  ) => Promise<{ kind: 'audiences'; audiences: Audience[] } | Refusal>
  /** In order. Nothing is spent before the last one. */
  steps: readonly PromotionStep[]
  /** Executes the step: one attempt. Only after `unknown` may it have happened. */
  make: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    promoted: Promoted,
    step: string,
  ) => Promise<{ kind: 'made'; remoteId: string } | Refusal>
  /** After a lost response: whether the step's object exists. `absent` is believed only if read twice, 60 s apart. */
  find: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    promoted: Promoted,
    step: string,
  ) => Promise<{ kind: 'found'; remoteId: string } | { kind: 'absent' } | Refusal>
  /** The state of a promotion whose steps are all done. */
  look: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    promoted: Promoted,
  ) => Promise<({ kind: 'seen' } & PromotionSeen) | { kind: 'gone' } | Refusal>
  /** Ends it, however far it came; succeeds if it has already ended. */
  stop: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    promoted: Promoted,
  ) => Promise<{ kind: 'stopped' } | Refusal>
}

/**
 * `once`: a repeat would create a second object, so it's searched for first. `repeatable`: a repeat changes nothing.
 * `timed`: the promotion's time starts with it.
 */
export type PromotionStep = { key: string; kind: 'read' | 'once' | 'repeatable'; timed?: true }

/** A promotion as its adapter knows it. */
export type Promoted = {
  /** Our own unique name for it, by which people find it on the platform. */
  name: string
  postType: PostType
  /** The published post. */
  remoteId: string
  adAccountId: string
  audienceId: string
  /** For the whole time, in minor units as the ad account counts them. */
  budget: number
  /** How many minor units make one unit of its currency. */
  minorUnits: number
  endsAt: Date
  /** The IDs of created objects, by step. */
  made: Readonly<Record<string, string>>
}

export type PromotionSeen = {
  /** `endsAt` says whether its time is over. */
  state: Extract<BoostState, 'IN_REVIEW' | 'ACTIVE' | 'HELD' | 'REJECTED' | 'STOPPED'>
  /** What a person should know or do. */
  reason: Reason | null
  endsAt: Date | null
  /** In minor units; null if the platform doesn't say. */
  spent: number | null
  impressions: number | null
  reach: number | null
}
