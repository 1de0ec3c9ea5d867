import { errorCatalog, type ErrorCode } from '#contract/errors.ts'
import { describePostProblem, problem, type PostProblem } from '#contract/postProblems.ts'

export type FailureFacts = {
  /** The message for people; the catalog's if absent. */
  detail?: string
  /** Messages by field path. */
  errors?: Record<string, string[]>
  /** What is wrong as a whole and by field path, for those who store a failure; `detail` and `errors` are worded from it. */
  problem?: PostProblem
  problems?: Record<string, PostProblem[]>
  /** Facts that the code promises, such as the gate of PLAN_LIMIT. */
  meta?: Record<string, unknown>
  cause?: unknown
}

/** An expected failure with a declared code. Mapped to problem details once, in http/. */
export class Failure extends Error {
  readonly code: ErrorCode
  readonly facts: FailureFacts
  constructor(code: ErrorCode, given: FailureFacts = {}) {
    const facts = worded(given)
    super(facts.detail ?? errorCatalog[code].detail, { cause: facts.cause })
    this.name = 'Failure'
    this.code = code
    this.facts = facts
  }
}

function worded(facts: FailureFacts): FailureFacts {
  const { problem: whole, problems } = facts
  if (!whole && !problems) return facts
  return {
    ...(whole && { detail: describePostProblem(whole) }),
    ...(problems && {
      errors: Object.fromEntries(Object.entries(problems).map(([at, list]) => [at, list.map(describePostProblem)])),
    }),
    ...facts,
  }
}

/** What a failure says is wrong, each at its field where it has one: by `problems`, else as a whole, at least by its code. */
export function problemsOf({ code, facts }: Failure): { at: string | null; problem: PostProblem }[] {
  const found = Object.entries(facts.problems ?? {}).flatMap(([at, list]) => list.map((one) => ({ at, problem: one })))
  return found.length > 0 ? found : [{ at: null, problem: facts.problem ?? problem('failed', { error: code }) }]
}

/** `throw fail('PLAN_LIMIT', { meta: { gate: 'channels' } })` */
export function fail(code: ErrorCode, facts?: FailureFacts): Failure {
  return new Failure(code, facts)
}
