import { z } from 'zod'
import type { AddressKind } from './webAddresses.ts'

/** Keys in the API; `twitter` is accepted for x. */
export const platformKeys = [
  'facebook',
  'instagram',
  'linkedin',
  'x',
  'youtube',
  'pinterest',
  'tiktok',
  'threads',
  'mastodon',
  'bluesky',
  'googlemybusiness',
] as const
export const PlatformKey = z.preprocess((key) => (key === 'twitter' ? 'x' : key), z.enum(platformKeys))
export type PlatformKey = (typeof platformKeys)[number]

/**
 * Apps registered with platforms, by name: one per platform, with the platform's name, plus further ones where a
 * platform grants some permissions only to a separate app. LinkedIn's Community Management API must be the only product
 * of its app.
 */
export const appKeys = [...platformKeys, 'linkedin_pages'] as const
export const AppKey = z.preprocess((key) => (key === 'twitter' ? 'x' : key), z.enum(appKeys))
export type AppKey = (typeof appKeys)[number]

const postTypes = ['post', 'reel', 'story', 'video', 'shorts', 'offers', 'events', 'update', 'pin'] as const
export const PostType = z.enum(postTypes)
export type PostType = z.infer<typeof PostType>

/**
 * A text limit as data: how the platform counts and how much it accepts. `weighted` is X's count; `links23` is
 * Mastodon's, with graphemes, 23 for every URL unless its server says otherwise, and @name for every mention;
 * `emojibytes` counts an emoji by its UTF-8 bytes (Threads); `shortened` is Bluesky's: graphemes, with links as it shows
 * them, and `shortenedbytes` the UTF-8 bytes of that.
 */
export type TextLimit = {
  unit:
    | 'graphemes'
    | 'characters'
    | 'utf16'
    | 'utf8bytes'
    | 'weighted'
    | 'links23'
    | 'emojibytes'
    | 'shortened'
    | 'shortenedbytes'
  max: number
  /** Replaces `max` for accounts that the platform has verified (contract/platforms/limits.ts). */
  verified?: number
  /**
   * What else in a post counts towards the limit: the content warning before the text; the link, if it has no place of
   * its own next to files (`withLink`); the title, if a video has one text for both (`withTitle`).
   */
  includes?: 'contentWarning' | 'link' | 'title'
  /** How much a URL counts with `links23`, if the account's server says so. */
  addressLength?: number
}

export type ImageRules = {
  most: number
  bytes: number
  /** Smaller files are refused. */
  leastBytes?: number
  /** Accepted content types. */
  types: readonly string[]
  /** Null: the platform accepts no image descriptions. */
  altText: { max: number } | null
  /** Types where a single image fills the post and nothing can accompany it. */
  alone?: readonly string[]
  /** Width divided by height: narrower and wider images are refused. */
  shape?: { narrowest: Ratio; widest: Ratio }
  /** The sides of the largest image, in either orientation. */
  largest?: Sides
  /** Pixels of the largest image: width times height. */
  pixels?: number
  /** The same for images of some types. */
  pixelsOf?: Readonly<Partial<Record<string, number>>>
  /** Pictures that stay moving. All others that move become still there. */
  moves?: Motion
}
export type Sides = { longer: number; shorter: number }
/** What the platform shows as moving, with its own limits where they differ from those of still images. */
export type Motion = {
  types: readonly string[]
  bytes?: number
  frames?: number
  largest?: Sides
  /** More frames are only discouraged. */ unsure?: true
}
/** An aspect ratio of images, as the platform writes it: '4:5'. */
type Ratio = { label: string; value: number }
export type VideoRules = {
  most: number
  bytes: number
  types: readonly string[]
  seconds: { min: number; max: number }
  /** Minimum sides in pixels. */
  least?: { width: number; height: number }
  /** Whether a video has a cover image: required, optional or never. */
  thumbnail: 'required' | 'optional' | 'none'
  /** `upright` refuses videos wider than high. */
  shape?: 'upright'
  /**
   * What it accepts, by the names of files' facts (contract/codecNames.ts); audio isn't judged without a list. With
   * `unsure`, the platform says nothing about others: they're only warned about.
   */
  codecs?: { video: readonly string[]; audio?: readonly string[]; unsure?: true }
  /** Accepted chroma subsampling. */
  chroma?: readonly string[]
  /** Frames per second. */
  frameRate?: { min?: number; max: number }
  /** Maximum sides in either orientation, maximum width, and maximum pixels of a frame. */
  largest?: Sides
  widest?: number
  pixels?: number
}
export type DocumentRules = { most: number; bytes: number; types: readonly string[]; pages: number }

/** What only some platforms ask for, by the names of the post's details (contract/details.ts). */
const detailFields = [
  'link',
  'boardId',
  'playlistId',
  'categoryId',
  'privacy',
  'madeForKids',
  'peopleTags',
  'placeId',
  'contentWarning',
  'callToAction',
  'offer',
  'event',
  'interactions',
  'disclosure',
  'languages',
] as const
export type DetailField = (typeof detailFields)[number]
export type DetailRule = {
  field: DetailField
  required: boolean
  /** The choices, where the list is fixed; the first is never chosen for a person unless `preset`. */
  options?: readonly {
    value: string
    label: string
    /** Offered only for posts with a video, not for images. */ with?: 'video'
    /** What choosing it means, in one sentence. */ hint?: string
    /** The label that the platform then shows to everyone on the post. */ shownAs?: string
    /** Can't be combined with that option of `disclosure`; `problem` says why (contract/postProblems.ts). */
    barredBy?: { disclosure: string; problem: 'branded-content-private' }
  }[]
  /** The options that the account itself may choose from, looked up at the platform. */
  narrowedBy?: LookupKind
  preset?: string
  /** Characters of text. */
  max?: number
}

/** What one platform accepts for one post type. Shared code asks these rules and never tests for a platform's name. */
export type PostRules = {
  postType: PostType
  label: string
  title: {
    max: number
    required: boolean
    /** How it is counted: in characters unless stated. */ unit?: TextLimit['unit']
  } | null
  text: {
    limits: readonly TextLimit[]
    required: boolean
    /** The platform shows no text with this type: what is written stays in Rookery. */ unseen?: true
  }
  /** Characters that neither title nor text may contain. */
  without?: readonly string[]
  images: ImageRules
  videos: VideoRules
  documents: DocumentRules
  mixedMedia: boolean
  /** A post with text only is refused. */
  mediaRequired: boolean
  /** Items beyond the first make a thread. */
  thread: { most: number }
  linkCard: { title: number; description: number } | null
  /** Characters of a comment; `post` if a comment is a post of its own, so the limits of posts apply. */
  firstComment: 'post' | { max: number } | null
  details: readonly DetailRule[]
  /**
   * What the author agrees to by posting, and where to read it; `with` if it applies only when that option of
   * `disclosure` is chosen.
   */
  consent?: readonly { label: string; url: string; with?: string }[]
  /** Counted in the text, if the platform limits them. */
  most?: {
    hashtags?: number
    mentions?: number
    /** Distinct ones, including the post's link. */ links?: number
    cashtags?: number
  }
}

/** What can be looked up at a platform while composing. `creator` is what the account itself may choose (TikTok). */
export const lookupKinds = ['boards', 'playlists', 'categories', 'people', 'places', 'creator'] as const
export type LookupKind = (typeof lookupKinds)[number]
/**
 * A choice: `id` is what the platform expects, `insert` what goes into the text instead of the name, such as `@handle`.
 */
export const LookupItem = z.object({
  id: z.string(),
  name: z.string(),
  detail: z.string().nullable(),
  pictureUrl: z.string().nullable(),
  insert: z.string().nullable(),
})
export type LookupItem = z.infer<typeof LookupItem>
/** The account that the lookup was for, as the platform shows it. */
export const LookupAccount = z.object({ name: z.string(), pictureUrl: z.string().nullable() })
export type LookupAccount = z.infer<typeof LookupAccount>

/** How to register an app with the platform before anyone can sign in there. Shown as a checklist. */
export type AppSetup = {
  /** The app's name where a platform has two: 'LinkedIn Pages'. The platform's name if it's the only one. */
  label?: string
  /** Where to register it. */
  register: { label: string; url: string }
  /** What to do there, in order, in plain words. `{redirect}` stands for the redirect URL to allow. */
  steps: readonly string[]
  /** What the platform calls the two values. */
  clientId: string
  clientSecret: string
  /** The permissions to request. */
  scopes: readonly string[]
  /**
   * Ways to sign in that a person chooses from before leaving; the first is the default. `appOf` names the app for that
   * way, if it isn't the platform's own.
   */
  variants?: readonly { value: string; label: string; description: string; appOf?: AppKey }[]
  /**
   * What a person can't do without each permission, in plain words that follow "Without it, Rookery can't": 'publish
   * posts'.
   */
  rights?: Readonly<Record<string, string>>
  /** The platform fetches media from us, or redirects only to https, so it needs a public https URL. */
  publicHttps: boolean
  /** The platform has a sandbox for apps that may not publish for real yet: what choosing it means, in one sentence. */
  sandbox?: string
}

/** The field for the account's server: `wanted` is shown if it is required and left empty. */
type ServerPrompt = { label: string; placeholder: string; hint: string; wanted: string | null }

export type PlatformRules = {
  key: PlatformKey
  label: string
  /** Null if nothing needs to be registered. */
  app: AppSetup | null
  /** Apps that some ways to sign in need in addition to `app`, each named in its variant's `appOf`. */
  otherApps?: readonly { key: AppKey; setup: AppSetup }[]
  /** Published posts can be boosted from here, by channels connected this way (`app.variants`). */
  promotion?: { variant: string }
  /** What to ask before sending someone to sign in on a federated platform, whose accounts live on separate servers. */
  server?: ServerPrompt
  /** Post types in the order in which the composer offers them. */
  posts: readonly PostRules[]
  /** Parts of a text that the platform shows as links, found by the same code for preview and publishing. */
  findSpans: (text: string) => Span[]
  /** How the platform itself recognizes URLs, where that is known better than by `findSpans`. */
  addresses?: AddressKind
}

/** A stretch of text that becomes a link, mention or hashtag. Offsets are UTF-16 indices into the text. */
export type Span = { kind: 'link' | 'mention' | 'tag'; start: number; end: number; value: string }

/** Whether a limit counts bytes rather than characters. */
export const countsBytes = ({ unit }: Pick<TextLimit, 'unit'>): boolean =>
  unit === 'utf8bytes' || unit === 'shortenedbytes'
