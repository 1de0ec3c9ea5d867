import { describePostProblem, problem, type PostProblem } from '#contract/postProblems.ts'
import type { PostAction, PostState } from '#contract/postStates.ts'
import { fail } from '../errors.ts'

const lockedBy = (action: PostAction, state: PostState): PostProblem => problem('post-locked', { action, state })

/** Why a status doesn't allow the action, as a message. */
export const whyLocked = (action: PostAction, state: PostState): string => describePostProblem(lockedBy(action, state))

/** POST_LOCKED with the reason, and the status for the screens. */
export const locked = (action: PostAction, state: PostState) =>
  fail('POST_LOCKED', { problem: lockedBy(action, state), meta: { state } })
