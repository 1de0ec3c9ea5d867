import { z } from 'zod'
import { parsable } from '../ownPosts.ts'

/** Responses of the Pinterest API, as far as we read them (github.com/pinterest/api-description, v5). */

const Id = z.string().min(1)
const Words = z
  .string()
  .nullable()
  .catch(null)
  .transform((words) => words ?? '')
const Picture = z
  .url({ protocol: /^https?$/ })
  .nullable()
  .catch(null)

/** Times have an offset or are in UTC. */
const Time = z
  .string()
  .transform((text) => {
    const at = new Date(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
    return Number.isNaN(at.getTime()) ? null : at
  })
  .nullable()
  .catch(null)

/** `id` was added later: older responses lack it. */
export const UserAccount = z.object({
  id: z.string().nullable().catch(null),
  username: Id,
  business_name: Words,
  profile_image: Picture,
})

export const Board = z.object({
  id: Id,
  name: z.string(),
  privacy: z.string().catch('PUBLIC'),
  media: z.object({ image_cover_url: Picture }).nullable().catch(null),
})

export const Made = z.object({ id: Id })
export const Pin = z.object({
  id: Id,
  title: Words,
  description: Words,
  link: Words,
  alt_text: Words,
  created_at: Time,
})
export type Pin = z.infer<typeof Pin>

const Figure = z.int().min(0).nullable().catch(null)
const Figures = z.object({
  impression: Figure,
  save: Figure,
  /** The description's example calls outbound clicks `clickthrough`; responses use either name. */
  outbound_click: Figure,
  clickthrough: Figure,
  pin_click: Figure,
  reaction: Figure,
  comment: Figure,
  video_mrc_view: Figure,
  user_follow: Figure,
  profile_visit: Figure,
  /** Milliseconds. */
  video_avg_watch_time: z
    .number()
    .min(0)
    .transform((value) => Math.round(value))
    .nullable()
    .catch(null),
})
/** Lifetime metrics have either of two names. `90d` are those of the last 90 days. */
const PinMetrics = z
  .object({
    lifetime_metrics: Figures.nullable().catch(null),
    all_time: Figures.nullable().catch(null),
    '90d': Figures.nullable().catch(null),
  })
  .nullable()
  .catch(null)
export type PinMetrics = z.infer<typeof PinMetrics>
export const PinFigures = z.object({ id: Id, pin_metrics: PinMetrics })

const Sizes = z.record(z.string(), z.object({ url: Picture }).catch({ url: null })).catch({})
/** A Pin's first picture, or the cover of its video: medium sizes first. */
const PinPicture = z
  .object({
    images: Sizes,
    cover_image_url: Picture,
    items: z
      .array(z.object({ images: Sizes, cover_image_url: Picture }).catch({ images: {}, cover_image_url: null }))
      .catch([]),
  })
  .transform(({ items, ...whole }) => {
    const [first] = [whole, ...items].flatMap(({ images, cover_image_url: cover }) => {
      const sizes = [images['600x'], images['400x300'], ...Object.values(images)].map((one) => one?.url)
      return [cover, ...sizes].flatMap((url) => url ?? [])
    })
    return first ?? null
  })
  .nullable()
  .catch(null)
const OwnPin = z.object({
  id: Id,
  title: Words,
  description: Words,
  created_at: Time,
  is_owner: z.boolean().nullable().catch(null),
  /** Where it was saved from, if it isn't the account's own. */
  parent_pin_id: z.string().nullable().catch(null),
  media: PinPicture,
  pin_metrics: PinMetrics,
})
export type OwnPin = z.infer<typeof OwnPin>
export const OwnPins = z.object({
  items: parsable(OwnPin),
  bookmark: z
    .string()
    .nullable()
    .catch(null)
    .transform((next) => next || null),
})

export const Registered = z.object({
  media_id: Id,
  upload_url: z.url({ protocol: /^https$/ }),
  upload_parameters: z.record(z.string(), z.string()),
})
export const MediaState = z.object({ status: z.enum(['registered', 'processing', 'succeeded', 'failed']) })

/** A response without a body, such as that of a deletion. */
export const Nothing = z.unknown().transform(() => null)

/** What is encrypted for a channel. */
export const PinterestSecret = z.object({
  accessToken: z.string().min(1),
  refreshToken: z.string().nullable(),
  clientId: z.string(),
  scopes: z.array(z.string()),
  /** Whether it was signed in to the sandbox. */ sandbox: z.boolean().default(false),
})
export type PinterestSecret = z.infer<typeof PinterestSecret>

/** Progress of earlier steps: the video at Pinterest, and how often it was checked. */
export const Prepared = z.object({
  mediaId: z.string().nullable().catch(null),
  looks: z.int().catch(0),
  failed: z.int().catch(0),
  ready: z.boolean().catch(false),
  /** The files of the published Pin, which can't be changed. */
  files: z.array(z.string()).nullable().catch(null),
})
export type Prepared = z.infer<typeof Prepared>
