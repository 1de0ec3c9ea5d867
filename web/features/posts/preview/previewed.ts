import type { AdditionalDetails } from '#contract/content.ts'
import type { PlatformKey, PostType } from '#contract/platforms/rules.ts'

/** A file of a post. Without a kind it is a picture. */
export type PreviewImage = {
  key: string
  url: string
  altText: string
  width: number | null
  height: number | null
  kind?: 'image' | 'video' | 'document'
  /** The picture that was chosen to stand for a video. */
  posterUrl?: string | null
  pages?: number | null
}
export type PreviewCard = { uri: string; title: string; description: string; imageUrl: string | null }

/** What a preview shows: one post on one account, before or after it went out. */
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
  /** Stands before a post that is hidden behind it. */
  warning?: string | undefined
  event?: AdditionalDetails['event']
  offer?: AdditionalDetails['offer']
  /** The words on its button. */
  button?: string | undefined
  /** All of it is shown, also what the platform shows only after a tap. */
  whole?: boolean
  /** Ready to show, such as "now" or "19 Nov". */
  when: string
}
