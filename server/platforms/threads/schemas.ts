import { z } from 'zod'
import { containerStates } from '../graphContainers.ts'
import { edgeOf, GraphId, GraphTime } from '../graph.ts'
import { edgeWithout } from '../graphTimeline.ts'

/** Responses of the Threads API, as far as we read them (developers.facebook.com/docs/threads). */

export const Made = z.object({ id: GraphId })
export const Profile = z.object({
  id: GraphId,
  username: z.string().catch(''),
  name: z.string().catch(''),
  threads_profile_picture_url: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .catch(null),
})
export const Container = z.object({
  id: GraphId,
  status: z.enum(containerStates),
  error_message: z.string().nullable().catch(null),
})
export const Media = z.object({
  id: GraphId,
  permalink: z.string().catch(''),
  text: z.string().catch(''),
  timestamp: GraphTime,
  username: z.string().catch(''),
  is_reply: z.boolean().catch(false),
  replied_to: z.object({ id: GraphId }).nullable().catch(null),
})
export type Media = z.infer<typeof Media>
export const MediaList = edgeOf(Media)
const PictureUrl = z
  .url({ protocol: /^https?$/ })
  .nullable()
  .catch(null)
const OwnThread = z.object({
  id: GraphId,
  /** `REPOST_FACADE` is a repost. */
  media_type: z.string().catch(''),
  text: z.string().catch(''),
  permalink: z.string().catch(''),
  timestamp: GraphTime,
  media_url: PictureUrl,
  thumbnail_url: PictureUrl,
})
export type OwnThread = z.infer<typeof OwnThread>
export const OwnThreads = edgeWithout(OwnThread)
/** A profile of someone else (docs/threads/threads-profiles, profile discovery). */
export const PublicProfile = z.object({
  username: z.string().catch(''),
  name: z.string().catch(''),
  profile_picture_url: PictureUrl,
  follower_count: z.int().nonnegative().nullable().catch(null),
})
export const Thing = z.object({ id: GraphId })
const Ref = Thing.nullable().catch(null)
/** A post or reply as the inbox reads it. Of others only the name is shown. */
export const Said = Media.extend({
  media_type: z.string().catch(''),
  media_url: z.string().catch(''),
  alt_text: z.string().nullable().catch(null),
  has_replies: z.boolean().catch(false),
  root_post: Ref,
  is_reply_owned_by_me: z.boolean().catch(false),
  hide_status: z.string().catch(''),
  is_quote_post: z.boolean().catch(false),
})
export type Said = z.infer<typeof Said>
export const SaidList = edgeOf(Said)
export const Deleted = z.object({ success: z.boolean().catch(true) })

/** What is encrypted for a channel. Times are ISO 8601 in UTC; `issuedAt` says from when the token can be renewed. */
export const ThreadsSecret = z.object({
  accessToken: z.string().min(1),
  userId: z.string(),
  issuedAt: z.iso.datetime().nullable(),
  clientId: z.string(),
  scopes: z.array(z.string()),
})
export type ThreadsSecret = z.infer<typeof ThreadsSecret>
