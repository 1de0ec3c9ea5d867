import { z } from 'zod'
import { GoogleSecret } from '../google.ts'
import { parsable } from '../ownPosts.ts'

/**
 * Responses of the YouTube Data API v3, as far as we read them (developers.google.com/youtube/v3; discovery document
 * 20260601).
 */

const Id = z.string().min(1)
const Time = z
  .string()
  .transform((text) => (Number.isNaN(Date.parse(text)) ? null : new Date(text)))
  .nullable()
  .catch(null)
const Picture = z
  .object({ default: z.object({ url: z.url({ protocol: /^https?$/ }) }) })
  .transform((one) => one.default.url)
  .nullable()
  .catch(null)
/** ISO 8601, such as P1DT2H3M4S, as seconds. */
const Duration = z
  .string()
  .transform((text) => {
    const [, days, hours, minutes, seconds] = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text) ?? []
    const all = [days, hours, minutes, seconds]
    if (all.every((one) => one === undefined)) return null
    const [d = 0, h = 0, m = 0, s = 0] = all.map((one) => Number(one ?? 0))
    return ((d * 24 + h) * 60 + m) * 60 + s
  })
  .nullable()
  .catch(null)
/** Numbers are sent as text. */
const Count = z.coerce.number().int().nonnegative().nullable().catch(null)
const listOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item).default([]), nextPageToken: z.string().optional().catch(undefined) })

export const Channels = listOf(
  z.object({
    id: Id,
    snippet: z
      .object({ title: z.string().catch(''), customUrl: z.string().catch(''), thumbnails: Picture })
      .catch({ title: '', customUrl: '', thumbnails: null }),
    contentDetails: z
      .object({ relatedPlaylists: z.object({ uploads: z.string().catch('') }) })
      .nullable()
      .catch(null),
  }),
)
export const ChannelCounts = listOf(
  z.object({
    statistics: z
      .object({ subscriberCount: Count, videoCount: Count, hiddenSubscriberCount: z.boolean().catch(false) })
      .nullable()
      .catch(null),
  }),
)
export const Made = z.object({ id: Id })
export const Anything = z.unknown()

const Snippet = z.looseObject({
  title: z.string().catch(''),
  description: z.string().catch(''),
  publishedAt: Time,
  categoryId: z.string().optional().catch(undefined),
})
const Status = z.looseObject({
  uploadStatus: z.string().catch(''),
  failureReason: z.string().catch(''),
  rejectionReason: z.string().catch(''),
  privacyStatus: z.string().catch(''),
})
const Statistics = z.object({ viewCount: Count, likeCount: Count, commentCount: Count })
export type Statistics = z.infer<typeof Statistics>
export const Videos = listOf(
  z.object({
    id: Id,
    snippet: Snippet.nullable().catch(null),
    status: Status.nullable().catch(null),
    statistics: Statistics.nullable().catch(null),
  }),
)
const Thumbnail = z.object({ url: z.url({ protocol: /^https?$/ }) }).transform(({ url }) => url)
/** The larger of two pictures. */
const Thumbnails = z
  .object({ medium: z.unknown(), default: z.unknown() })
  .partial()
  .transform(
    ({ medium, default: small }) => Thumbnail.safeParse(medium).data ?? Thumbnail.safeParse(small).data ?? null,
  )
  .nullable()
  .catch(null)
const Upload = z.object({
  id: z.string().catch(''),
  snippet: z.object({
    title: z.string().catch(''),
    description: z.string().catch(''),
    publishedAt: Time,
    thumbnails: Thumbnails,
    resourceId: z.object({ videoId: Id }),
  }),
  contentDetails: z.object({ videoPublishedAt: Time }).catch({ videoPublishedAt: null }),
})
export type Upload = z.infer<typeof Upload>
export const Uploads = z.object({
  items: parsable(Upload).default([]),
  nextPageToken: z.string().optional().catch(undefined),
  pageInfo: z.object({ totalResults: Count }).catch({ totalResults: null }),
})
const ListedVideo = z.object({
  id: Id,
  status: z
    .object({ uploadStatus: z.string().catch(''), privacyStatus: z.string().catch('') })
    .nullable()
    .catch(null),
  statistics: Statistics.nullable().catch(null),
  contentDetails: z.object({ duration: Duration }).catch({ duration: null }),
  /** Numbers are sent as text. */
  player: z.object({ embedWidth: Count, embedHeight: Count }).catch({ embedWidth: null, embedHeight: null }),
})
export type ListedVideo = z.infer<typeof ListedVideo>
export const ListedVideos = z.object({ items: parsable(ListedVideo).default([]) })
export const Categories = listOf(
  z.object({ id: Id, snippet: z.object({ title: z.string().catch(''), assignable: z.boolean().catch(false) }) }),
)
export const Playlist = z.object({
  id: Id,
  snippet: z.object({ title: z.string().catch(''), thumbnails: Picture }).catch({ title: '', thumbnails: null }),
  status: z.object({ privacyStatus: z.string().catch('') }).catch({ privacyStatus: '' }),
  contentDetails: z.object({ itemCount: Count }).catch({ itemCount: null }),
})
export const Playlists = listOf(Playlist)
const Address = z
  .url({ protocol: /^https?$/ })
  .nullable()
  .catch(null)
const CommentSnippet = z.object({
  /** Only for its author. */
  textOriginal: z.string().catch(''),
  textDisplay: z.string().catch(''),
  publishedAt: Time,
  updatedAt: Time,
  authorChannelId: z.object({ value: z.string() }).nullable().catch(null),
  authorDisplayName: z.string().catch(''),
  authorProfileImageUrl: Address,
  authorChannelUrl: Address,
  /** Only for the owner of the channel, and not where comments are asked for by id. */
  moderationStatus: z.string().nullable().catch(null),
})
export const Comment = z.object({ id: Id, snippet: CommentSnippet })
export type Comment = z.infer<typeof Comment>
export const Comments = listOf(Comment)
export const Thread = z.object({
  id: Id,
  snippet: z.object({
    /** Null for comments on a post, or on the channel itself. */
    videoId: z.string().nullable().catch(null),
    postId: z.string().nullable().catch(null),
    totalReplyCount: z.int().nonnegative().catch(0),
    topLevelComment: Comment,
  }),
  /** Some of them, never promised to be all. */
  replies: z.object({ comments: z.array(Comment).catch([]) }).catch({ comments: [] }),
})
export type Thread = z.infer<typeof Thread>
export const Threads = listOf(Thread)

/** What is encrypted for a channel. */
export const YoutubeSecret = GoogleSecret.extend({ channelId: Id })
export type YoutubeSecret = z.infer<typeof YoutubeSecret>

/** An upload's progress. `sent` counts the bytes that YouTube has confirmed; `rounds` counts lost sessions. */
export const Prepared = z.object({
  session: z.string().startsWith('https://www.googleapis.com/upload/').nullable().catch(null),
  sent: z.int().nonnegative().catch(0),
  rounds: z.int().catch(0),
  /** Known once the last byte has arrived. */
  videoId: z.string().nullable().catch(null),
  looks: z.int().catch(0),
  /** The thumbnail was set, or refused, which doesn't hold up the video. */
  thumbnail: z.boolean().catch(false),
})
export type Prepared = z.infer<typeof Prepared>
