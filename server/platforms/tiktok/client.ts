import { z } from 'zod'
import { jsonIn } from '../graph.ts'
import { dateOf } from '../oauth2.ts'
import type { Reach, Refusal, Secret } from '../platform.ts'
import type { SafeAnswer, StreamedBody } from '../safeFetch.ts'
import { Creator, PublishState, TikTokSecret, VideoList } from './schemas.ts'

export const HOST = 'https://open.tiktokapis.com'
export const READ_TIMEOUT_MS = 15_000
const MAX_ANSWER = 2_000_000
const DAY_SECONDS = 86_400

/** Why a call brought no usable answer. `code` is empty where the answer was not the API's own. */
export type TikTokFailed =
  | { kind: 'failed'; cause: 'unsent' | 'lost' | 'garbled'; detail: string }
  | { kind: 'failed'; cause: 'answered'; status: number; code: string; message: string; waitSeconds: number | undefined }
/** `at` is when it was answered, by TikTok's own clock. */
export type Called<T> = { kind: 'ok'; value: T; at: Date | null } | TikTokFailed

/** Every answer carries an error, which says "ok" when there is none. */
const Envelope = z.object({ data: z.unknown().optional(), error: z.object({ code: z.string(), message: z.string().catch('') }) })

type Call<T> = { path: string; method?: 'GET' | 'POST'; fields?: string; json?: unknown; reply: z.ZodType<T>; timeoutMs?: number }

/** Calls the API for an account and parses its answer. Never throws. An error may come with status 200. */
export async function call<T>(reach: Reach, secret: TikTokSecret, { path, method = 'POST', fields, json, reply, timeoutMs = READ_TIMEOUT_MS }: Call<T>): Promise<Called<T>> {
  const query = fields === undefined ? '' : `?${new URLSearchParams({ fields }).toString()}`
  const headers = { accept: 'application/json', authorization: `Bearer ${secret.accessToken}`, ...(method === 'POST' && { 'content-type': 'application/json; charset=UTF-8' }) }
  const body = method === 'POST' ? { body: JSON.stringify(json ?? {}) } : {}
  const answer = await reach.fetch(`${HOST}${path}${query}`, { method, headers, ...body, timeoutMs, maxBytes: MAX_ANSWER, signal: reach.signal })
  if (answer.kind !== 'answer') return failedOf(answer)
  const said = Envelope.safeParse(jsonIn(new TextDecoder().decode(answer.body)))
  const code = said.success ? said.data.error.code : ''
  if (answer.status >= 300 || (said.success && code !== 'ok')) return { kind: 'failed', cause: 'answered', status: answer.status, code: code === 'ok' ? '' : code, message: said.data?.error.message ?? '', waitSeconds: waitOf(answer.headers) }
  const parsed = reply.safeParse(said.data?.data)
  return said.success && parsed.success ? { kind: 'ok', value: parsed.data, at: dateOf(answer.headers) } : { kind: 'failed', cause: 'garbled', detail: `${path} answered ${answer.status} with something else` }
}

/** Puts one piece of a file where TikTok said. The address is signed: our token has no business there. */
export async function put(reach: Reach, address: string, { body, range, contentType, timeoutMs }: { body: StreamedBody; range: string; contentType: string; timeoutMs: number }): Promise<{ kind: 'answered'; status: number } | TikTokFailed> {
  const answer = await reach.fetch(address, { method: 'PUT', headers: { 'content-type': contentType, 'content-range': range }, body, timeoutMs, maxBytes: MAX_ANSWER, signal: reach.signal })
  return answer.kind === 'answer' ? { kind: 'answered', status: answer.status } : failedOf(answer)
}

const failedOf = ({ kind: cause, why, detail }: Exclude<SafeAnswer, { kind: 'answer' }>): TikTokFailed => ({ kind: 'failed', cause, detail: `${why}: ${detail}` })

function waitOf(headers: Record<string, string>): number | undefined {
  const after = headers['retry-after'] ?? ''
  return /^\d+$/.test(after) ? Math.min(Number(after), DAY_SECONDS) : undefined
}

/** What the account may do now: asked before every post, as TikTok's guidelines want it. */
export const creatorOf = (reach: Reach, secret: TikTokSecret): Promise<Called<Creator>> => call(reach, secret, { path: '/v2/post/publish/creator_info/query/', reply: Creator })

/** How far a post is. */
export const stateOf = (reach: Reach, secret: TikTokSecret, publishId: string): Promise<Called<PublishState>> => call(reach, secret, { path: '/v2/post/publish/status/fetch/', json: { publish_id: publishId }, reply: PublishState })

/** Posts of one list, at most. */
export const LISTED = 20

/** The account's newest public posts. */
export const newest = (reach: Reach, secret: TikTokSecret): Promise<Called<z.infer<typeof VideoList>>> => call(reach, secret, { path: '/v2/video/list/', fields: 'id,create_time,share_url,title,video_description', json: { max_count: LISTED }, reply: VideoList })

/** These posts, as far as they are public and still there; at most 20 ids. */
export const videosOf = (reach: Reach, secret: TikTokSecret, ids: readonly string[]): Promise<Called<z.infer<typeof VideoList>>> =>
  call(reach, secret, { path: '/v2/video/query/', fields: 'id,share_url,view_count,like_count,comment_count,share_count', json: { filters: { video_ids: ids } }, reply: VideoList })

/** A post that has no public id is known by the id of its publication, which is no number. */
export const isPublic = (remoteId: string): boolean => /^\d+$/.test(remoteId)

/** Reads a channel's secret; one that is not ours any more needs a person. */
export function readSecret(secret: Secret): { kind: 'secret'; value: TikTokSecret } | Refusal {
  const parsed = TikTokSecret.safeParse(secret)
  if (parsed.success) return { kind: 'secret', value: parsed.data }
  return { kind: 'reconnect', reason: { text: 'The saved sign-in of this channel cannot be read.', advice: 'Reconnect the channel.', platformCode: 'unreadable-secret' } }
}
