import { z } from 'zod'
import { rest, type RestAnswered, type RestFailed } from '../jsonCalls.ts'
import type { Reach } from '../platform.ts'
import type { StreamedBody } from '../safeHttp.ts'
import { withSecretOf } from '../secretReader.ts'
import { codeWord } from '../quotes.ts'
import { dateOf } from '../wire.ts'
import { Creator, Nothing, PublishState, TikTokSecret, VideoList } from './schemas.ts'

export const HOST = 'https://open.tiktokapis.com'
export const READ_TIMEOUT_MS = 15_000

/** `at` is the time of the response by TikTok's own clock. */
export type Called<T> = { kind: 'ok'; value: T; at: Date | null } | RestFailed

/** Every response has an error, which is "ok" if there is none. */
const Envelope = z.object({
  data: z.unknown().optional(),
  error: z.object({ code: z.string().transform(codeWord), message: z.string().catch('') }),
})

type Call<T> = {
  path: string
  method?: 'GET' | 'POST'
  fields?: string
  json?: unknown
  reply: z.ZodType<T>
  timeoutMs?: number
}

/** Calls the API for an account and parses its response. Never throws. An error can have status 200. */
export async function call<T>(
  reach: Reach,
  { accessToken: token }: TikTokSecret,
  { path, method = 'POST', fields, json, reply, timeoutMs = READ_TIMEOUT_MS }: Call<T>,
): Promise<Called<T>> {
  const sends =
    method === 'POST' ? { json: json ?? {}, headers: { 'content-type': 'application/json; charset=UTF-8' } } : {}
  const answer = await rest(reach, {
    url: `${HOST}${path}`,
    method,
    token,
    query: { fields },
    ...sends,
    reply: Envelope,
    timeoutMs,
  })
  if (answer.kind !== 'ok') return answer
  const { value, status, headers } = answer
  if (value.error.code !== 'ok') return { kind: 'failed', cause: 'answered', status, headers, json: value }
  const parsed = reply.safeParse(value.data)
  return parsed.success
    ? { kind: 'ok', value: parsed.data, at: dateOf(headers) }
    : { kind: 'failed', cause: 'garbled', detail: `${path} answered ${status} with something else` }
}

/** The API's own error; the code is empty if the response isn't in its format. */
export function problemIn({ json }: RestAnswered): { code: string; message: string } {
  const said = Envelope.safeParse(json)
  return said.success && said.data.error.code !== 'ok' ? said.data.error : { code: '', message: '' }
}

/** Uploads one piece of a file to the URL from TikTok. The URL is signed, so our token mustn't be sent there. */
export const put = (
  reach: Reach,
  url: string,
  {
    body,
    range,
    contentType,
    timeoutMs,
  }: { body: StreamedBody; range: string; contentType: string; timeoutMs: number },
) =>
  rest(reach, {
    url,
    method: 'PUT',
    headers: { 'content-range': range },
    raw: { body, contentType },
    reply: Nothing,
    timeoutMs,
  })

/** What the account may do at the moment: read before every post, as TikTok's guidelines require. */
export const creatorOf = (reach: Reach, secret: TikTokSecret): Promise<Called<Creator>> =>
  call(reach, secret, { path: '/v2/post/publish/creator_info/query/', reply: Creator })

/** The state of a post. */
export const stateOf = (reach: Reach, secret: TikTokSecret, publishId: string): Promise<Called<PublishState>> =>
  call(reach, secret, { path: '/v2/post/publish/status/fetch/', json: { publish_id: publishId }, reply: PublishState })

/** The maximum per page. */
export const LISTED = 20

const COUNTS = 'view_count,like_count,comment_count,share_count'

/** The account's newest public posts, or those after a cursor. */
export const newest = (
  reach: Reach,
  secret: TikTokSecret,
  { cursor, most = LISTED }: { cursor?: number | undefined; most?: number | undefined } = {},
): Promise<Called<z.infer<typeof VideoList>>> =>
  call(reach, secret, {
    path: '/v2/video/list/',
    fields: `id,create_time,share_url,cover_image_url,title,video_description,${COUNTS}`,
    json: { max_count: Math.min(LISTED, most), ...(cursor !== undefined && { cursor }) },
    reply: VideoList,
  })

/** Whether a page of the list is the last one. */
export const isLast = ({ videos, has_more: more }: z.infer<typeof VideoList>): boolean =>
  more === false || videos.length === 0 || (more === null && videos.length < LISTED)

/** These posts, if they are public and still exist; at most 20 IDs. */
export const videosOf = (
  reach: Reach,
  secret: TikTokSecret,
  ids: readonly string[],
): Promise<Called<z.infer<typeof VideoList>>> =>
  call(reach, secret, {
    path: '/v2/video/query/',
    fields: `id,share_url,${COUNTS}`,
    json: { filters: { video_ids: ids } },
    reply: VideoList,
  })

/** A post without a public ID has its publish ID instead, which isn't a number. */
export const isPublic = (remoteId: string): boolean => /^\d+$/.test(remoteId)

export const withSecret = withSecretOf(TikTokSecret)
