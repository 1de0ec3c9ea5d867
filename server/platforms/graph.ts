import { z } from 'zod'
import type { Budget, Reach } from './platform.ts'
import type { SafeRequest, StreamedBody } from './safeHttp.ts'
import { jsonIn, multipart, retryAfter, type FilePart } from './wire.ts'

/*
 * Calls of Meta's Graph API, which Facebook, Instagram and Threads share: nodes and edges by path, forms, one shape of errors.
 * The token travels as a header, so that it stands in no address and in no log.
 */

/** Why a call brought no usable answer. */
export type GraphFailed =
  /** Nothing was sent. */
  | { kind: 'failed'; cause: 'unsent'; detail: string }
  /** It may have arrived; no answer came, or one that makes no sense. */
  | { kind: 'failed'; cause: 'lost' | 'garbled'; detail: string }
  /** The platform answered with an error. `code` is 0 when it was none of the Graph API's. */
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
  /** Origin and version, such as https://graph.facebook.com/v25.0, or a whole address with an empty path. */
  base: string
  path: string
  method?: 'GET' | 'POST' | 'DELETE'
  /** `OAuth` is what the upload hosts ask for. */
  token?: string
  scheme?: 'Bearer' | 'OAuth'
  query?: Record<string, string>
  /** Sent as a form; absent values are left out. */
  form?: Record<string, string | undefined>
  /** Sent as a form with a file in it. */
  file?: FilePart
  /** Sent as it is, with headers of its own. */
  raw?: { body: StreamedBody; headers: Record<string, string> }
  reply: z.ZodType<T>
  timeoutMs: number
}

/** Calls that each use makes, about: what a budget of all calls to an account counts. */
const CALLS: Budget['cost'] = {
  prepare: 2,
  send: 2,
  poll: 1,
  readback: 1,
  reconcile: 2,
  followUp: 2,
  reconcileFollowUp: 2,
  metrics: 1,
  inbox: 1,
  reply: 1,
  lookup: 1,
}

const DAY_SECONDS = 86_400
/**
 * Meta's rule of calls for Pages, accounts of Instagram and of Threads: 4800 in 24 hours for each engaged person (Pages) or impression
 * (the others) of those hours (developers.facebook.com/docs/graph-api/overview/rate-limiting; docs/threads/overview). How many there were is not told
 * beforehand, so that this counts with the `least`: one, or the 10 that Threads takes for granted. An account with more waits
 * here, at so many calls, although the platform would take more; one that is slowed down earlier is told so, and for how long
 * (X-Business-Use-Case-Usage).
 */
export const callsOf = (least: number): Budget => ({
  name: 'calls-day',
  per: 'channel',
  windowSeconds: DAY_SECONDS,
  tokens: 4800 * least,
  cost: CALLS,
})

/** All calls of an app: 200 an hour for each of its users of the day, a number that nobody here knows. So it is too large to ever be full, and is closed when Meta says that it is used up (error 4). */
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
 * A page of an edge. No list stands for one that makes no sense: an empty one would say that a post is not there. `next` is absent
 * on the last page, where cursors may still be named (Graph API, paginated results).
 */
export const edgeOf = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), paging: Paging.default({ next: null }) })

/** What names a page in the address of the next one: cursors, times, or a count. The address itself is never followed: it holds a token. */
const placesOfPage = ['after', 'until', '__paging_token', 'offset']

/** The query of the page that an answer's `next` leads to; nothing for the first. */
export function pageQuery(next: string | null): Record<string, string> {
  const query = next !== null && URL.canParse(next) ? new URL(next).searchParams : new URLSearchParams()
  return Object.fromEntries(placesOfPage.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? '']] : [])))
}

/** What `next` leads to, to be kept without the token that the address holds; null where nothing follows. */
export const placeIn = (next: string | null): string | null => {
  const place = new URLSearchParams(pageQuery(next)).toString()
  return place === '' ? null : place
}
/** The query of the page at a place that was kept; nothing for the first. */
export const atPlace = (place: string | null): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(place ?? ''))

/** Numbers are sent as text by some answers. */
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
/** The sign-in hosts answer in a shape of their own. A container that failed has an error_message as well, and is no error. */
const FlatError = z.object({ error_type: z.string(), error_message: z.string(), code: Code })

/** Calls the Graph API and parses its answer. Never throws. `date` is the platform's clock, where it tells it. */
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
  // an error may come with status 200, and a refusal without the API's own words comes from something in between
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
  // a POST without fields still has a form, an empty one
  if (call.method !== 'POST') return { headers: {} }
  return {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }
}

/**
 * How long the platform asks to wait: Retry-After in seconds, or the minutes in its headers of usage
 * (developers.facebook.com/docs/graph-api/overview/rate-limiting). A day at most.
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

/** A node or container that is not there, or not for us (Graph API, code 100 with subcode 33; 803 for unknown names). */
export const isGone = (failed: GraphFailed): boolean =>
  failed.cause === 'answered' &&
  ((failed.code === 100 && failed.subcode === 33) || failed.code === 803 || failed.status === 404)

/** Ids are numbers, except those of posts: page and post, joined by an underscore. Sent as text, but not by every call. */
export const GraphId = z.union([z.string().regex(/^\d+(_\d+)*$/), z.int().nonnegative()]).transform(String)

/** Times come as ISO 8601, with offsets that lack a colon, or as seconds since 1970. */
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
