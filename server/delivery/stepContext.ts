import { because, type Reason } from '#contract/failures/catalog.ts'
import type pg from 'pg'
import type { Apps } from '../apps/apps.ts'
import type { SecretKeys } from './secrets.ts'
import type { Clock } from '../clock.ts'
import type { Notify } from '../notifications/create.ts'
import type { Log } from '../log.ts'
import type { AccountRef, Platform, Publish, Refusal, Secret } from '../platforms/platform.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import type { SafeAnswer } from '../platforms/safeHttp.ts'
import type { Claimed, Going } from './claim.ts'
import type { Facts } from './decide.ts'
import type { Alongside, Decision, SubjectChange } from './decision.ts'
import type { Lease } from './guard.ts'
import type { PublishingOptions } from './options.ts'
import { outcomeOf, type OutcomeWriter } from './outcomes.ts'
import { storable } from './storable.ts'
import type { GuardedFetch } from './guardedFetch.ts'
import type { SecretSource } from './refresh.ts'
import type { SubjectKind } from './steps.ts'
import type { OpenMedia, Operations, Subject } from './subject.ts'

/** What is needed to work on a claim. */
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
  subjects: ReadonlyMap<SubjectKind, Subject>
  writer: OutcomeWriter
  signal: AbortSignal
  nodeId: string
  /** Until when the other nodes count this one as alive. */
  alive: () => Lease
  /** Called with the result of each request. */
  onAnswered?: (platform: Platform, service: string | null, answer: SafeAnswer) => void
  /** Called with how late a delivery's first call was, in milliseconds. */
  onFirstCall: (platform: string, lag: number, now: Date) => void
  /** Called with what was decided and written, in order. */
  onWritten?: (claimed: Claimed, decision: Decision) => void
}

/** One claim while it's being worked on. */
export type StepContext = PublishContext & {
  source: SecretSource
  claimed: Going
  subject: Subject
  operations: Operations
  platform: Platform
  account: AccountRef
  secret: Secret
  reach: GuardedFetch
}

/** The inputs of decisions: the current time and the engine's options. */
export const facts = ({ clock, options }: Pick<PublishContext, 'clock' | 'options'>): Facts => ({
  now: clock.now(),
  options,
})

export const subjectsByKind = (subjects: readonly Subject[]): ReadonlyMap<SubjectKind, Subject> =>
  new Map(subjects.map((subject) => [subject.kind, subject]))

/** Throws for a kind that this process doesn't deliver. */
export function subjectOf({ subjects }: PublishContext, { subject: kind }: Pick<Claimed, 'subject'>): Subject {
  const subject = subjects.get(kind)
  if (!subject) throw new Error(`nothing here delivers the subject ${kind}`)
  return subject
}

/** Whether a second send of this step is harmless. */
export const repeatable = ({ operations, platform }: StepContext): Pick<Publish, 'sendIsRepeatable'> => ({
  sendIsRepeatable: operations.sendIsRepeatable ?? platform.publish.sendIsRepeatable,
})

/** Milliseconds until a delivery whose files or token couldn't be read is tried again. */
export const UNREADY = 5000
export const unready: Reason = because('post-unreadable')

/**
 * Writes the outcome of an attempt to the delivery and its subject, with the platform's reason and the resulting
 * notifications; `first` runs before that in the same commit. Returns false if the fence rejected it because another
 * worker took over.
 */
export async function finish(
  publishing: PublishContext,
  claimed: Claimed,
  decision: Decision,
  { reach, more, first }: { reach?: GuardedFetch | undefined; more?: SubjectChange; first?: Alongside } = {},
): Promise<boolean> {
  const subject = subjectOf(publishing, claimed)
  const now = publishing.clock.now()
  const alongside = subject.alongside(claimed, decision, publishing.notify, now)
  const written = await publishing.writer.write(
    outcomeOf(claimed, decision, { ...subject.change(claimed, decision, now), ...more }, reach?.exchange ?? []),
    first ? async (tx) => (await first(tx), await alongside?.(tx)) : alongside,
  )
  if (written) publishing.onWritten?.(claimed, decision)
  else
    publishing.log.info(
      { subject: claimed.subject, id: claimed.subject_id, step: claimed.step, outcome: decision.outcome },
      'a late outcome was refused by the fence',
    )
  return written
}

/**
 * An adapter's answer as our columns can store it. One that throws has a bug: the result is unknown after a send, and
 * nothing after a read.
 */
export async function attempt<T>(call: () => Promise<T>, kind: 'retry' | 'unknown'): Promise<T | Refusal> {
  try {
    return storable(await call())
  } catch (error) {
    return {
      kind,
      reason: {
        ...because('adapter-crashed'),
        platformCode: error instanceof Error ? storable(error.message.slice(0, 200)) : 'unknown',
      },
    }
  }
}
