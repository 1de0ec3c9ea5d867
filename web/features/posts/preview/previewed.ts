import type { AdditionalDetails } from '#contract/content.ts'
import type { PlatformKey, PostType } from '#contract/platforms/rules.ts'

/** A file of a post. Without a kind, it's an image. */
export type PreviewImage = {
  key: string
  url: string
  altText: string
  width: number | null
  height: number | null
  kind?: 'image' | 'video' | 'document'
  /** The video's thumbnail. */
  posterUrl?: string | null
  pages?: number | null
}
export type PreviewCard = { uri: string; title: string; description: string; imageUrl: string | null }

/** What a preview shows: one post on one account, before or after it was published. */
export type Previewed = {
  platform: PlatformKey
  name: string
  handle: string
  avatarUrl?: string | null
  text: string
  images: readonly PreviewImage[]
  postType?: PostType
  title?: string
  /** The posts after the first. */
  thread?: readonly { key: string; text: string; images: readonly PreviewImage[] }[]
  card: PreviewCard | null
  /** The content warning that hides a post. */
  warning?: string | undefined
  event?: AdditionalDetails['event']
  offer?: AdditionalDetails['offer']
  /** The button's label. */
  button?: string | undefined
  /** Everything is shown, including what the platform only shows after a tap. */
  whole?: boolean
  /** Ready to show, such as "now" or "19 Nov". */
  when: string
}
