import { z } from 'zod'
import { parsable } from '../ownPosts.ts'

/** Responses of TikTok's API v2, as far as we read them (developers.tiktok.com/doc). */

const Words = z
  .string()
  .nullable()
  .catch(null)
  .transform((words) => words ?? '')
const Picture = z
  .url({ protocol: /^https?$/ })
  .nullable()
  .catch(null)
/** IDs exceed JavaScript's safe integers: those that are sent as numbers were parsed as text. */
const PostId = z.union([z.string().min(1), z.int().positive()]).transform(String)
const Count = z.int().min(0).nullable().catch(null)

export const UserInfo = z.object({
  user: z.object({ open_id: z.string().min(1), display_name: Words, avatar_url: Picture }),
})

export const Creator = z.object({
  creator_username: Words,
  creator_nickname: Words,
  creator_avatar_url: Picture,
  privacy_level_options: z.array(z.string()),
  comment_disabled: z.boolean().catch(false),
  duet_disabled: z.boolean().catch(false),
  stitch_disabled: z.boolean().catch(false),
  max_video_post_duration_sec: z.number().positive().nullable().catch(null),
})
export type Creator = z.infer<typeof Creator>

export const VideoBegun = z.object({ publish_id: z.string().min(1), upload_url: z.url({ protocol: /^https$/ }) })
export const PhotoBegun = z.object({ publish_id: z.string().min(1) })

/** The misspelling is TikTok's. The ID appears when a public post has passed moderation, and never for others. */
export const PublishState = z
  .object({
    status: z.enum(['PROCESSING_UPLOAD', 'PROCESSING_DOWNLOAD', 'SEND_TO_USER_INBOX', 'PUBLISH_COMPLETE', 'FAILED']),
    fail_reason: Words,
    publicaly_available_post_id: z.array(PostId).nullable().catch(null),
    uploaded_bytes: z.number().min(0).nullable().catch(null),
  })
  .transform(({ status, fail_reason: problem, publicaly_available_post_id: ids, uploaded_bytes: bytes }) => ({
    status,
    problem,
    postId: ids?.[0] ?? null,
    bytes,
  }))
export type PublishState = z.infer<typeof PublishState>

const Video = z.object({
  id: PostId,
  create_time: z.number().nullable().catch(null),
  share_url: Picture,
  cover_image_url: Picture,
  title: Words,
  video_description: Words,
  view_count: Count,
  like_count: Count,
  comment_count: Count,
  share_count: Count,
})
export type Video = z.infer<typeof Video>
/** `cursor` is that of a list's next page if it `has_more`: posts before that time, in milliseconds since 1970. */
export const VideoList = z.object({
  videos: parsable(Video).default([]),
  cursor: z.number().nullable().catch(null),
  has_more: z.boolean().nullable().catch(null),
})

/** A response whose data doesn't matter. */
export const Nothing = z.unknown().transform(() => null)

/** What is encrypted for a channel. `endsAt` is when the sign-in expires: ISO 8601 in UTC. */
export const TikTokSecret = z.object({
  accessToken: z.string().min(1),
  refreshToken: z.string().nullable(),
  endsAt: z.iso.datetime().nullable(),
  openId: z.string(),
  clientId: z.string(),
  scopes: z.array(z.string()),
})
export type TikTokSecret = z.infer<typeof TikTokSecret>

/**
 * Progress of earlier steps. `address` is where the video's pieces are uploaded; `sent` counts those that have arrived.
 */
export const Prepared = z.object({
  publishId: z.string().nullable().catch(null),
  address: z.string().nullable().catch(null),
  sent: z.int().min(0).catch(0),
  failed: z.int().min(0).catch(0),
  /** All pieces but the last have arrived. */
  ready: z.boolean().catch(false),
  /** Everything has arrived: the post is being published, and nothing more is sent. */
  gone: z.boolean().catch(false),
  looks: z.int().min(0).catch(0),
  /** For photos: when we read what the account may do, by TikTok's clock, in ISO 8601. */
  askedAt: z.iso.datetime().nullable().catch(null),
})
export type Prepared = z.infer<typeof Prepared>
