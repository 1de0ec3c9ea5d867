import { z } from 'zod'
import { parsable } from '../ownPosts.ts'

/** Responses of LinkedIn's versioned API, as far as we read them (learn.microsoft.com/linkedin). */

const Words = z.string().catch('')
const Millis = z
  .number()
  .transform((at) => new Date(at))
  .nullable()
  .catch(null)

const Picture = z
  .url({ protocol: /^https?$/ })
  .nullable()
  .catch(null)

/** The member, from OpenID Connect (`/v2/userinfo`). */
export const Me = z
  .object({ sub: z.string().min(1), name: Words, picture: Picture })
  .transform(({ sub, name, picture }) => ({ id: sub, name, picture }))
const Streams = z.object({
  elements: z.array(z.object({ identifiers: z.array(z.object({ identifier: Picture })).catch([]) })).catch([]),
})
/** The member, from the profile (`/v2/me`). Pictures have several sizes, the smallest first. */
export const MemberProfile = z
  .object({
    id: z.string().min(1),
    localizedFirstName: Words,
    localizedLastName: Words,
    profilePicture: z.object({ 'displayImage~': Streams }).nullable().catch(null),
  })
  .transform(({ id, localizedFirstName: first, localizedLastName: last, profilePicture }) => ({
    id,
    name: `${first} ${last}`.trim(),
    picture: profilePicture?.['displayImage~'].elements[0]?.identifiers[0]?.identifier ?? null,
  }))
/** Some versions call `organization` `organizationTarget`. */
export const Roles = z.object({
  elements: z
    .array(
      z.object({
        role: Words,
        state: Words,
        organization: z.string().optional().catch(undefined),
        organizationTarget: z.string().optional().catch(undefined),
      }),
    )
    .catch([]),
})
export const Organization = z.object({ localizedName: Words, vanityName: Words })
export const FoundOrganizations = z.object({
  elements: z
    .array(
      z.object({
        id: z.union([z.number(), z.string()]).transform(String),
        localizedName: z.string().min(1),
        vanityName: Words,
      }),
    )
    .catch([]),
})

export const ImageStart = z.object({
  value: z.object({ uploadUrl: z.url(), image: z.string().startsWith('urn:li:image:') }),
})
export const DocumentStart = z.object({
  value: z.object({ uploadUrl: z.url(), document: z.string().startsWith('urn:li:document:') }),
})
export const VideoStart = z.object({
  value: z.object({
    video: z.string().startsWith('urn:li:video:'),
    uploadToken: Words,
    uploadInstructions: z
      .array(z.object({ uploadUrl: z.url(), firstByte: z.int().nonnegative(), lastByte: z.int().nonnegative() }))
      .min(1),
    thumbnailUploadUrl: z.url().nullable().catch(null),
  }),
})
export const Asset = z.object({
  status: z.enum(['WAITING_UPLOAD', 'PROCESSING', 'AVAILABLE', 'PROCESSING_FAILED']).catch('PROCESSING'),
})

export const Post = z.object({
  id: Words,
  commentary: Words,
  lifecycleState: Words,
  createdAt: Millis,
  publishedAt: Millis,
  content: z.unknown().optional(),
})
export type Post = z.infer<typeof Post>
/** A response that can't be parsed isn't an empty list, which would mean that a post doesn't exist. */
export const Posts = z.object({ elements: z.array(Post) })
const AuthoredPost = z.object({
  id: z.string().regex(/^urn:li:(?:share|ugcPost):\d+$/),
  author: Words,
  commentary: Words,
  lifecycleState: Words,
  createdAt: Millis,
  publishedAt: Millis,
  distribution: z.object({ feedDistribution: Words }).catch({ feedDistribution: '' }),
  reshareContext: z.unknown().optional(),
})
export type AuthoredPost = z.infer<typeof AuthoredPost>
export const AuthoredPosts = z.object({ elements: parsable(AuthoredPost) })
export const Comment = z.object({
  id: z.union([z.string(), z.number()]).transform(String).catch(''),
  commentUrn: Words,
  actor: Words,
  message: z.object({ text: Words }).catch({ text: '' }),
  created: z.object({ time: Millis }).catch({ time: null }),
})
export const Comments = z.object({ elements: z.array(Comment) })
/** Who wrote something, where LinkedIn names them: a member or a Page. */
export const NOBODY = {
  localizedFirstName: '',
  localizedLastName: '',
  localizedName: '',
  vanityName: '',
  profilePicture: null,
}
const Actor = z.object({
  localizedFirstName: Words,
  localizedLastName: Words,
  localizedName: Words,
  vanityName: Words,
  profilePicture: z.object({ 'displayImage~': Streams }).nullable().catch(null),
})
const When = z.object({ time: Millis }).catch({ time: null })
const SocialComment = z.object({
  commentUrn: z.string().startsWith('urn:li:comment:'),
  actor: Words,
  'actor~': Actor.catch(NOBODY),
  message: z.object({ text: Words }).catch({ text: '' }),
  content: z.array(z.object({ url: Picture })).catch([]),
  created: When,
  lastModified: When,
  commentsSummary: z.object({ totalFirstLevelComments: z.number().catch(0) }).catch({ totalFirstLevelComments: 0 }),
})
export type SocialComment = z.infer<typeof SocialComment>
export const SocialComments = z.object({
  elements: z.array(SocialComment),
  paging: z.object({ total: z.number().nullable().catch(null) }).catch({ total: null }),
})
const Decorated = z.object({ entity: Words, owner: Words, text: Words })
const SocialNote = z.object({
  action: Words,
  sourcePost: Words,
  generatedActivity: Words,
  decoratedSourcePost: Decorated.nullable().catch(null),
  decoratedGeneratedActivity: z
    .object({ share: Decorated.nullable().catch(null), ugcPost: Decorated.nullable().catch(null) })
    .catch({ share: null, ugcPost: null }),
  lastModifiedAt: Millis,
})
export type SocialNote = z.infer<typeof SocialNote>
/** What happened to a Page (organizations/organization-social-action-notifications). */
export const SocialNotes = z.object({ elements: z.array(SocialNote) })
const Count = z.number().catch(0)
export const ShareStatistics = z.object({
  elements: z
    .array(
      z.object({
        share: z.string().optional(),
        ugcPost: z.string().optional(),
        totalShareStatistics: z.object({
          impressionCount: Count,
          uniqueImpressionsCount: Count,
          clickCount: Count,
          likeCount: Count,
          commentCount: Count,
          shareCount: Count,
        }),
      }),
    )
    .catch([]),
})
export const MemberFigure = z.object({
  elements: z.array(z.object({ count: z.number().int().nonnegative() })).catch([]),
})
export const Anything = z.unknown()

/** What is encrypted for a channel. `author` is the person or organization; times are ISO 8601 in UTC. */
export const LinkedInSecret = z.object({
  accessToken: z.string().min(1),
  refreshToken: z.string().nullable(),
  refreshEndsAt: z.iso.datetime().nullable(),
  endsAt: z.iso.datetime().nullable(),
  author: z.string().regex(/^urn:li:(person|organization):/),
  clientId: z.string(),
  scopes: z.array(z.string()),
})
export type LinkedInSecret = z.infer<typeof LinkedInSecret>

/** The progress of each file: its URN, and how far it is. `pieces` are the ETags of a video's pieces, in order. */
export const Upload = z.object({
  urn: z.string(),
  state: z.enum(['uploaded', 'waits', 'ready']),
  token: z.string().optional(),
  pieces: z.array(z.string()).optional(),
})
export type Upload = z.infer<typeof Upload>
export const Uploads = z.object({
  files: z.record(z.string(), Upload).catch({}),
  looks: z.number().catch(0),
  failed: z.number().catch(0),
})
export type Uploads = z.infer<typeof Uploads>
