import { z } from 'zod'
import type { Budget, Reach } from './platform.ts'
import type { SafeRequest, StreamedBody } from './safeHttp.ts'
import { jsonIn, multipart, retryAfter, type FilePart } from './wire.ts'

/*
 * Calls of Meta's Graph API, which Facebook, Instagram and Threads share: nodes and edges by path, forms, one format of
 * errors. The token is sent in a header, so it's in no URL and no log.
 */

/** Why a call got no usable response. */
export type GraphFailed =
  /** Nothing was sent. */
  | { kind: 'failed'; cause: 'unsent'; detail: string }
  /** It may have arrived; there was no response, or one that can't be parsed. */
  | { kind: 'failed'; cause: 'lost' | 'garbled'; detail: string }
  /** The platform responded with an error. `code` is 0 if it isn't in the Graph API's format. */
  | {
      kind: 'failed'
      cause: 'answered'
      status: number
      code: number
      subcode: number
      message: string
      forPeople: string
      transient: boolean
      waitSeconds: number | undefined
      data: unknown
    }

export type GraphCall<T> = {
  /** Origin and version, such as https://graph.facebook.com/v25.0, or a full URL with an empty path. */
  base: string
  path: string
  method?: 'GET' | 'POST' | 'DELETE'
  /** Upload hosts require `OAuth`. */
  token?: string
  scheme?: 'Bearer' | 'OAuth'
  query?: Record<string, string>
  /** Sent as a form; absent values are left out. */
  form?: Record<string, string | undefined>
  /** Sent as a form with a file in it. */
  file?: FilePart
  /** Sent unchanged, with its own headers. */
  raw?: { body: StreamedBody; headers: Record<string, string> }
  reply: z.ZodType<T>
  timeoutMs: number
}

/** Roughly how many calls each use makes, for budgets that count all calls to an account. */
const CALLS: Budget['cost'] = {
  prepare: 2,
  send: 2,
  poll: 1,
  readback: 1,
  reconcile: 2,
  followUp: 2,
  reconcileFollowUp: 2,
  metrics: 1,
  ownPosts: 3,
  competitor: 1,
  inbox: 1,
  reply: 1,
  lookup: 1,
}

const DAY_SECONDS = 86_400
/**
 * Meta's rate limit for Pages, Instagram and Threads accounts: 4800 calls in 24 hours for each engaged person (Pages)
 * or impression (the others) in those hours (developers.facebook.com/docs/graph-api/overview/rate-limiting;
 * docs/threads/overview). We don't know how many there were, so we count with the `least`: one, or the 10 that Threads
 * assumes. An account with more waits here although the platform would accept more; one that is limited earlier gets an
 * error with the time to wait (X-Business-Use-Case-Usage).
 */
export const callsOf = (least: number): Budget => ({
  name: 'calls-day',
  per: 'channel',
  windowSeconds: DAY_SECONDS,
  tokens: 4800 * least,
  cost: CALLS,
})

/**
 * All calls of an app: 200 an hour for each of its users of that day, whose number we don't know. So the limit is too
 * high to be reached, and closes when Meta says that it's used up (error 4).
 */
export const APP = 'app-hour'
export const callsOfApp: Budget = {
  name: APP,
  per: 'credentials',
  windowSeconds: 3600,
  tokens: 1_000_000_000,
  cost: CALLS,
}

const MAX_ANSWER = 2_000_000

const Paging = z.object({ next: z.string().nullable().catch(null) }).catch({ next: null })
/**
 * A page of an edge. A response that can't be parsed isn't an empty list, which would mean that a post doesn't exist.
 * `next` is absent on the last page, where cursors may still be present (Graph API, paginated results).
 */
export const edgeOf = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), paging: Paging.default({ next: null }) })

/**
 * The parameters that identify a page in a `next` URL: cursors, times, or an offset. The URL itself is never followed
 * because it contains a token.
 */
const placesOfPage = ['after', 'until', '__paging_token', 'offset']

/** The query for the page that `next` leads to; empty for the first. */
export function pageQuery(next: string | null): Record<string, string> {
  const query = next !== null && URL.canParse(next) ? new URL(next).searchParams : new URLSearchParams()
  return Object.fromEntries(placesOfPage.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? '']] : [])))
}

/** The page that `next` leads to, without the URL's token, so it can be stored; null on the last page. */
export const placeIn = (next: string | null): string | null => {
  const place = new URLSearchParams(pageQuery(next)).toString()
  return place === '' ? null : place
}
/** The query for a stored page; empty for the first. */
export const atPlace = (place: string | null): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(place ?? ''))

/** Some responses have numbers as text. */
const Code = z.coerce.number().int().catch(0)
const GraphError = z.object({
  error: z.object({
    message: z.string().catch(''),
    code: Code,
    error_subcode: Code,
    is_transient: z.boolean().catch(false),
    error_user_msg: z.string().catch(''),
    error_data: z.unknown().optional(),
  }),
})
/** The sign-in hosts have their own error format. A failed container also has an error_message, and is no error. */
const FlatError = z.object({ error_type: z.string(), error_message: z.string(), code: Code })

/** Calls the Graph API and parses its response. Never throws. `date` is the platform's clock, if it sends one. */
export async function graph<T>(
  reach: Reach,
  call: GraphCall<T>,
): Promise<{ kind: 'ok'; value: T; headers: Record<string, string> } | GraphFailed> {
  const query = call.query && Object.keys(call.query).length > 0 ? `?${new URLSearchParams(call.query).toString()}` : ''
  const { body, headers } = bodyOf(call)
  const answer = await reach.fetch(`${call.base}${call.path}${query}`, {
    method: call.method ?? 'GET',
    headers: {
      accept: 'application/json',
      ...headers,
      ...(call.token && { authorization: `${call.scheme ?? 'Bearer'} ${call.token}` }),
    },
    ...(body !== undefined && { body }),
    timeoutMs: call.timeoutMs,
    maxBytes: MAX_ANSWER,
    signal: reach.signal,
  })
  if (answer.kind === 'unsent') return { kind: 'failed', cause: 'unsent', detail: answer.detail }
  if (answer.kind === 'lost') return { kind: 'failed', cause: 'lost', detail: `${answer.why}: ${answer.detail}` }
  const json = jsonOf(answer.body)
  const problem = errorIn(json)
  // an error can have status 200; a refusal that isn't in the API's format comes from something in between
  if (answer.status >= 400 || problem) {
    const {
      message = '',
      code = 0,
      error_subcode: subcode = 0,
      is_transient: transient = false,
      error_user_msg: forPeople = '',
      error_data: data,
    } = problem ?? {}
    return {
      kind: 'failed',
      cause: 'answered',
      status: answer.status,
      code,
      subcode,
      message,
      forPeople,
      transient,
      waitSeconds: waitOf(answer.headers),
      data,
    }
  }
  const parsed = call.reply.safeParse(json)
  return parsed.success
    ? { kind: 'ok', value: parsed.data, headers: answer.headers }
    : { kind: 'failed', cause: 'garbled', detail: `${call.path} answered ${answer.status} with something else` }
}

type Problem = {
  message: string
  code: number
  error_subcode: number
  is_transient: boolean
  error_user_msg: string
  error_data?: unknown
}

function errorIn(json: unknown): Problem | undefined {
  const nested = GraphError.safeParse(json)
  if (nested.success) return nested.data.error
  const flat = FlatError.safeParse(json)
  return flat.success
    ? {
        message: flat.data.error_message,
        code: flat.data.code,
        error_subcode: 0,
        is_transient: false,
        error_user_msg: '',
      }
    : undefined
}

function bodyOf(call: GraphCall<unknown>): { body?: SafeRequest['body']; headers: Record<string, string> } {
  if (call.raw) return { body: call.raw.body, headers: call.raw.headers }
  const fields = Object.entries(call.form ?? {}).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  )
  if (call.file) return multipart(fields, call.file)
  // a POST without fields still sends an empty form
  if (call.method !== 'POST') return { headers: {} }
  return {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }
}

/**
 * How long the platform asks to wait: Retry-After in seconds, or the minutes in its usage headers
 * (developers.facebook.com/docs/graph-api/overview/rate-limiting). At most a day.
 */
function waitOf(headers: Record<string, string>): number | undefined {
  const named = retryAfter(headers)
  if (named !== undefined) return named
  const usage = Usage.safeParse(jsonIn(headers['x-business-use-case-usage']))
  const minutes = usage.success
    ? Math.max(
        0,
        ...Object.values(usage.data).flatMap((uses) => uses.map((use) => use.estimated_time_to_regain_access)),
      )
    : 0
  return minutes > 0 ? Math.min(minutes * 60, DAY_SECONDS) : undefined
}
const Usage = z.record(
  z.string(),
  z.array(z.object({ estimated_time_to_regain_access: z.coerce.number().nonnegative().catch(0) })),
)

const jsonOf = (body: Uint8Array): unknown => jsonIn(new TextDecoder().decode(body))

/**
 * A node or container that doesn't exist or isn't visible to us (Graph API, code 100 with subcode 33; 803 for unknown
 * names).
 */
export const isGone = (failed: GraphFailed): boolean =>
  failed.cause === 'answered' &&
  ((failed.code === 100 && failed.subcode === 33) || failed.code === 803 || failed.status === 404)

/** Code 100: a parameter that the node doesn't take, such as a figure that was retired or doesn't suit the kind of post. */
export const isBadParameter = (answer: { kind: 'ok' } | GraphFailed): answer is GraphFailed =>
  answer.kind === 'failed' && answer.cause === 'answered' && answer.code === 100

/** Code 10: the permission is missing, or too few people have seen it for figures. */
export const isPermissionError = (failed: GraphFailed): boolean => failed.cause === 'answered' && failed.code === 10

/**
 * IDs are numbers, except those of posts: page and post, joined by an underscore. Usually text, but not in every call.
 */
export const GraphId = z.union([z.string().regex(/^\d+(_\d+)*$/), z.int().nonnegative()]).transform(String)

/** Times are ISO 8601, with offsets without a colon, or seconds since 1970. */
export const GraphTime = z
  .union([z.number(), z.string()])
  .transform((value) => {
    const at =
      typeof value === 'number' || /^\d+$/.test(value)
        ? new Date(Number(value) * 1000)
        : new Date(value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
    return Number.isNaN(at.getTime()) ? null : at
  })
  .nullable()
  .catch(null)
