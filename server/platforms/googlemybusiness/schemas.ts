import { z } from 'zod'
import { GoogleSecret } from '../google.ts'
import { parsable } from '../ownPosts.ts'

/**
 * Responses of the Business Profile APIs, as far as we read them (developers.google.com/my-business; LocalPost of
 * 2026-04-15).
 */

const Time = z
  .string()
  .transform((text) => (Number.isNaN(Date.parse(text)) ? null : new Date(text)))
  .nullable()
  .catch(null)

export const Accounts = z.object({
  accounts: z
    .array(z.object({ name: z.string().regex(/^accounts\/[^/]+$/), accountName: z.string().catch('') }))
    .catch([]),
  nextPageToken: z.string().optional().catch(undefined),
})
const Address = z.object({ addressLines: z.array(z.string()).catch([]), locality: z.string().catch('') })
const About = z.object({
  mapsUri: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .catch(null),
  canOperateLocalPost: z.boolean().nullable().catch(null),
})
export const Locations = z.object({
  locations: z
    .array(
      z.object({
        name: z.string().regex(/^locations\/[^/]+$/),
        title: z.string().catch(''),
        storefrontAddress: Address.nullable().catch(null),
        metadata: About.catch({ mapsUri: null, canOperateLocalPost: null }),
      }),
    )
    .catch([]),
  nextPageToken: z.string().optional().catch(undefined),
})
export type Location = z.infer<typeof Locations>['locations'][number]

export const LocalPost = z.object({
  name: z.string().regex(/^accounts\/[^/]+\/locations\/[^/]+\/localPosts\/[^/]+$/),
  state: z.string().catch(''),
  summary: z.string().catch(''),
  topicType: z.string().catch(''),
  createTime: Time,
  searchUrl: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .catch(null),
  event: z
    .object({ title: z.string().catch('') })
    .nullable()
    .catch(null),
})
export type LocalPost = z.infer<typeof LocalPost>
const Link = z
  .url({ protocol: /^https?$/ })
  .nullable()
  .catch(null)
const OwnLocalPost = LocalPost.extend({
  scheduledTime: Time,
  media: z.array(z.object({ thumbnailUrl: Link, googleUrl: Link })).catch([]),
})
export type OwnLocalPost = z.infer<typeof OwnLocalPost>
export const OwnLocalPosts = z.object({
  localPosts: parsable(OwnLocalPost).default([]),
  nextPageToken: z.string().optional().catch(undefined),
})
export const LocalPosts = z.object({
  localPosts: z.array(LocalPost).default([]),
  nextPageToken: z.string().optional().catch(undefined),
})
/** One per review, without an id. Google looks at it before it shows it (reviewReplyState, since 2026-04-01). */
export const ReviewReply = z.object({
  comment: z.string().catch(''),
  updateTime: Time,
  reviewReplyState: z.string().catch(''),
})
export type ReviewReply = z.infer<typeof ReviewReply>
export const Review = z.object({
  reviewId: z.string().min(1),
  reviewer: z
    .object({
      displayName: z.string().catch(''),
      profilePhotoUrl: Link,
      isAnonymous: z.boolean().catch(false),
    })
    .catch({ displayName: '', profilePhotoUrl: null, isAnonymous: true }),
  starRating: z.string().catch(''),
  /** Absent if someone only chose stars. */
  comment: z.string().catch(''),
  createTime: Time,
  updateTime: Time,
  reviewReply: ReviewReply.nullable().catch(null),
  reviewMediaItems: z.array(z.object({ thumbnailUrl: Link, videoUrl: Link })).catch([]),
})
export type Review = z.infer<typeof Review>
export const Reviews = z.object({
  reviews: z.array(Review).default([]),
  nextPageToken: z.string().optional().catch(undefined),
})
export const Anything = z.unknown()

/** What is encrypted for a channel. `parent` is the location with its account, which posts need. */
export const BusinessSecret = GoogleSecret.extend({
  parent: z.string().regex(/^accounts\/[^/]+\/locations\/[^/]+$/),
  mapsUri: z.string().nullable(),
})
export type BusinessSecret = z.infer<typeof BusinessSecret>

export const Prepared = z.object({ name: z.string().nullable().catch(null), looks: z.int().catch(0) })
