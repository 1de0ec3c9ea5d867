import { z } from 'zod'
import { jsonIn } from '../graph.ts'
import { dateOf } from '../oauth2.ts'
import type { Reach, Refusal, Secret } from '../platform.ts'
import type { SafeRequest } from '../safeFetch.ts'
import { PinterestSecret } from './schemas.ts'

export const BASE = 'https://api.pinterest.com/v5'
export const READ_TIMEOUT_MS = 10_000
const MAX_ANSWER = 2_000_000
const DAY_SECONDS = 86_400
/** The most that a page holds. */
const PAGE = '250'

/** Why a call brought no usable answer. `code` is undefined where the answer was not the API's own. */
export type PinterestFailed =
  | { kind: 'failed'; cause: 'unsent' | 'lost' | 'garbled'; detail: string }
  | { kind: 'failed'; cause: 'answered'; status: number; code: number | undefined; message: string; waitSeconds: number | undefined }

export type PinterestCall<T> = { path: string; method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'; query?: Record<string, string>; json?: unknown; reply: z.ZodType<T>; timeoutMs?: number }

const Problem = z.object({ code: z.coerce.number().int(), message: z.string().catch('') })

/** Calls the API for an account and parses its answer. Never throws. */
export async function call<T>(reach: Reach, secret: PinterestSecret, { path, method = 'GET', query, json, reply, timeoutMs = READ_TIMEOUT_MS }: PinterestCall<T>): Promise<{ kind: 'ok'; value: T } | PinterestFailed> {
  const asked = query ? `?${new URLSearchParams(query).toString()}` : ''
  const sends = json === undefined ? {} : { body: JSON.stringify(json) }
  const headers = { accept: 'application/json', authorization: `Bearer ${secret.accessToken}`, ...(json !== undefined && { 'content-type': 'application/json' }) }
  return await exchange(reach, `${BASE}${path}${asked}`, { method, headers, ...sends, timeoutMs }, reply)
}

/** Items of a list from its beginning, page by page (`bookmark`), until there are no more, `enough` says so, or `most` pages were read. */
export async function listed<T>(reach: Reach, secret: PinterestSecret, path: string, item: z.ZodType<T>, most: number, enough: (items: readonly T[]) => boolean = () => false): Promise<{ kind: 'ok'; value: T[] } | PinterestFailed> {
  const reply = z.object({ items: z.array(item), bookmark: z.string().nullable().catch(null) })
  const items: T[] = []
  let query: Record<string, string> = { page_size: PAGE }
  for (let page = 0; page < most; page++) {
    const list = await call(reach, secret, { path, query, reply })
    if (list.kind !== 'ok') return list
    items.push(...list.value.items)
    const { bookmark } = list.value
    if (!bookmark || enough(items)) break
    query = { page_size: PAGE, bookmark }
  }
  return { kind: 'ok', value: items }
}

/** Asks any address, also one outside the API. The caller puts the token in where it belongs. */
export async function exchange<T>(reach: Reach, url: string, request: Pick<SafeRequest, 'method' | 'headers' | 'body' | 'timeoutMs'>, reply: z.ZodType<T>): Promise<{ kind: 'ok'; value: T } | PinterestFailed> {
  const answer = await reach.fetch(url, { ...request, maxBytes: MAX_ANSWER, signal: reach.signal })
  if (answer.kind !== 'answer') return { kind: 'failed', cause: answer.kind, detail: `${answer.why}: ${answer.detail}` }
  const body = jsonIn(new TextDecoder().decode(answer.body))
  if (answer.status >= 300) {
    const problem = Problem.safeParse(body).data
    return { kind: 'failed', cause: 'answered', status: answer.status, code: problem?.code, message: problem?.message ?? '', waitSeconds: waitOf(answer.headers) }
  }
  const parsed = reply.safeParse(body)
  return parsed.success ? { kind: 'ok', value: parsed.data } : { kind: 'failed', cause: 'garbled', detail: `answered ${answer.status} with something else` }
}

/** How long the platform asks to wait: seconds, or a moment in seconds since 1970 (rate limits: x-ratelimit-reset). A day at most. */
function waitOf(headers: Record<string, string>): number | undefined {
  const told = headers['retry-after'] ?? headers['x-ratelimit-reset'] ?? ''
  if (!/^\d+$/.test(told)) return undefined
  const seconds = Number(told)
  const answeredAt = dateOf(headers)
  const wait = seconds > 1_000_000_000 ? answeredAt && seconds - answeredAt.getTime() / 1000 : seconds
  return wait === null || wait < 0 ? undefined : Math.min(Math.ceil(wait), DAY_SECONDS)
}

/** What is asked for is not there, or not any more. */
export const isGone = (failed: PinterestFailed): boolean => failed.cause === 'answered' && failed.status === 404 && failed.code !== undefined

/** Reads a channel's secret; one that is not ours any more needs a person. */
export function readSecret(secret: Secret): { kind: 'secret'; value: PinterestSecret } | Refusal {
  const parsed = PinterestSecret.safeParse(secret)
  if (parsed.success) return { kind: 'secret', value: parsed.data }
  return { kind: 'reconnect', reason: { text: 'The saved sign-in of this channel cannot be read.', advice: 'Reconnect the channel.', platformCode: 'unreadable-secret' } }
}
