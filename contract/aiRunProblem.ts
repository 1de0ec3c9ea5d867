import { z } from 'zod'
import { AiFailure, aiFailureText } from './aiFailure.ts'
import { errorCatalog } from './errors.ts'
import { wordsOf } from './failures/catalog.ts'
import { StoredReason } from './failures/define.ts'

/**
 * Why a channel got no AI drafts: stored as a code with parameters and worded by `describeAiRunProblem` where it's
 * shown.
 */
export const AiRunProblem = z.discriminatedUnion('code', [
  /** The model gave none. */
  z.object({ code: z.literal('ai'), why: AiFailure }),
  /** The channel's posts couldn't be read. */
  z.object({ code: z.literal('platform'), reason: StoredReason }),
  z.object({ code: z.literal('no-posts') }),
  z.object({ code: z.literal('out-of-credits') }),
  z.object({ code: z.literal('plan-ended') }),
  z.object({ code: z.literal('not-set-up') }),
  z.object({ code: z.literal('disconnected') }),
  /** Every attempt failed. */
  z.object({ code: z.literal('broken') }),
])
export type AiRunProblem = z.infer<typeof AiRunProblem>

/** A problem as a sentence: what happened, and what the person can do next. */
export function describeAiRunProblem(problem: AiRunProblem): string {
  switch (problem.code) {
    case 'ai':
      return aiFailureText[problem.why]
    case 'platform':
      return wordsOf(problem.reason)
    case 'no-posts':
      return errorCatalog.NO_POSTS_FOUND.detail
    case 'out-of-credits':
      return 'AI Credit Limit Reached'
    case 'plan-ended':
      return 'Your plan has ended. Choose one to get drafts.'
    case 'not-set-up':
      return errorCatalog.AI_NOT_SET_UP.detail
    case 'disconnected':
      return 'The channel was disconnected.'
    case 'broken':
      break
  }
  return errorCatalog.AI_PROMPT_GENERATION_ERROR.detail
}
