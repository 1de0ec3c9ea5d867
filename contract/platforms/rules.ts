import { z } from 'zod'
import { asCounted } from './fediverse.ts'
import { withoutAddresses } from './webAddresses.ts'

/** Keys on the wire; `twitter` is accepted for x. */
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
 * Apps that are registered at platforms, by name: one per platform, named like it, and further ones where a platform gives some
 * permissions only to an app of their own. LinkedIn's Community Management API has to be the only product of its app.
 */
export const appKeys = [...platformKeys, 'linkedin_pages'] as const
export const AppKey = z.preprocess((key) => (key === 'twitter' ? 'x' : key), z.enum(appKeys))
export type AppKey = (typeof appKeys)[number]

const postTypes = ['post', 'reel', 'story', 'video', 'shorts', 'offers', 'events', 'update', 'pin'] as const
export const PostType = z.enum(postTypes)
export type PostType = z.infer<typeof PostType>

/**
 * A limit on text as data: how the platform counts, and how much it takes. `weighted` is X's count; `links23` is Mastodon's, with
 * graphemes, 23 for every address unless its server says otherwise, and @name for every mention; `emojibytes` counts an emoji by
 * its UTF-8 bytes (Threads).
 */
export type TextLimit = {
  unit: 'graphemes' | 'characters' | 'utf16' | 'utf8bytes' | 'weighted' | 'links23' | 'emojibytes'
  max: number
  /** Instead of `max` for accounts that the platform has verified (contract/platforms/limits.ts). */
  verified?: number
  /**
   * What else of a post counts towards it: a warning in front of the text; the link, where it has no place of its own beside files
   * (`withLink`); the title, where a video has one text for both (`withTitle`).
   */
  includes?: 'contentWarning' | 'link' | 'title'
  /** What an address counts with `links23`, where the account's server says so. */
  addressLength?: number
}

export type ImageRules = {
  most: number
  bytes: number
  /** Smaller files are refused. */
  leastBytes?: number
  /** Accepted content types. */
  types: readonly string[]
  /** Null: the platform takes no alternative text. */
  altText: { max: number } | null
  /** Types of which one picture fills a post: nothing goes beside it. */
  alone?: readonly string[]
  /** Width by height: narrower and wider pictures are refused. */
  shape?: { narrowest: Ratio; widest: Ratio }
  /** The sides of the largest picture, whichever way up it stands. */
  largest?: { longer: number; shorter: number }
}
/** A shape of pictures, as the platform writes it: '4:5'. */
type Ratio = { label: string; value: number }
export type VideoRules = {
  most: number
  bytes: number
  types: readonly string[]
  seconds: { min: number; max: number }
  /** Shortest sides in pixels. */
  least?: { width: number; height: number }
  /** Whether a picture stands for the video: to be chosen, chosen if wanted, or never. */
  thumbnail: 'required' | 'optional' | 'none'
  /** `upright` refuses videos wider than high. */
  shape?: 'upright'
}
export type DocumentRules = { most: number; bytes: number; types: readonly string[]; pages: number }

/** What only some platforms ask for, by the names of the details that a post carries (contract/details.ts). */
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
  /** What can be chosen, where the list is fixed; the first is never chosen for a person unless `preset`. */
  options?: readonly {
    value: string
    label: string
    /** Nothing where the post holds no video: it isn't offered beside pictures. */ with?: 'video'
    /** What choosing it means, in a sentence. */ hint?: string
    /** What the platform puts on the post then, as a label that everyone sees. */ shownAs?: string
    /** Not together with that option of `disclosure`; `problem` says why (contract/postProblems.ts). */
    barredBy?: { disclosure: string; problem: 'branded-content-private' }
  }[]
  /** What the account itself may choose of the options, looked up at the platform. */
  narrowedBy?: LookupKind
  preset?: string
  /** Characters of a text. */
  max?: number
}

/** What one platform accepts for one post type. Shared code asks these; it never tests a platform's name. */
export type PostRules = {
  postType: PostType
  label: string
  title: {
    max: number
    required: boolean
    /** How it is counted: by characters where nothing is said. */ unit?: TextLimit['unit']
  } | null
  text: {
    limits: readonly TextLimit[]
    required: boolean
    /** The platform shows no text with it: what is written stays here. */ unseen?: true
  }
  /** Signs that neither title nor text may hold. */
  without?: readonly string[]
  images: ImageRules
  videos: VideoRules
  documents: DocumentRules
  mixedMedia: boolean
  /** A post of text alone is refused. */
  mediaRequired: boolean
  /** Items beyond the first make a thread. */
  thread: { most: number }
  linkCard: { title: number; description: number } | null
  /** Characters of a comment; `post` where it is a post of its own, and what holds for posts holds for it. */
  firstComment: 'post' | { max: number } | null
  details: readonly DetailRule[]
  /** What the author agrees to by posting, and where it can be read; `with` only where that option of `disclosure` is chosen. */
  consent?: readonly { label: string; url: string; with?: string }[]
  /** Counted in the text, where the platform limits them. */
  most?: {
    hashtags?: number
    mentions?: number
    /** Different ones, the link of the post among them. */ links?: number
    cashtags?: number
  }
}

/** What can be looked up at a platform while composing. `creator` is what the account itself may choose (TikTok). */
export const lookupKinds = ['boards', 'playlists', 'categories', 'people', 'places', 'creator'] as const
export type LookupKind = (typeof lookupKinds)[number]
/** Something to choose: `id` is what the platform wants to hear, `insert` what goes into the text instead of the name, such as `@handle`. */
export const LookupItem = z.object({
  id: z.string(),
  name: z.string(),
  detail: z.string().nullable(),
  pictureUrl: z.string().nullable(),
  insert: z.string().nullable(),
})
export type LookupItem = z.infer<typeof LookupItem>
/** The account that a look-up was answered for, as the platform shows it. */
export const LookupAccount = z.object({ name: z.string(), pictureUrl: z.string().nullable() })
export type LookupAccount = z.infer<typeof LookupAccount>

/** How an app is registered at the platform before anyone can be signed in there: shown as a checklist. */
export type AppSetup = {
  /** What the app is called beside the platform's other one: 'LinkedIn Pages'. The platform's name where it is the only one. */
  label?: string
  /** Where it is registered. */
  register: { label: string; url: string }
  /** What to do there, in order, in plain words. `{redirect}` stands for the address to allow as the way back. */
  steps: readonly string[]
  /** What the platform calls the two values. */
  clientId: string
  clientSecret: string
  /** Rights that are asked for. */
  scopes: readonly string[]
  /**
   * Ways to sign in that a person chooses from before leaving; the first is the default. `appOf` names the app that signs in that
   * way, where it isn't the platform's own.
   */
  variants?: readonly { value: string; label: string; description: string; appOf?: AppKey }[]
  /**
   * What a person can't do without each right, in plain words that follow "Without it, Rookery can't": 'publish posts'.
   */
  rights?: Readonly<Record<string, string>>
  /** The platform pulls media from us, or returns only to https: it needs a public https address. */
  publicHttps: boolean
  /** The platform has a sandbox for apps that may not publish for real yet: what choosing it means, in a sentence. */
  sandbox?: string
}

/** The field for the server of an account: `wanted` is said where it is left empty and must not be. */
type ServerPrompt = { label: string; placeholder: string; hint: string; wanted: string | null }

export type PlatformRules = {
  key: PlatformKey
  label: string
  /** Null where nothing has to be registered. */
  app: AppSetup | null
  /** Apps that some ways to sign in need besides `app`, each named in its variant's `appOf`. */
  otherApps?: readonly { key: AppKey; setup: AppSetup }[]
  /** Published posts can be promoted for money from here, by channels that were connected this way (`app.variants`). */
  promotion?: { variant: string }
  /** What is asked before leaving for the page of a federated platform, whose accounts live on servers of their own. */
  server?: ServerPrompt
  /** Post types in the order in which the composer offers them. */
  posts: readonly PostRules[]
  /** Parts of a text that the platform shows as links, found by the same code for preview and publishing. */
  findSpans: (text: string) => Span[]
}

/** A stretch of text that becomes a link, mention or hashtag. Offsets are UTF-16 indices into the text. */
export type Span = { kind: 'link' | 'mention' | 'tag'; start: number; end: number; value: string }

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const encoder = new TextEncoder()

/** How long the text is by the platform's own count. `addressLength` is what an address counts where the server of the account has a length of its own. */
export function countText(text: string, unit: TextLimit['unit'], addressLength = ADDRESS_LENGTH): number {
  switch (unit) {
    case 'utf16':
      return text.length
    case 'utf8bytes':
      return encoder.encode(text).length
    case 'characters':
      return Array.from(text).length
    case 'weighted':
      return countWeighted(text)
    case 'links23':
      return countShown(text, addressLength)
    case 'emojibytes':
      return countEmojiBytes(text)
    case 'graphemes':
    default:
      return countGraphemes(text)
  }
}

const ADDRESS_LENGTH = 23
const emoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|[0-9#*]\ufe0f?\u20e3/u
/** Code points that X counts as one; all others count as two (docs.x.com, counting characters). */
const light = (point: number): boolean =>
  point <= 0x10ff ||
  (point >= 0x2000 && point <= 0x200d) ||
  (point >= 0x2010 && point <= 0x201f) ||
  (point >= 0x2032 && point <= 0x2037)

/** X's count: NFC, an address is 23 also where it is written without https://, an emoji with all its parts 2, other characters 1 or 2. */
function countWeighted(text: string): number {
  const { rest, addresses } = withoutAddresses(text.normalize('NFC'), 'named')
  let count = addresses * ADDRESS_LENGTH
  for (const { segment } of segmenter.segment(rest)) {
    // one that stands alone weighs what its character does
    if (segment.length > 1 && emoji.test(segment)) count += 2
    else for (const character of segment) count += light(character.codePointAt(0) ?? 0) ? 1 : 2
  }
  return count
}

function countGraphemes(text: string): number {
  let count = 0
  for (const _ of segmenter.segment(text)) count += 1
  return count
}

/** Mastodon's count: what a reader sees as one character, each address as long as any other, mentions without their server. */
function countShown(text: string, addressLength: number): number {
  const counted = asCounted(text)
  return countGraphemes(counted.text) + counted.addresses * (addressLength - 1)
}

function countEmojiBytes(text: string): number {
  let count = 0
  for (const { segment } of segmenter.segment(text))
    count += emoji.test(segment) ? encoder.encode(segment).length : Array.from(segment).length
  return count
}
