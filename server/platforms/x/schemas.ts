import { z } from 'zod'
import { parsable } from '../ownPosts.ts'

/** Responses of the X API v2, as far as we read them (docs.x.com, openapi.json 2.167). */

const XId = z.string().regex(/^\d{1,19}$/)
const Count = z.number().int().nonnegative().nullable().catch(null)
const Time = z
  .string()
  .transform((text) => (Number.isNaN(Date.parse(text)) ? null : new Date(text)))
  .nullable()
  .catch(null)

export const Me = z.object({
  data: z.object({
    id: XId,
    name: z.string().catch(''),
    username: z.string().min(1),
    profile_image_url: z
      .url({ protocol: /^https?$/ })
      .nullable()
      .catch(null),
    verified: z.boolean().nullable().catch(null),
    verified_type: z.string().nullable().catch(null),
    subscription_type: z.string().nullable().catch(null),
  }),
})
export type Me = z.infer<typeof Me>
/** A response that has both data and `errors` was still carried out. */
export const Made = z.object({ data: z.object({ id: XId }) })
export const Deleted = z.object({ data: z.object({ deleted: z.boolean() }) })
export const Anything = z.unknown()

const Url = z.object({
  url: z.string(),
  expanded_url: z.string().catch(''),
  media_key: z.string().nullable().catch(null),
})
const Urls = z.object({ urls: z.array(Url).catch([]) }).catch({ urls: [] })
const Long = z.object({ text: z.string(), entities: Urls })

/**
 * X's documentation and API description use different names: `retweet_count` and `repost_count`, `note_tweet` and
 * `note_post`.
 */
export const Post = z
  .object({
    id: XId,
    text: z.string().catch(''),
    created_at: Time,
    conversation_id: XId.nullable().catch(null),
    entities: Urls,
    attachments: z.object({ media_keys: z.array(z.string()).catch([]) }).catch({ media_keys: [] }),
    note_tweet: Long.nullable().catch(null),
    note_post: Long.nullable().catch(null),
    public_metrics: z
      .object({
        retweet_count: Count,
        repost_count: Count,
        reply_count: Count,
        like_count: Count,
        quote_count: Count,
        bookmark_count: Count,
        impression_count: Count,
      })
      .nullable()
      .catch(null),
    non_public_metrics: z
      .object({ url_link_clicks: Count, user_profile_clicks: Count, engagements: Count })
      .nullable()
      .catch(null),
  })
  .transform(({ note_tweet, note_post, ...post }) => ({ ...post, long: note_tweet ?? note_post }))
export type Post = z.infer<typeof Post>
/** Without `data` if there is nothing, or nothing that we may see. */
export const OnePost = z.object({ data: Post.optional() })
/** Without `data` if there is nothing; `next_token` is absent on the last page. */
export const Posts = z.object({
  data: z.array(Post).default([]),
  meta: z.object({ next_token: z.string().nullable().catch(null) }).catch({ next_token: null }),
})

const OwnPost = Post.and(z.object({ edit_history_tweet_ids: z.array(XId).catch([]) }))
export type OwnPost = z.infer<typeof OwnPost>
/** A page of the account's own posts; `oldest_id` is that of the last one, even if it can't be parsed. */
export const OwnTimeline = z.object({
  data: parsable(OwnPost).default([]),
  meta: z
    .object({ next_token: z.string().nullable().catch(null), oldest_id: XId.nullable().catch(null) })
    .catch({ next_token: null, oldest_id: null }),
})

const MentionUser = z.object({
  id: XId,
  name: z.string().catch(''),
  username: z.string().catch(''),
  profile_image_url: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .catch(null),
})
export type MentionUser = z.infer<typeof MentionUser>
/** What a post is beside its words, for posts of others. */
const About = z.object({
  author_id: XId.nullable().catch(null),
  in_reply_to_user_id: XId.nullable().catch(null),
  edit_history_tweet_ids: z.array(XId).catch([]),
})
const Mention = Post.and(About)
export type Mention = z.infer<typeof Mention>
export const Mentions = Posts.extend({
  data: z.array(Mention).default([]),
  includes: z.object({ users: z.array(MentionUser).catch([]) }).catch({ users: [] }),
})

/** A direct message (docs.x.com, direct messages; DmEvent). */
const DirectMessage = z.object({
  id: XId,
  text: z.string().catch(''),
  sender_id: z.string().catch(''),
  dm_conversation_id: z.string().catch(''),
  created_at: Time,
  attachments: z
    .object({ media_keys: z.array(z.string()).nullable().catch(null) })
    .nullable()
    .catch(null),
})
export type DirectMessage = z.infer<typeof DirectMessage>
export const DirectMessages = Posts.extend({
  data: z.array(DirectMessage).default([]),
  includes: z.object({ users: z.array(MentionUser).catch([]) }).catch({ users: [] }),
})
export const SentMessage = z.object({ data: z.object({ dm_event_id: XId }) })

const Processing = z.object({
  state: z.enum(['pending', 'in_progress', 'succeeded', 'failed']),
  check_after_secs: z.number().nonnegative().catch(5),
  error: z
    .object({ name: z.string().catch(''), message: z.string().catch('') })
    .nullable()
    .catch(null),
})
export const Upload = z.object({ data: z.object({ id: XId, processing_info: Processing.nullable().catch(null) }) })

/** An error (docs.x.com, error handling): a problem, and sometimes a list of details. */
export const Problem = z.object({
  type: z.string().catch(''),
  title: z.string().catch(''),
  detail: z.string().catch(''),
  reason: z.string().catch(''),
  errors: z.array(z.object({ message: z.string().catch(''), detail: z.string().catch('') })).catch([]),
})

/** What is encrypted for a channel. The refresh token can be used once. */
export const XSecret = z.object({
  accessToken: z.string().min(1),
  refreshToken: z.string().min(1).nullable(),
  userId: XId,
  clientId: z.string(),
  scopes: z.array(z.string()),
})
export type XSecret = z.infer<typeof XSecret>

/** One uploaded file: its ID at X, its size in bytes, and whether a post can show it. */
const Uploaded = z.object({
  id: XId,
  sent: z.int().nonnegative(),
  finalized: z.boolean(),
  ready: z.boolean(),
  looks: z.int(),
})
export type Uploaded = z.infer<typeof Uploaded>
/** Files by item, position and asset. */
export const Prepared = z.object({ media: z.record(z.string(), Uploaded).catch({}) })

/** An account by its username; absent if there is none. */
export const FoundUser = z.object({
  data: z
    .object({
      id: z.string(),
      name: z.string().catch(''),
      username: z.string(),
      profile_image_url: z
        .url({ protocol: /^https?$/ })
        .nullable()
        .catch(null),
    })
    .optional(),
})
