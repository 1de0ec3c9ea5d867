import { errorCatalog, type ErrorCode } from '#contract/errors.ts'

export type FailureFacts = {
  /** The sentence for people; the catalog's when absent. */
  detail?: string
  /** Messages by field path. */
  errors?: Record<string, string[]>
  /** Facts that the code promises, such as the gate of PLAN_LIMIT. */
  meta?: Record<string, unknown>
  cause?: unknown
}

/** An expected failure with a declared code. Mapped to problem details once, in http/. */
export class Failure extends Error {
  readonly code: ErrorCode
  readonly facts: FailureFacts
  constructor(code: ErrorCode, facts: FailureFacts = {}) {
    super(facts.detail ?? errorCatalog[code].detail, { cause: facts.cause })
    this.name = 'Failure'
    this.code = code
    this.facts = facts
  }
}

/** `throw fail('PLAN_LIMIT', { meta: { gate: 'channels' } })` */
export function fail(code: ErrorCode, facts?: FailureFacts): Failure {
  return new Failure(code, facts)
}
