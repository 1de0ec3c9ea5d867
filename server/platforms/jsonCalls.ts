import type { Doing } from '#contract/failures/calls.ts'
import { because, type Reason } from '#contract/failures/catalog.ts'
import type { z } from 'zod'
import type { Reach, Refusal } from './platform.ts'
import type { SafeRequest, StreamedBody } from './safeHttp.ts'
import { jsonIn, multipart, retryAfter, type FilePart } from './wire.ts'
import { sentence } from './quotes.ts'

/*
 * Calls of platforms with a plain JSON API, such as Mastodon, X and Google: a token in the header, JSON or a form as
 * the request, JSON as the response, streamed files. Each platform interprets its own errors.
 */

/** Why a call got no usable response. */
export type RestFailed =
  /** Nothing was sent. */
  | { kind: 'failed'; cause: 'unsent'; detail: string; addressRefused?: boolean }
  /** It may have arrived; there was no response, or one that can't be parsed. */
  | { kind: 'failed'; cause: 'lost' | 'garbled'; detail: string }
  | RestAnswered
/** The platform refused. `json` is the response; undefined if it isn't JSON. */
export type RestAnswered = {
  kind: 'failed'
  cause: 'answered'
  status: number
  headers: Record<string, string>
  json: unknown
}

export type RestCall<T> = {
  url: string
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  token?: string
  headers?: Record<string, string>
  /** Absent values are left out. */
  query?: Record<string, string | undefined>
  json?: unknown
  form?: Record<string, string>
  /** Sent as a form with a file, or a piece of it, after the fields. */
  file?: FilePart & { fields?: Record<string, string> }
  /** Sent unchanged. */
  raw?: { body: StreamedBody | string; contentType?: string }
  /** An empty response is parsed as undefined. */
  reply: z.ZodType<T>
  timeoutMs: number
}

export type RestAnswer<T> = { kind: 'ok'; value: T; status: number; headers: Record<string, string> } | RestFailed

const MAX_ANSWER = 2_000_000

/** Makes one call and parses its response. Never throws. A 3xx without a location counts as a refusal. */
export async function rest<T>(reach: Reach, call: RestCall<T>): Promise<RestAnswer<T>> {
  const query = new URLSearchParams(present(call.query ?? {})).toString()
  const { body, headers } = bodyOf(call)
  const answer = await reach.fetch(query ? `${call.url}?${query}` : call.url, {
    method: call.method ?? 'GET',
    headers: {
      accept: 'application/json',
      ...headers,
      ...call.headers,
      ...(call.token !== undefined && { authorization: `Bearer ${call.token}` }),
    },
    ...(body !== undefined && { body }),
    timeoutMs: call.timeoutMs,
    maxBytes: MAX_ANSWER,
    signal: reach.signal,
  })
  if (answer.kind === 'unsent')
    return {
      kind: 'failed',
      cause: 'unsent',
      detail: `${answer.why}: ${answer.detail}`,
      addressRefused: answer.why === 'address-refused',
    }
  if (answer.kind === 'lost') return { kind: 'failed', cause: 'lost', detail: `${answer.why}: ${answer.detail}` }
  const { status } = answer
  const json = jsonIn(new TextDecoder().decode(answer.body))
  if (status >= 300) return { kind: 'failed', cause: 'answered', status, headers: answer.headers, json }
  const parsed = call.reply.safeParse(json)
  return parsed.success
    ? { kind: 'ok', value: parsed.data, status, headers: answer.headers }
    : { kind: 'failed', cause: 'garbled', detail: `answered ${status} with something else` }
}

const present = (fields: Record<string, string | undefined>): [string, string][] =>
  Object.entries(fields).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]))

function bodyOf({ raw, file, form, json }: RestCall<unknown>): {
  body?: SafeRequest['body']
  headers: Record<string, string>
} {
  if (raw) return { body: raw.body, headers: raw.contentType ? { 'content-type': raw.contentType } : {} }
  if (file) return multipart(Object.entries(file.fields ?? {}), file)
  if (form)
    return {
      body: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }
  return json === undefined
    ? { headers: {} }
    : { body: JSON.stringify(json), headers: { 'content-type': 'application/json' } }
}

/** What we were doing, to complete the sentence "X didn't ...", and whether it could have created a post. */
export type Step = { doing: Doing; irreversible: boolean }

/**
 * The failures that mean the same everywhere: no connection, no response, a problem at the platform. Undefined for a
 * refusal.
 */
export function troubleOf(failed: RestFailed, label: string, { doing, irreversible }: Step): Refusal | undefined {
  if (failed.cause === 'unsent' && failed.addressRefused)
    return {
      kind: 'retry',
      reason: { ...because('address-not-public', { platform: label }), platformCode: 'address-refused' },
    }
  if (failed.cause === 'unsent')
    return { kind: 'retry', reason: { ...because('unreachable', { platform: label }), platformCode: 'unreachable' } }
  if (failed.cause === 'answered' && failed.status < 500) return undefined
  const platformCode = failed.cause === 'answered' ? String(failed.status) : failed.cause
  // a 5xx proves nothing: a proxy may have passed the call on
  if (irreversible)
    return { kind: 'unknown', reason: { ...because('maybe-done', { platform: label, doing }), platformCode } }
  const code = failed.cause === 'answered' ? 'platform-trouble' : 'answer-lost'
  const wait = failed.cause === 'answered' ? retryAfter(failed.headers) : undefined
  return {
    kind: 'retry',
    ...(wait !== undefined && { afterSeconds: wait }),
    reason: { ...because(code, { platform: label, doing }), platformCode },
  }
}

/** Too many calls: the whole account waits, five minutes if the platform names no time. */
export const slowDown = (label: string, waitSeconds: number | undefined, platformCode: string): Refusal => ({
  kind: 'retry',
  afterSeconds: waitSeconds ?? 300,
  closesBudget: true,
  reason: { ...because('slow-down', { platform: label }), platformCode },
})

/** A refusal in the platform's own words. */
export const refusedBy = (label: string, doing: Doing, words: string, platformCode: string): Reason => ({
  ...because('refused', { platform: label, doing, words: sentence(words || platformCode) }),
  platformCode,
})

/** A lookup without a result refuses no post, because what can't be read may still exist. */
export const unsure = (refusal: Refusal): Refusal =>
  refusal.kind === 'rejected' ? { kind: 'unknown', reason: refusal.reason } : refusal
