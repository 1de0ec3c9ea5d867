import type { z } from 'zod'
import type { Reach } from '../platform.ts'
import type { SafeAnswer, StreamedBody } from '../safeHttp.ts'
import { fetchBound, type DpopKey } from './dpop.ts'
import { XrpcError } from './schemas.ts'

/** Why a call got no usable response. */
export type Failed =
  /** Nothing was sent. */
  | { kind: 'failed'; cause: 'unsent'; addressRefused: boolean; detail: string }
  /** It may have arrived; there was no response, or one that can't be parsed. */
  | { kind: 'failed'; cause: 'lost' | 'garbled'; detail: string }
  /** The server responded with an error. `code` is empty if it isn't in the AT Protocol's format. */
  | {
      kind: 'failed'
      cause: 'answered'
      status: number
      code: string
      message: string
      waitSeconds: number | undefined
    }

/** A token, and the key that it's bound to if it came by OAuth. */
export type Token = { token: string; key?: DpopKey }

export type Call<T> = {
  /** The server's origin. */
  service: string
  /** The method's name, such as com.atproto.repo.createRecord. */
  nsid: string
  /** A list is sent as a repeated parameter. */
  params?: Record<string, string | readonly string[]>
  /** JSON, or a file with its type. A call with neither is a GET unless `post` is set. */
  json?: unknown
  file?: { body: Uint8Array | StreamedBody; contentType: string }
  post?: boolean
  as?: Token
  /** The service that the account's server should ask on the account's behalf, such as chat. */
  proxy?: string
  reply: z.ZodType<T>
  /** Parse error responses as well: the video service responds to a video that it already has with 409 and its job. */
  readsErrors?: boolean
  timeoutMs: number
}

const MAX_ANSWER = 1_000_000
const DAY_SECONDS = 86_400

/** Calls one method of the AT Protocol and parses its response. Never throws. */
export async function xrpc<T>(reach: Reach, call: Call<T>): Promise<{ kind: 'ok'; value: T } | Failed> {
  const query = call.params
    ? `?${new URLSearchParams(Object.entries(call.params).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one]))).toString()}`
    : ''
  const body = call.json === undefined ? call.file?.body : JSON.stringify(call.json)
  const contentType = call.json === undefined ? call.file?.contentType : 'application/json'
  const url = `${call.service}/xrpc/${call.nsid}${query}`
  const request = {
    method: body === undefined && !call.post ? ('GET' as const) : ('POST' as const),
    headers: {
      accept: 'application/json',
      ...(contentType ? { 'content-type': contentType } : {}),
      ...(call.proxy === undefined ? {} : { 'atproto-proxy': call.proxy }),
      ...(call.as && !call.as.key ? { authorization: `Bearer ${call.as.token}` } : {}),
    },
    ...(body === undefined ? {} : { body }),
    timeoutMs: call.timeoutMs,
    maxBytes: MAX_ANSWER,
  }
  const answer = call.as?.key
    ? await fetchBound(reach, url, request, call.as.token, call.as.key)
    : await reach.fetch(url, { ...request, signal: reach.signal })
  if (answer.kind === 'answer' && answer.status >= 200 && answer.status < 300) {
    const parsed = call.reply.safeParse(readJson(answer.body))
    return parsed.success
      ? { kind: 'ok', value: parsed.data }
      : { kind: 'failed', cause: 'garbled', detail: `${call.nsid} answered ${answer.status} with something else` }
  }
  if (call.readsErrors && answer.kind === 'answer' && answer.status < 500) {
    const parsed = call.reply.safeParse(readJson(answer.body))
    if (parsed.success) return { kind: 'ok', value: parsed.data }
  }
  return failedBy(answer)
}

/** What an unsuccessful response means. */
export function failedBy(answer: SafeAnswer): Failed {
  if (answer.kind === 'unsent')
    return { kind: 'failed', cause: 'unsent', addressRefused: answer.why === 'address-refused', detail: answer.detail }
  if (answer.kind === 'lost') return { kind: 'failed', cause: 'lost', detail: `${answer.why}: ${answer.detail}` }
  if (answer.status < 400) return { kind: 'failed', cause: 'garbled', detail: `answered ${answer.status}` }
  const error = XrpcError.safeParse(readJson(answer.body))
  return {
    kind: 'failed',
    cause: 'answered',
    status: answer.status,
    code: error.success ? error.data.error : '',
    message: (error.success ? error.data.message : undefined) ?? '',
    waitSeconds: waitOf(answer.headers),
  }
}

export function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    // invalid JSON fails the schema that it's parsed with next
    return undefined
  }
}

/**
 * How long the server asks to wait: Retry-After in seconds, or RateLimit-Reset, a unix time that is read against the
 * server's own clock (bluesky-social/atproto, packages/xrpc-server rate-limiter-http). A day at most.
 */
function waitOf(headers: Record<string, string>): number | undefined {
  const after = headers['retry-after']
  if (after && /^\d+$/.test(after)) return Math.min(Number(after), DAY_SECONDS)
  const reset = headers['ratelimit-reset']
  const date = Date.parse(headers.date ?? '')
  if (!reset || !/^\d+$/.test(reset) || Number.isNaN(date)) return undefined
  return Math.min(Math.max(1, Math.ceil(Number(reset) - date / 1000)), DAY_SECONDS)
}
