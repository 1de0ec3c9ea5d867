import type { z } from 'zod'
import { looseAddressOf } from '#contract/address.ts'
import type { CallOf, EndpointShape, ReplyOf } from '#contract/endpoint.ts'
import { connection } from './connection.ts'
import { forgetReplies, takeReply } from './earlyData.ts'
import { ApiFailure, failureOf, lateFailure, networkFailure } from './failure.ts'

export { isFailure } from './failure.ts'

export type CallExtras = {
  signal?: AbortSignal | undefined
  /** For idempotent endpoints: the same key returns the same reply for 24 h. See newIdempotencyKey(). */
  idempotencyKey?: string | undefined
}

type Input<E extends EndpointShape> = CallOf<E> & CallExtras
/** The input may be left out when the endpoint asks for none. */
export type CallArgs<E extends EndpointShape> = object extends CallOf<E> ? [input?: Input<E>] : [input: Input<E>]

/**
 * Calls one endpoint of the contract. Resolves to its parsed reply; throws ApiFailure for every refusal and for a lost
 * connection (code NETWORK) or a response that takes too long (TIMEOUT), and the caller's AbortError when `signal`
 * fires. Nothing is retried here.
 */
export async function call<E extends EndpointShape>(endpoint: E, ...args: CallArgs<E>): Promise<ReplyOf<E>> {
  const { body } = await answer(endpoint, partsOf(args[0]))
  // the contract's type is true of it: the server writes replies through the same schema, and development parses it
  return (checksReplies ? checked(endpoint, body) : body) as ReplyOf<E>
}

/**
 * The same with a held reply and its tag. `reply` is undefined while it's unchanged; `tag` is the one for the next
 * call.
 */
export async function callIfChanged<E extends EndpointShape>(
  endpoint: E,
  tag: string | undefined,
  ...args: CallArgs<E>
): Promise<{ reply: ReplyOf<E> | undefined; tag: string | undefined }> {
  const { status, etag, body } = await answer(endpoint, { ...partsOf(args[0]), tag })
  if (status === NOT_MODIFIED) return { reply: undefined, tag: etag ?? tag }
  // as in call()
  return { reply: (checksReplies ? checked(endpoint, body) : body) as ReplyOf<E>, tag: etag }
}

const NOT_MODIFIED = 304
type Answer = { status: number; etag: string | undefined; body: unknown }

async function answer(endpoint: EndpointShape, input: Parts): Promise<Answer> {
  const reads = endpoint.method === 'GET'
  const limit = timeLimit(reads ? LONGEST.read : LONGEST.change, input.signal)
  return await answerOf(endpoint, input, limit.signal)
    .catch((error: unknown) => {
      throw limit.isOver() ? lateFailure(reads, error) : error
    })
    .finally(limit.end)
}

/** An endpoint's URL, for links, downloads and streams. */
export function addressOf<E extends EndpointShape>(endpoint: E, ...args: CallArgs<E>): string {
  return looseAddressOf(endpoint, partsOf(args[0]))
}

export function newIdempotencyKey(): string {
  return crypto.randomUUID()
}

const checksReplies = import.meta.env.DEV || import.meta.env.MODE === 'test'

type Parts = CallExtras & {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  tag?: string | undefined
}

/** The typed input as loose parts; CallOf has checked it for the caller. */
function partsOf(input: object | undefined): Parts {
  return input ?? {}
}

/**
 * How long a call may take, in milliseconds: far more than the server allows itself, whose longest change imports a
 * file (110 s). Uploads and streams use their URLs and may take as long as they want.
 */
const LONGEST = { read: 60_000, change: 180_000 }

/** A signal that fires with the caller's own, or when the time is over. */
function timeLimit(milliseconds: number, signal: AbortSignal | undefined) {
  const limited = new AbortController()
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    limited.abort()
  }, milliseconds)
  const follow = () => limited.abort(signal?.reason)
  if (signal?.aborted) follow()
  signal?.addEventListener('abort', follow)
  return {
    signal: limited.signal,
    isOver: () => isOver && !signal?.aborted,
    end: () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', follow)
    },
  }
}

async function answerOf(endpoint: EndpointShape, input: Parts, signal: AbortSignal): Promise<Answer> {
  if (endpoint.method !== 'GET') forgetReplies()
  const early = takeReply(looseAddressOf(endpoint, input))
  if (early) return { status: 200, etag: undefined, body: early.reply }
  const response = await send(endpoint, input, signal)
  const { status } = response
  const etag = response.headers.get('etag') ?? undefined
  if (status === NOT_MODIFIED && input.tag !== undefined) return { status, etag, body: undefined }
  if (!response.ok) throw await failureOf(response)
  // 'stream' and 'bytes' are read by their URL (see addressOf), not through here
  return { status, etag, body: await bodyOf(response, input) }
}

async function send(endpoint: EndpointShape, input: Parts, signal: AbortSignal): Promise<Response> {
  const headers = new Headers({ accept: 'application/json, application/problem+json' })
  const init: RequestInit = { method: endpoint.method, credentials: 'include', headers, signal }
  if (input.body !== undefined) {
    headers.set('content-type', 'application/json')
    init.body = JSON.stringify(input.body)
  }
  if (input.tag) headers.set('if-none-match', input.tag)
  if (input.idempotencyKey) headers.set('idempotency-key', input.idempotencyKey)
  try {
    const response = await fetch(looseAddressOf(endpoint, input), init)
    connection.heard(response.status)
    return response
  } catch (cause) {
    if (input.signal?.aborted) throw cause
    void connection.check()
    throw networkFailure(cause)
  }
}

/** A response cut off halfway is a lost connection; one that isn't JSON came from something other than Rookery. */
async function bodyOf(response: Response, input: Parts): Promise<unknown> {
  let text: string
  try {
    text = await response.text()
  } catch (cause) {
    if (input.signal?.aborted) throw cause
    throw networkFailure(cause)
  }
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch (cause) {
    throw new ApiFailure(
      { code: 'UNREADABLE', status: response.status, title: 'Unreadable response', detail: undefined },
      cause,
    )
  }
}

function checked(endpoint: EndpointShape, reply: unknown): unknown {
  if (typeof endpoint.reply === 'string') return reply
  const schema: z.ZodType = endpoint.reply
  const parsed = schema.safeParse(reply)
  if (parsed.success) return parsed.data
  console.error(`${endpoint.method} ${endpoint.path} broke its contract`, parsed.error.issues)
  throw new ApiFailure({ code: 'BAD_REPLY', status: 200, title: 'Broken contract', detail: undefined }, parsed.error)
}
