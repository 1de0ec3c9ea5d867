import { aiFailureText, type AiFailure } from '#contract/aiFailure.ts'
import type { Databases } from '../db/pools.ts'
import { asSystem } from '../db/system.ts'
import { fail } from '../errors.ts'
import type { ProjectContext } from '../http/route.ts'
import type { Log } from '../log.ts'
import type { Model, Question } from './model.ts'
import { giveBackCredits, monthOf, takeCredits } from './usage.ts'

/** A person is waiting: after this, we answer that there's no suggestion. Milliseconds. */
const PATIENCE = 45_000

/** Opens short transactions of the organization that pays. */
type Payer = Pick<ProjectContext, 'tx' | 'org' | 'now'>
type Asker = { inTenant<T>(fn: (t: Payer) => Promise<T>): Promise<T> }
export type ModelDeps = { model: Model | undefined; log: Log; databases: Pick<Databases, 'system'> }

type Charged<T, R> = {
  ask: Question<T>
  /** Charged before the model is asked. */
  credits: number
  /** What is usable of the answer; undefined if nothing is. Each text that the model declined is refunded. */
  read: (answer: T) => { found: R | undefined; declined: number }
}

/**
 * Asks the model while a person waits. Credits are charged first and refunded when there is no suggestion, also if the person has lost
 * access meanwhile; if the server crashes in between, they are lost. Throws AI_NOT_SET_UP, PLAN_LIMIT without credits, AI_PROMPT_GENERATION_ERROR with
 * `meta.why` when there is no suggestion.
 */
export async function askCharged<T, R>(
  c: Asker,
  { model, log, databases }: ModelDeps,
  { ask, credits, read }: Charged<T, R>,
): Promise<{ found: R; creditsLeft: number }> {
  if (!model) throw fail('AI_NOT_SET_UP')
  const taken = await c.inTenant((t) => pay(t, credits))
  const giveBack = (some: number) =>
    asSystem(databases.system, (tx) => giveBackCredits(tx, taken.orgId, { month: taken.month, credits: some }))
  const reply = await model
    .ask(ask, AbortSignal.timeout(PATIENCE))
    .catch((error: unknown) => ({ kind: 'away' as const, why: 'unusable' as const, log: String(error) }))
  if (reply.kind === 'answer') {
    const { found, declined } = read(reply.answer)
    if (found !== undefined) {
      if (declined > 0) await giveBack(declined)
      return { found, creditsLeft: taken.left + declined }
    }
    await giveBack(credits)
    throw failure(declined > 0 ? 'declined' : 'unusable')
  }
  await giveBack(credits)
  if (ask.picture && reply.kind === 'refused' && isAboutPictures(reply.status)) throw failure('noPictures')
  if (reply.why === 'misconfigured')
    log.error({ why: reply.log }, 'the AI endpoint rejects requests: check AI_BASE_URL, AI_API_KEY and AI_MODEL')
  else log.warn({ why: reply.log }, 'the AI endpoint returned no suggestion')
  throw failure(reply.why)
}

const failure = (why: AiFailure) => fail('AI_PROMPT_GENERATION_ERROR', { detail: aiFailureText[why], meta: { why } })

/** How endpoints refuse an image that their model can't read: as a bad request, or as an unsupported type. */
const isAboutPictures = (status: number | undefined): boolean =>
  status === 400 || status === 404 || status === 415 || status === 422

async function pay(t: Payer, credits: number): Promise<{ orgId: string; month: string; left: number }> {
  const { valid, aiCreditsPerMonth: limit } = t.org.entitlements
  if (!valid) throw fail('PLAN_LIMIT', { meta: { gate: 'plan_expired' } })
  const month = monthOf(t.now)
  const used = await takeCredits(t.tx, t.org.orgId, { month, credits, limit })
  if (used === undefined) throw fail('PLAN_LIMIT', { detail: 'AI Credit Limit Reached', meta: { gate: 'ai_credits' } })
  return { orgId: t.org.orgId, month, left: limit - used }
}
