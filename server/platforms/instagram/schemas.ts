import { z } from 'zod'
import { containerStates } from '../graphContainers.ts'
import { edgeOf, GraphId, GraphTime } from '../graph.ts'
import { edgeWithout } from '../graphTimeline.ts'

/** Responses of the Instagram Platform, as far as we read them (facebook-business-sdk-codegen; content publishing). */

export const Made = z.object({ id: GraphId })
export const Success = z.object({ success: z.boolean().catch(true) })
/** A list, or comma-separated text. */
export const Permissions = z.object({
  permissions: z.union([z.array(z.string()), z.string().transform((text) => text.split(/[\s,]+/).filter(Boolean))]),
})
const Url = z
  .url({ protocol: /^https?$/ })
  .nullable()
  .catch(null)
/** `user_id` identifies the account in calls; `id` is only valid within the app. */
export const Me = z.object({
  user_id: GraphId.nullable().catch(null),
  id: GraphId,
  username: z.string().catch(''),
  name: z.string().catch(''),
  profile_picture_url: Url,
})
export const Container = z.object({ id: GraphId, status_code: z.enum(containerStates), status: z.string().catch('') })
export const Media = z.object({
  id: GraphId,
  permalink: z.string().catch(''),
  caption: z.string().catch(''),
  timestamp: GraphTime,
})
export const MediaList = edgeOf(Media)
const Count = z.int().nonnegative().nullable().catch(null)
const OwnMedium = z.object({
  id: GraphId,
  caption: z.string().catch(''),
  media_type: z.string().catch(''),
  media_product_type: z.string().catch(''),
  permalink: z.string().catch(''),
  timestamp: GraphTime,
  media_url: Url,
  thumbnail_url: Url,
  /** Left out where the account hides likes. */
  like_count: Count,
  comments_count: Count,
})
export type OwnMedium = z.infer<typeof OwnMedium>
export const OwnMedia = edgeWithout(OwnMedium)
export const FoundHashtags = z.object({ data: z.array(z.object({ id: GraphId })) })
export const HashtagMedia = edgeWithout(
  OwnMedium.pick({
    id: true,
    caption: true,
    media_type: true,
    timestamp: true,
    like_count: true,
    comments_count: true,
  }).extend({ permalink: Url }),
)
export const CommentList = edgeOf(
  z.object({ id: GraphId, text: z.string().catch(''), username: z.string().catch(''), timestamp: GraphTime }),
)
export const Thing = z.object({ id: GraphId })
const said = {
  id: GraphId,
  text: z.string().catch(''),
  timestamp: GraphTime,
  username: z.string().catch(''),
  hidden: z.boolean().catch(false),
  /** Withheld of some people; the name may be all that is shown. */
  from: z
    .object({ id: GraphId, username: z.string().catch('') })
    .nullable()
    .catch(null),
  parent_id: GraphId.nullable().catch(null),
}
/** A comment as the inbox reads it, with the replies to it. */
export const Comment = z.object({
  ...said,
  replies: z.object({ data: z.array(z.object(said)) }).catch({ data: [] }),
})
export const Comments = edgeOf(Comment)
export const CommentedMedia = edgeOf(Media.extend({ comments: Comments.catch({ data: [], paging: { next: null } }) }))
export const TaggedMedia = edgeOf(
  Media.extend({
    username: z.string().catch(''),
    media_type: z.string().catch(''),
    media_url: z.string().catch(''),
  }),
)
export const PublishingLimit = z.object({
  data: z.array(
    z.object({
      quota_usage: z.int().nonnegative(),
      config: z.object({ quota_total: z.int().positive() }).nullable().catch(null),
    }),
  ),
})
export const Discovered = z.object({
  business_discovery: z.object({
    id: GraphId.nullable().catch(null),
    username: z.string(),
    name: z.string().catch(''),
    profile_picture_url: Url,
    followers_count: Count,
    media_count: Count,
    media: OwnMedia.catch({ data: [], paging: { next: null } }),
  }),
})

/** What is encrypted for a channel: its own token, or that of the linked Page. Times are ISO 8601 in UTC. */
export const InstagramSecret = z.object({
  login: z.enum(['instagram', 'facebook']),
  accessToken: z.string().min(1),
  userId: z.string(),
  issuedAt: z.iso.datetime().nullable(),
  clientId: z.string(),
  scopes: z.array(z.string()),
})
export type InstagramSecret = z.infer<typeof InstagramSecret>
