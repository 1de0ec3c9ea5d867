import type { Reason } from '#contract/failures/catalog.ts'
import type { AdAccount, Audience, BoostState } from '#contract/boosts.ts'
import type { PostType } from '#contract/platforms/rules.ts'
import type { AccountRef, Reach, Refusal, Secret } from './calls.ts'

/**
 * Promoting a published post. What it is made of is made one step after the other, each with our own name on it, so that it
 * is found again after a lost answer; nothing is spent before the last step, which may be repeated.
 */
export type Promotion = {
  /** The way of signing in that it needs, among the `app.variants` of the platform's rules. */
  variant: string
  /** Rights that it needs besides, in the platform's words. */
  needs: readonly string[]
  postTypes: readonly PostType[]
  /** Milliseconds that one call of a step, a look or a stop may take. */
  timeoutMs: number
  /** Who can pay. Only reads. */
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
  /** Makes what the step makes: one attempt. Only `unknown` may have made it. */
  make: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    promoted: Promoted,
    step: string,
  ) => Promise<{ kind: 'made'; remoteId: string } | Refusal>
  /** After a lost answer: whether what the step makes is there. `absent` is believed only when read twice, 60 s apart. */
  find: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    promoted: Promoted,
    step: string,
  ) => Promise<{ kind: 'found'; remoteId: string } | { kind: 'absent' } | Refusal>
  /** How it stands there, once every step is made. */
  look: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    promoted: Promoted,
  ) => Promise<({ kind: 'seen' } & PromotionSeen) | { kind: 'gone' } | Refusal>
  /** Ends it, however far it came; ending what has ended already succeeds. */
  stop: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    promoted: Promoted,
  ) => Promise<{ kind: 'stopped' } | Refusal>
}

/** `once`: a second one would be another thing, so it is looked for before it is made. `repeatable`: again changes nothing. `timed`: its time begins with it. */
export type PromotionStep = { key: string; kind: 'read' | 'once' | 'repeatable'; timed?: true }

/** A promotion as its adapter knows it. */
export type Promoted = {
  /** Our own name of it, unique, and the name that people find it by at the platform. */
  name: string
  postType: PostType
  /** The published post. */
  remoteId: string
  adAccountId: string
  audienceId: string
  /** For the whole time, in minor units as the ad account counts them. */
  budget: number
  /** How many of them make one unit of its currency. */
  minorUnits: number
  endsAt: Date
  /** Ids of what was made, by step. */
  made: Readonly<Record<string, string>>
}

export type PromotionSeen = {
  /** Whether its time is over is told by `endsAt`. */
  state: Extract<BoostState, 'IN_REVIEW' | 'ACTIVE' | 'HELD' | 'REJECTED' | 'STOPPED'>
  /** What a person should know or do. */
  reason: Reason | null
  endsAt: Date | null
  /** In minor units; null where the platform does not say. */
  spent: number | null
  impressions: number | null
  reach: number | null
}
