import { z } from 'zod'
import { BulkColumn, type BulkRemark } from './bulk.ts'

/** Why a confirmed row wasn't scheduled, or an undone one kept something: stored as facts, worded at reading. */
export const BulkProblem = z.discriminatedUnion('code', [
  /** Scheduling it broke again and again. */
  z.object({ code: z.literal('broken') }),
  /** What the refusal said, which quotes the row's own values. */
  z.object({ code: z.literal('refused'), column: BulkColumn.nullable(), words: z.string() }),
  z.object({ code: z.literal('post-published') }),
  z.object({ code: z.literal('post-unconfirmed') }),
  z.object({ code: z.literal('post-being-sent') }),
])
export type BulkProblem = z.infer<typeof BulkProblem>

const messages: Record<Exclude<BulkProblem['code'], 'refused'>, string> = {
  broken: 'Something went wrong. Please Try again later.',
  'post-published': "This post was already published, so it wasn't undone. You can delete it on its own.",
  'post-unconfirmed':
    "We don't know yet whether this post was published, so it wasn't undone. Open it and tell us what happened.",
  'post-being-sent': 'This post is being published right now. Wait a few seconds, then try again.',
}

/** A row's problem in words. */
export const describeBulkProblem = (problem: BulkProblem): BulkRemark =>
  problem.code === 'refused'
    ? { column: problem.column, message: problem.words }
    : { column: null, message: messages[problem.code] }
