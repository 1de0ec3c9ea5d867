import { STATUS_CODES } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import { errorCatalog, type ErrorCode, type Problem } from '#contract/errors.ts'
import { waitText } from '#contract/format.ts'
import { isConnectionLoss } from '../db/connectionLoss.ts'
import { DISK_FULL } from '../db/diskWatch.ts'
import { Failure, type FailureFacts } from '../errors.ts'

/** The problem details of a code (RFC 9457). */
export function problemOf(code: ErrorCode, facts: FailureFacts, requestId: string): Problem {
  const { status, detail } = errorCatalog[code]
  return {
    type: `urn:rookery:error:${code.toLowerCase().replaceAll('_', '-')}`,
    title: STATUS_CODES[status] ?? code,
    status,
    detail: facts.detail ?? tooMany(code, facts) ?? detail,
    code,
    ...(facts.errors && { errors: facts.errors }),
    ...(facts.meta && { meta: facts.meta }),
    requestId,
  }
}

/** A limit that knows when it ends says so. */
function tooMany(code: ErrorCode, { meta }: FailureFacts): string | undefined {
  const wait = meta?.['retryAfterSeconds']
  if ((code !== 'RATE_LIMITED' && code !== 'LIMIT_EXCEEDED') || typeof wait !== 'number') return undefined
  return `Too many attempts. Try again in ${waitText(wait)}.`
}

/**
 * Zod's issues as messages by field path. A blank field has just one, because the other rules it breaks say nothing
 * more.
 */
export function fieldErrors(error: z.ZodError, input: unknown): Record<string, string[]> {
  const errors: Record<string, string[]> = {}
  for (const { path, message } of error.issues) {
    const told = (errors[path.join('.')] ??= [])
    if (told.length === 0 || !isBlank(valueAt(input, path))) told.push(message)
  }
  return errors
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined), input)

/** The message for an unknown path below /api. */
export const NO_CALL = "This endpoint doesn't exist."

/** Sends a failure as problem details (RFC 9457), with Retry-After if its facts have seconds. */
export function sendProblem(reply: FastifyReply, code: ErrorCode, facts: FailureFacts = {}): FastifyReply {
  const problem = problemOf(code, facts, reply.request.id)
  const wait = facts.meta?.['retryAfterSeconds']
  if (typeof wait === 'number') void reply.header('retry-after', String(Math.ceil(wait)))
  return reply.code(problem.status).type('application/problem+json').serializer(String).send(JSON.stringify(problem))
}

/** SQLSTATE codes of an overloaded database: the request isn't wrong and may be repeated. */
const overloaded = new Set(['55P03', '40001', '40P01'])
const STATEMENT_TIMEOUT = '57014'
const TOOK_TOO_LONG =
  'This request took too long, so we stopped it. Nothing was changed. Try again in a few seconds, or request less data.'
const COME_BACK = { retryAfterSeconds: 5 }
const NO_SPACE =
  "This wasn't saved, because the server's disk is full. Ask your Rookery administrator to free space, then try again."

/** Anything that was thrown, as a declared failure; undeclared errors are INTERNAL and belong in the log. */
export function failureOf(thrown: unknown): { failure: Failure; unexpected: boolean } {
  if (thrown instanceof Failure) return { failure: thrown, unexpected: false }
  const code = codeOf(thrown)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return { failure: new Failure('PAYLOAD_TOO_LARGE'), unexpected: false }
  if (code === 'FST_ERR_BAD_URL')
    return { failure: new Failure('BAD_INPUT', { detail: "This URL isn't valid." }), unexpected: false }
  if (code === 'FST_STATIC_FORBIDDEN_PATH' || code === 'FST_ERR_MAX_PARAM_LENGTH')
    return { failure: new Failure('NOT_FOUND'), unexpected: false }
  if (code?.startsWith('FST_ERR_CTP') || thrown instanceof SyntaxError)
    return { failure: new Failure('BAD_INPUT', { detail: "The body isn't valid JSON." }), unexpected: false }
  if (code === STATEMENT_TIMEOUT)
    return {
      failure: new Failure('UNAVAILABLE', { cause: thrown, detail: TOOK_TOO_LONG, meta: COME_BACK }),
      unexpected: true,
    }
  // the log says so once, when it begins
  if (code === DISK_FULL)
    return {
      failure: new Failure('UNAVAILABLE', { cause: thrown, detail: NO_SPACE, meta: { retryAfterSeconds: 30 } }),
      unexpected: false,
    }
  if ((code && overloaded.has(code)) || isConnectionLoss(thrown))
    return { failure: new Failure('UNAVAILABLE', { cause: thrown, meta: COME_BACK }), unexpected: true }
  return { failure: new Failure('INTERNAL', { cause: thrown }), unexpected: true }
}

/** The code of a database or socket error, if it has one. */
export function codeOf(thrown: unknown): string | undefined {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string'
    ? thrown.code
    : undefined
}
