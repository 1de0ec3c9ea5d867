import { z } from 'zod'
import { BulkColumn, type BulkRemark } from './bulk.ts'
import { describePostProblem, StoredProblem } from './postProblems.ts'

/** Why a confirmed row wasn't scheduled, or an undone one kept something: stored as facts, worded when it's read. */
export const BulkProblem = z.discriminatedUnion('code', [
  /** Scheduling it failed repeatedly. */
  z.object({ code: z.literal('broken') }),
  z.object({ code: z.literal('not-accepted'), column: BulkColumn.nullable(), problem: StoredProblem }),
  z.object({ code: z.literal('post-published') }),
  z.object({ code: z.literal('post-unconfirmed') }),
  z.object({ code: z.literal('post-being-sent') }),
])
export type BulkProblem = z.infer<typeof BulkProblem>

/** As rows store it. Nothing new is written with `refused`: it contains a sentence from before refusals had codes. */
export const StoredBulkProblem = z.union([
  BulkProblem,
  z.object({ code: z.literal('refused'), column: BulkColumn.nullable(), words: z.string() }),
])
export type StoredBulkProblem = z.infer<typeof StoredBulkProblem>

const messages: Record<Exclude<BulkProblem['code'], 'not-accepted'>, string> = {
  broken: 'Something went wrong. Please Try again later.',
  'post-published': "This post was already published, so it wasn't undone. You can delete it on its own.",
  'post-unconfirmed':
    "We don't know yet whether this post was published, so it wasn't undone. Open it and tell us what happened.",
  'post-being-sent': 'This post is being published right now. Wait a few seconds, then try again.',
}

/** A row's problem as a sentence. */
export function describeBulkProblem(problem: StoredBulkProblem): BulkRemark {
  if (problem.code === 'refused') return { column: problem.column, message: problem.words }
  return problem.code === 'not-accepted'
    ? { column: problem.column, message: describePostProblem(problem.problem) }
    : { column: null, message: messages[problem.code] }
}
