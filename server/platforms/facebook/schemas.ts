import { z } from 'zod'
import { edgeOf, GraphId, GraphTime } from '../graph.ts'
import { Picture } from '../graphLogin.ts'
import { edgeWithout } from '../graphTimeline.ts'
import { jsonIn } from '../wire.ts'

/**
 * Responses of the Graph API for Pages, as far as we read them (facebook-business-sdk-codegen; Pages API; Video API).
 */

export const Made = z.object({ id: GraphId })
export const Success = z.object({ success: z.boolean().catch(true) })
export const PageName = z.object({ id: GraphId, name: z.string().catch(''), picture: Picture })
export const PageToken = z.object({ id: GraphId, access_token: z.string().min(1) })

/** Offsets are sent as text. */
const Offset = z.coerce.number().int().nonnegative()
export const Started = z.object({
  video_id: GraphId,
  upload_session_id: GraphId,
  start_offset: Offset,
  end_offset: Offset,
})
export const Transferred = z.object({ start_offset: Offset, end_offset: Offset })
/** Where the platform expects the next piece after a wrong one (error 6001, subcode 1363037). */
const Offsets = z.object({ start_offset: Offset, end_offset: Offset.nullable().catch(null) })
export const Expected = z.preprocess((data) => (typeof data === 'string' ? jsonIn(data) : data), Offsets)
export const StartedReel = z.object({
  video_id: GraphId,
  upload_url: z.string().startsWith('https://rupload.facebook.com/'),
})
export const StoryMade = z.object({ success: z.boolean().catch(true), post_id: GraphId.optional().catch(undefined) })

/*
 * Meta documents the phases of a video with two spellings: `complete`, `bytes_transferred` and `errors` in its SDKs;
 * `completed`, `bytes_transfered` and `error` on the page of the Reels Publishing API. We read both.
 */
const Problem = z.object({ message: z.string().catch('') })
const Status = z
  .string()
  .catch('')
  .transform((status) => (status === 'completed' ? 'complete' : status))
const Bytes = Offset.nullish().catch(null)
const NoPhase = { status: '', errors: [], bytes: null }
const Phase = z
  .object({
    status: Status,
    errors: z.array(Problem).catch([]),
    error: Problem.nullish().catch(null),
    bytes_transferred: Bytes,
    bytes_transfered: Bytes,
  })
  .transform(({ status, errors, error, bytes_transferred: bytes, bytes_transfered: otherwise }) => ({
    status,
    errors: error ? [...errors, error] : errors,
    /** Bytes uploaded, if the response says so. */
    bytes: bytes ?? otherwise ?? null,
  }))
  .catch(NoPhase)
export const VideoState = z.object({
  id: GraphId,
  permalink_url: z.string().catch(''),
  published: z.boolean().nullable().catch(null),
  status: z
    .object({
      video_status: z.string().catch(''),
      uploading_phase: Phase,
      processing_phase: Phase,
      publishing_phase: Phase,
    })
    .catch({
      video_status: '',
      uploading_phase: NoPhase,
      processing_phase: NoPhase,
      publishing_phase: NoPhase,
    }),
})
export type VideoState = z.infer<typeof VideoState>

const Target = z
  .object({ id: GraphId.nullable().catch(null) })
  .nullable()
  .catch(null)
const Attachment = z.object({ target: Target, unshimmed_url: z.string().catch('') })
const Attachments = z
  .object({
    data: z.array(
      Attachment.extend({
        subattachments: z
          .object({ data: z.array(Attachment) })
          .nullable()
          .catch(null),
      }),
    ),
  })
  .nullable()
  .catch(null)
export const Post = z.object({
  id: GraphId,
  message: z.string().catch(''),
  created_time: GraphTime,
  permalink_url: z.string().catch(''),
  attachments: Attachments,
})
export type Post = z.infer<typeof Post>
export const PostList = edgeOf(Post)
/** Story times are seconds since 1970, as text. */
const StoryTime = z.coerce
  .number()
  .int()
  .positive()
  .transform((seconds) => new Date(seconds * 1000))
  .nullable()
  .catch(null)
export const StoryList = edgeOf(
  z.object({
    post_id: GraphId.nullable().catch(null),
    media_id: GraphId.nullable().catch(null),
    creation_time: StoryTime,
    url: z.string().catch(''),
  }),
)
export const CommentList = edgeOf(
  z.object({
    id: GraphId,
    message: z.string().catch(''),
    created_time: GraphTime,
    from: z.object({ id: GraphId }).nullable().catch(null),
  }),
)

export const Thing = z.object({ id: GraphId })
const Writer = z
  .object({ id: GraphId, name: z.string().catch('') })
  .nullable()
  .catch(null)
const CommentAttachment = z
  .object({
    type: z.string().catch(''),
    url: z.string().catch(''),
    title: z.string().catch(''),
    media: z
      .object({ image: z.object({ src: z.string() }).nullable().catch(null) })
      .nullable()
      .catch(null),
  })
  .nullable()
  .catch(null)
/** A comment as the inbox reads it. `from` is withheld without pages_read_user_content. */
export const Comment = z.object({
  id: GraphId,
  message: z.string().catch(''),
  from: Writer,
  created_time: GraphTime,
  is_hidden: z.boolean().catch(false),
  permalink_url: z.string().catch(''),
  comment_count: z.int().nonnegative().catch(0),
  attachment: CommentAttachment,
  parent: z
    .object({ id: GraphId, parent: z.object({ id: GraphId }).nullable().catch(null) })
    .nullable()
    .catch(null),
})
export type Comment = z.infer<typeof Comment>
export const Comments = edgeOf(Comment)
const PostAttachment = Attachment.extend({ media_type: z.string().catch(''), title: z.string().catch('') })
export const CommentedPosts = edgeOf(
  z.object({
    id: GraphId,
    message: z.string().catch(''),
    story: z.string().catch(''),
    created_time: GraphTime,
    permalink_url: z.string().catch(''),
    from: Writer,
    attachments: z.object({ data: z.array(PostAttachment) }).catch({ data: [] }),
    comments: Comments.catch({ data: [], paging: { next: null } }),
  }),
)

const Total = z
  .object({ summary: z.object({ total_count: z.int().nonnegative() }) })
  .transform(({ summary }) => summary.total_count)
  .nullable()
  .catch(null)
const Shares = z
  .object({ count: z.int().nonnegative() })
  .transform(({ count }) => count)
  .nullable()
  .catch(null)
/** One number, or one for each kind of reaction. An empty set isn't 0. */
const Insight = z
  .union([z.int().nonnegative(), z.record(z.string(), z.int().nonnegative())])
  .nullable()
  .catch(null)
export const PostFigures = z.object({
  id: GraphId,
  reactions: Total,
  likes: Total,
  comments: Total,
  shares: Shares,
  views: z.int().nonnegative().nullable().catch(null),
  insights: z
    .object({
      data: z.array(z.object({ name: z.string(), values: z.array(z.object({ value: Insight })).catch([]) })),
    })
    .catch({ data: [] }),
})
export type PostFigures = z.infer<typeof PostFigures>

const FeedPost = z
  .object({
    id: GraphId,
    from: z.object({ id: GraphId }).nullable().catch(null),
    message: z.string().catch(''),
    story: z.string().catch(''),
    created_time: GraphTime,
    permalink_url: z.string().catch(''),
    full_picture: z.string().nullable().catch(null),
    is_published: z.boolean().nullable().catch(null),
    /** The post that this one passes on. */
    parent_id: z.string().nullable().catch(null),
    attachments: z.object({ data: z.array(PostAttachment) }).catch({ data: [] }),
    reactions: Total,
    comments: Total,
    shares: Shares,
  })
  .transform(({ created_time: at, ...post }) => ({ ...post, at }))
export type FeedPost = z.infer<typeof FeedPost>
export const OwnFeed = edgeWithout(FeedPost)
const OwnReel = z
  .object({
    id: GraphId,
    description: z.string().catch(''),
    created_time: GraphTime,
    permalink_url: z.string().catch(''),
    picture: z.string().nullable().catch(null),
    published: z.boolean().nullable().catch(null),
    views: z.int().nonnegative().nullable().catch(null),
    likes: Total,
    comments: Total,
  })
  .transform(({ created_time: at, ...reel }) => ({ ...reel, at }))
export type OwnReel = z.infer<typeof OwnReel>
export const OwnReels = edgeWithout(OwnReel)
const OwnStory = z
  .object({ post_id: GraphId.nullable().catch(null), creation_time: StoryTime, url: z.string().catch('') })
  .transform(({ creation_time: at, ...story }) => ({ ...story, at }))
export type OwnStory = z.infer<typeof OwnStory>
export const OwnStories = edgeWithout(OwnStory)

/**
 * What is encrypted for a channel: the Page's own token. The person's token is stored only for promoting posts, until
 * `userTokenEndsAt` (ISO 8601, UTC).
 */
export const FacebookSecret = z.object({
  accessToken: z.string().min(1),
  pageId: z.string(),
  clientId: z.string(),
  scopes: z.array(z.string()),
  userToken: z.string().optional(),
  userTokenEndsAt: z.iso.datetime().nullable().optional(),
})
export type FacebookSecret = z.infer<typeof FacebookSecret>

/** What `prepare` stores: photos in the order of the post, or the video and how far its upload is. */
export const Prepared = z.object({
  photos: z.array(z.string()).catch([]),
  videoId: z.string().nullable().catch(null),
  /** For a video in pieces. */
  session: z.string().nullable().catch(null),
  start: z.number().catch(0),
  end: z.number().catch(0),
  /** For a reel or a story, uploaded in one stream. */
  uploadUrl: z.string().nullable().catch(null),
  /** Facebook has received the last byte. */ whole: z.boolean().catch(false),
  looks: z.int().catch(0),
  failed: z.int().catch(0),
  /** The cover was set, or the platform refused it. */
  cover: z.boolean().catch(false),
})
export type Prepared = z.infer<typeof Prepared>
