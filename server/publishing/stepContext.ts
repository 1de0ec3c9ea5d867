import { type Reason, because } from '#contract/failures/catalog.ts'
import type pg from 'pg'
import type { Apps } from '../apps/apps.ts'
import type { SecretKeys } from '../channels/secrets.ts'
import type { Clock } from '../clock.ts'
import type { Notify } from '../notifications/create.ts'
import type { Log } from '../log.ts'
import type { AccountRef, Outgoing, Platform, Refusal, Secret } from '../platforms/platform.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import type { Claimed, Going } from './claim.ts'
import type * as decide from './decide.ts'
import type { Lease } from './guard.ts'
import type { PublishingOptions } from './options.ts'
import type { OpenMedia } from './outgoing.ts'
import type { Outcome, OutcomeWriter } from './outcomes.ts'
import { plain } from './plain.ts'
import type { GuardedReach } from './reach.ts'
import type { SecretSource } from './refresh.ts'
import { notifyOfPost } from './notify.ts'

/** What a claim is worked on with. */
export type PublishContext = {
  pool: pg.Pool
  clock: Clock
  keys: SecretKeys
  apps?: Pick<Apps, 'ofChannel'>
  media: OpenMedia
  fetch: SafeFetch
  notify: Notify
  log: Log
  options: PublishingOptions
  writer: OutcomeWriter
  signal: AbortSignal
  nodeId: string
  /** Until when this node counts as alive for the others. */
  alive: () => Lease
  /** Hears how late the first call of a post left, in milliseconds. */
  onFirstCall: (platform: string, lag: number, now: Date) => void
}

/** One claim on the bench. */
export type StepContext = PublishContext & {
  source: SecretSource
  claimed: Going
  platform: Platform
  account: AccountRef
  secret: Secret
  post: Outgoing
  reach: GuardedReach
}

/** What decisions are made by: the time of now and the options of the engine. */
export const facts = (publishing: PublishContext): decide.Facts => ({
  now: publishing.clock.now(),
  options: publishing.options,
})
/** Whether the step changes nothing at the platform, so that it may be done again. */
export const isReading = ({ step }: Pick<Going, 'step'>): boolean =>
  step === 'readback' || step === 'settle' || step === 'poll' || step === 'settlePart'
/** Whether the step makes something that others see: one attempt, guarded by the lease, and settled when its answer is lost. */
export const isIrreversible = ({ step }: Pick<Going, 'step'>): boolean => step === 'send' || step === 'part'
/** Whether the step is one of what follows the post. */
export const isOfPart = ({ step }: Pick<Claimed, 'step'>): boolean => step === 'part' || step === 'settlePart'

/** Milliseconds until a post is looked at again whose files or token could not be read. */
export const UNREADY = 5000
export const unready: Reason = because('post-unreadable')

/** Writes what came of an attempt, with what the platform said and what people are told. One that the fence refuses, since somebody else went on meanwhile, is only logged. */
export async function finish(
  publishing: PublishContext,
  claimed: Claimed,
  outcome: Outcome,
  reach?: GuardedReach,
): Promise<void> {
  const written = await publishing.writer.write(
    { ...outcome, exchange: reach?.exchange ?? [] },
    notifyOfPost(publishing.notify, claimed, outcome, publishing.clock.now()),
  )
  if (!written)
    publishing.log.info(
      { postId: claimed.post_id, step: claimed.step, outcome: outcome.outcome },
      'a late outcome was refused by the fence',
    )
}

/** What an adapter answers, as our columns can keep it. One that throws has a bug: what it did is unknown after a send, and nothing after a read. */
export async function attempt<T>(call: () => Promise<T>, kind: 'retry' | 'unknown'): Promise<T | Refusal> {
  try {
    return plain(await call())
  } catch (error) {
    return {
      kind,
      reason: {
        ...because('adapter-crashed'),
        platformCode: error instanceof Error ? plain(error.message.slice(0, 200)) : 'unknown',
      },
    }
  }
}
