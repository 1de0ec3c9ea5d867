import { z } from 'zod'
import { parsable } from '../ownPosts.ts'
import { withoutEmojiCodes } from './text.ts'

/** Responses of Mastodon's API, as far as we read them (docs.joinmastodon.org, entities). */

const Id = z.union([z.string().min(1), z.number().int().nonnegative()]).transform(String)
const Time = z
  .string()
  .transform((text) => {
    const at = new Date(text)
    return Number.isNaN(at.getTime()) ? null : at
  })
  .nullable()
  .catch(null)
const Address = z
  .url({ protocol: /^https?$/ })
  .nullable()
  .catch(null)
const Count = z.number().int().nonnegative().nullable().catch(null)

export const RegisteredApp = z.object({ client_id: z.string().min(1), client_secret: z.string().min(1) })
/** An app's own token; only its presence matters. */
export const AppToken = z.object({ access_token: z.string().min(1) })
export const OAuthProblem = z.object({ error: z.string().catch('') }).catch({ error: '' })
/** A person's name, and the custom emoji in it (entities, CustomEmoji), whose codes are left out. */
export const Named = {
  display_name: z.string().catch(''),
  emojis: z.array(z.object({ shortcode: z.string().min(1) })).catch([]),
}
export const named = <T extends { display_name: string; emojis: { shortcode: string }[] }>({ emojis, ...one }: T) => ({
  ...one,
  display_name: withoutEmojiCodes(one.display_name, emojis),
})
export const Credentials = z
  .object({
    id: Id,
    username: z.string().min(1),
    acct: z.string().catch(''),
    ...Named,
    avatar: Address,
  })
  .transform(named)
export const People = z.array(z.object({ id: Id, acct: z.string().min(1), ...Named, avatar: Address }).transform(named))
/** The author of a status. `acct` includes the server for accounts on other servers. */
const Author = z
  .object({
    id: Id,
    acct: z.string().catch(''),
    ...Named,
    url: Address,
    avatar: Address,
  })
  .transform(named)
/** An attachment has no `url` while the server works on it. */
export const Attachment = z.object({ id: Id, url: z.string().nullable().catch(null) })
export const Status = z.object({
  id: Id,
  url: Address,
  content: z.string().catch(''),
  spoiler_text: z.string().catch(''),
  created_at: Time,
  in_reply_to_id: Id.nullable().catch(null),
  account: z.object({ id: Id }).nullable().catch(null),
  /** The app that posted it, which servers include in the account's own statuses. */
  application: z.object({ name: z.string() }).nullable().catch(null),
  media_attachments: z.array(Attachment).default([]),
  replies_count: Count,
  reblogs_count: Count,
  favourites_count: Count,
  quotes_count: Count,
})
export type Status = z.infer<typeof Status>
export const Statuses = z.array(Status)
/** A status in the account's own list. Only its ID is needed to go on after it. */
const ListedStatus = z.object({
  id: Id,
  url: Address,
  content: z.string().catch(''),
  spoiler_text: z.string().catch(''),
  visibility: z.string().catch(''),
  created_at: Time,
  in_reply_to_id: Id.nullable().catch(null),
  reblog: z.unknown().optional(),
  account: z.object({ id: Id }).nullable().catch(null),
  media_attachments: z.array(z.object({ preview_url: Address })).catch([]),
  replies_count: Count,
  reblogs_count: Count,
  favourites_count: Count,
  quotes_count: Count,
})
export type ListedStatus = z.infer<typeof ListedStatus>
export const Timeline = parsable(ListedStatus)
/** The original text, before the server converted it to HTML (methods/statuses, source). */
export const StatusSource = z.object({ text: z.string() })
export const Context = z.object({ descendants: Statuses.catch([]) })

/** A status in a conversation (entities, Status; `quote` since 4.5). */
export const Spoken = z.object({
  id: Id,
  url: Address,
  content: z.string().catch(''),
  spoiler_text: z.string().catch(''),
  visibility: z.string().catch('public'),
  created_at: Time,
  edited_at: Time,
  in_reply_to_id: Id.nullable().catch(null),
  in_reply_to_account_id: Id.nullable().catch(null),
  account: Author,
  mentions: z
    .array(z.object({ id: Id, acct: z.string().catch(''), username: z.string().catch(''), url: Address }))
    .catch([]),
  media_attachments: z
    .array(
      z.object({ type: z.string().catch(''), url: Address.optional(), description: z.string().nullable().catch(null) }),
    )
    .catch([]),
})
export type Spoken = z.infer<typeof Spoken>
/** Statuses that can't be parsed are left out, so that one doesn't stop the reading. */
export const SpokenList = parsable(Spoken)
/** A status's ancestors, oldest first (methods/statuses, context). */
export const Ancestors = z.object({ ancestors: SpokenList })
const Quote = z
  .object({ quote: z.object({ quoted_status: Spoken.nullable().catch(null) }).nullable() })
  .nullable()
  .catch(null)
export const Notifications = z.array(
  z.object({
    id: Id,
    type: z.string(),
    created_at: Time,
    status: z.unknown().transform((status) => {
      const spoken = Spoken.safeParse(status)
      return spoken.success ? { ...spoken.data, quoted: Quote.parse(status)?.quote?.quoted_status ?? null } : null
    }),
  }),
)
export const Anything = z.unknown()

/** `server_key`: by which the server signs (entities, WebPushSubscription). */
export const PushSubscription = z.object({ server_key: z.string().min(1) })
/** What a server sends (Web::NotificationSerializer). It also holds a token of the account, which nobody keeps here. */
export const Pushed = z.object({ notification_type: z.string() })

const Most = z.number().int().positive().nullable().catch(null)
/** The limits that an instance publishes (entities, Instance); null where it doesn't. */
export const Instance = z.object({
  domain: z.string().min(1).nullable().catch(null),
  configuration: z
    .object({
      statuses: z
        .object({ max_characters: Most, max_media_attachments: Most, characters_reserved_per_url: Most })
        .catch({ max_characters: null, max_media_attachments: null, characters_reserved_per_url: null }),
      media_attachments: z
        .object({
          supported_mime_types: z.array(z.string()).nullable().catch(null),
          image_size_limit: Most,
          image_matrix_limit: Most,
          video_size_limit: Most,
          video_matrix_limit: Most,
          video_frame_rate_limit: Most,
          description_limit: Most,
        })
        .catch({
          supported_mime_types: null,
          image_size_limit: null,
          image_matrix_limit: null,
          video_size_limit: null,
          video_matrix_limit: null,
          video_frame_rate_limit: null,
          description_limit: null,
        }),
    })
    .nullable()
    .catch(null),
})

/** The limits of an instance; null where unknown. Sizes in bytes. */
export const Limits = z.object({
  attachments: Most,
  imageBytes: Most,
  videoBytes: Most,
  types: z.array(z.string()).nullable(),
  description: Most,
})
export type Limits = z.infer<typeof Limits>

/** What is encrypted for a channel: its tokens, and its instance's limits. */
export const MastodonSecret = z.object({
  accessToken: z.string().min(1),
  origin: z.url(),
  domain: z.string(),
  userId: z.string(),
  username: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  scopes: z.array(z.string()),
  limits: Limits,
})
export type MastodonSecret = z.infer<typeof MastodonSecret>

/**
 * Progress of a post's or follow-up's files: each file's ID at the server, whether it's processed, how often it was
 * checked, and whether everything was ready before, in which case a second preparation checks that it still is.
 */
export const Uploads = z.object({
  files: z.record(z.string(), z.object({ id: z.string(), isReady: z.boolean() })).catch({}),
  looks: z.number().catch(0),
  wasReady: z.boolean().catch(false),
})
export type Uploads = z.infer<typeof Uploads>
