import { z } from 'zod'

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

export const postTypes = ['post', 'reel', 'story', 'video', 'shorts', 'offers', 'events', 'update', 'pin'] as const
export const PostType = z.enum(postTypes)
export type PostType = z.infer<typeof PostType>

/** A limit on text as data: how the platform counts, and how much it takes. */
export type TextLimit = { unit: 'graphemes' | 'characters' | 'utf16' | 'utf8bytes'; max: number }

export type ImageRules = {
  most: number
  bytes: number
  /** Accepted content types. */
  types: readonly string[]
  altText: { max: number }
}

/** What one platform accepts for one post type. Shared code asks these; it never tests a platform's name. */
export type PostRules = {
  postType: PostType
  text: { limits: readonly TextLimit[]; required: boolean }
  images: ImageRules
  videos: { most: number; bytes: number; types: readonly string[]; seconds: { min: number; max: number } }
  mixedMedia: boolean
  documents: number
  /** Items beyond the first make a thread. */
  thread: { most: number }
  linkCard: { title: number; description: number } | null
}

export type PlatformRules = {
  key: PlatformKey
  label: string
  /** Post types in the order in which the composer offers them. */
  posts: readonly PostRules[]
  /** Parts of a text that the platform shows as links, found by the same code for preview and publishing. */
  findSpans: (text: string) => Span[]
}

/** A stretch of text that becomes a link, mention or hashtag. Offsets are UTF-16 indices into the text. */
export type Span = { kind: 'link' | 'mention' | 'tag'; start: number; end: number; value: string }

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const encoder = new TextEncoder()

/** How long the text is by the platform's own count. */
export function countText(text: string, unit: TextLimit['unit']): number {
  if (unit === 'utf16') return text.length
  if (unit === 'utf8bytes') return encoder.encode(text).length
  if (unit === 'characters') return Array.from(text).length
  let count = 0
  for (const _ of segmenter.segment(text)) count += 1
  return count
}
