import { errorCodes, Problem, type ErrorCode } from '#contract/errors.ts'

/**
 * Why a call failed. Besides the contract's codes: NETWORK (no response), TIMEOUT (none in time), UNREADABLE (a
 * response that isn't a problem document, such as a proxy's page), BAD_REPLY (a success that breaks the contract;
 * development and tests only).
 */
export type FailureCode = ErrorCode | 'NETWORK' | 'TIMEOUT' | 'UNREADABLE' | 'BAD_REPLY'

type Facts = {
  code: FailureCode
  status: number
  title: string
  /** The server's message for people; undefined if it sent none. */
  detail: string | undefined
  errors?: Record<string, string[]> | undefined
  meta?: Record<string, unknown> | undefined
  requestId?: string | undefined
}

/** Every failed call throws this, or an AbortError if its caller canceled it. */
export class ApiFailure extends Error {
  readonly code: FailureCode
  readonly status: number
  readonly title: string
  readonly detail: string | undefined
  /** Messages by field path, such as `email` or `channels.0.contents.0.text`. */
  readonly errors: Record<string, string[]>
  readonly meta: Record<string, unknown>
  readonly requestId: string | undefined

  constructor(facts: Facts, cause?: unknown) {
    super(facts.detail ?? facts.title, { cause })
    this.name = 'ApiFailure'
    this.code = facts.code
    this.status = facts.status
    this.title = facts.title
    this.detail = facts.detail
    this.errors = facts.errors ?? {}
    this.meta = facts.meta ?? {}
    this.requestId = facts.requestId
  }
}

export function isFailure(error: unknown, ...codes: FailureCode[]): error is ApiFailure {
  return error instanceof ApiFailure && (codes.length === 0 || codes.includes(error.code))
}

/** No response: offline, refused, or cut off. */
export function networkFailure(cause: unknown): ApiFailure {
  return new ApiFailure(
    {
      code: 'NETWORK',
      status: 0,
      title: 'No connection',
      detail: "We can't reach Rookery. Check your connection and try again.",
    },
    cause,
  )
}

/** A response that took too long. The change may still have been made. */
export function lateFailure(reads: boolean, cause: unknown): ApiFailure {
  const detail = `Rookery didn't respond in time. ${reads ? 'Try again.' : 'Your change may have been saved, so check before you try again.'}`
  return new ApiFailure({ code: 'TIMEOUT', status: 0, title: 'No response', detail }, cause)
}

/** Reads a refusal. The result is always an ApiFailure. */
export async function failureOf(response: Response): Promise<ApiFailure> {
  const text = await response.text().catch(() => '')
  const problem = Problem.safeParse(parseJson(text))
  if (problem.success) return new ApiFailure(problem.data)
  const title = response.statusText || `HTTP ${response.status}`
  const requestId = response.headers.get('x-request-id') ?? undefined
  const { status } = response
  // a proxy in front refused it, which has its own words
  if (status === 413)
    return new ApiFailure({ code: 'PAYLOAD_TOO_LARGE', status, title, detail: TOO_LARGE_FOR_PROXY, requestId })
  return new ApiFailure({ code: codeIn(text) ?? 'UNREADABLE', status, title, detail: undefined, requestId })
}

const TOO_LARGE_FOR_PROXY =
  'This is more than the proxy in front of Rookery lets through. Ask your Rookery administrator to raise its limit.'

/** A newer server may add or drop fields; its code still counts. */
function codeIn(text: string): ErrorCode | undefined {
  const json = parseJson(text)
  if (typeof json !== 'object' || json === null || !('code' in json)) return undefined
  // another spelling of the same
  if (json.code === 'CODE_EXPIRED') return 'EXPIRED_CODE'
  return errorCodes.find((code) => code === json.code)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
