import type { Doing } from '#contract/failures/calls.ts'
import type { z } from 'zod'
import { withLink } from '#contract/platforms/sentText.ts'
import { graph, type GraphCall } from '../graph.ts'
import { FACEBOOK } from '../graphLogin.ts'
import { refusalOfGraph } from '../graphRefusals.ts'
import type { GraphFailed } from '../graph.ts'
import type { Outgoing, Reach, Refusal } from '../platform.ts'
import { secretReader, withSecretOf } from '../secretReader.ts'
import { FacebookSecret } from './schemas.ts'

export const LABEL = 'Facebook'
export const READ_TIMEOUT_MS = 10_000

export const readSecret = secretReader(FacebookSecret)
export const withSecret = withSecretOf(FacebookSecret)

/** Reads a node or an edge as the Page. */
export const read = <T>(
  reach: Reach,
  secret: FacebookSecret,
  path: string,
  query: Record<string, string>,
  reply: z.ZodType<T>,
) => graph(reach, { base: FACEBOOK, path, token: secret.accessToken, query, reply, timeoutMs: READ_TIMEOUT_MS })
/** One call that creates or changes something, as the Page. */
export const change = <T>(
  reach: Reach,
  secret: FacebookSecret,
  call: Omit<GraphCall<T>, 'base' | 'token' | 'scheme'>,
) => graph(reach, { base: FACEBOOK, token: secret.accessToken, ...call })
/** URLs of videos come without a host. */
export const onFacebook = (address: string): string =>
  address.startsWith('/') ? `https://www.facebook.com${address}` : address
/** What a failed call means for this action. */
export const refusalOf = (failed: GraphFailed, doing: Doing, irreversible = false): Refusal =>
  refusalOfGraph(failed, { label: LABEL, doing, irreversible })

/** The kind of object that a post becomes on a Page. */
export type Shape = 'feed' | 'video' | 'reel' | 'photoStory' | 'videoStory'

/** The kind of object, by the post type and the first file. */
export function shapeOf({ postType, contents }: Pick<Outgoing, 'postType' | 'contents'>): Shape {
  const [file] = contents[0]?.media ?? []
  const isVideo = file?.contentType.startsWith('video/') ?? false
  if (postType === 'story') return isVideo ? 'videoStory' : 'photoStory'
  if (postType === 'reel') return 'reel'
  return isVideo ? 'video' : 'feed'
}

const linkIn = ({ details }: Pick<Outgoing, 'details'>): string =>
  typeof details.link === 'string' ? details.link : ''

/** The text of the post. A post with pictures can't have a link card, so the link is appended. */
export function messageOf(post: Pick<Outgoing, 'contents' | 'details'>): string {
  const { text = '', media = [] } = post.contents[0] ?? {}
  return media.length > 0 ? withLink(text, linkIn(post)) : text
}

/** The link that becomes a card; empty if the post has files. */
export const cardOf = (post: Pick<Outgoing, 'contents' | 'details'>): string =>
  post.contents[0]?.media.length ? '' : linkIn(post)
export const placeOf = ({ details }: Pick<Outgoing, 'details'>): string | undefined =>
  typeof details.placeId === 'string' && details.placeId ? details.placeId : undefined
