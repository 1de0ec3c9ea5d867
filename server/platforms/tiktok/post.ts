import { because, type Reason } from '#contract/failures/catalog.ts'
import { withTitle } from '#contract/platforms/sentText.ts'
import type { MediaFile, Outgoing, Refusal } from '../platform.ts'
import type { Creator } from './schemas.ts'

/* Converts our post to TikTok's format. Pure. */

/** The maximum length of a video's text in UTF-16 units (content-posting-api-reference-direct-post). */
const CAPTION_MAX = 2200

const refused = (reason: Reason, platformCode: string): Refusal => ({
  kind: 'rejected',
  reason: { ...reason, platformCode },
})

const isVideo = ({ contentType }: Pick<MediaFile, 'contentType'>): boolean => contentType.startsWith('video/')
export const videoOf = ({ contents }: Pick<Outgoing, 'contents'>): MediaFile | undefined =>
  contents[0]?.media.find(isVideo)

export const privacyOf = ({ details }: Pick<Outgoing, 'details'>): string =>
  typeof details.privacy === 'string' ? details.privacy : ''

/** The texts of a post: a video has one, photos have a title and a description. */
export function wordsOf(post: Pick<Outgoing, 'contents'>): { title: string; description: string } {
  const { title = '', text = '' } = post.contents[0] ?? {}
  if (!videoOf(post)) return { title: title.trim(), description: text }
  return { title: withTitle(title.trim(), text), description: '' }
}

/** Which interactions are disabled: those that weren't allowed, or that the account has turned off. */
function forbidden(
  { details }: Outgoing,
  creator: Creator,
): { disable_comment: boolean; disable_duet: boolean; disable_stitch: boolean } {
  const allowed =
    typeof details.interactions === 'object' && details.interactions !== null
      ? new Map<string, unknown>(Object.entries(details.interactions))
      : new Map<string, unknown>()
  return {
    disable_comment: creator.comment_disabled || allowed.get('comment') !== true,
    disable_duet: creator.duet_disabled || allowed.get('duet') !== true,
    disable_stitch: creator.stitch_disabled || allowed.get('stitch') !== true,
  }
}

/** What the post promotes, which TikTok labels (content-posting-api-reference-direct-post). */
function disclosed({ details }: Pick<Outgoing, 'details'>): {
  brand_organic_toggle: boolean
  brand_content_toggle: boolean
} {
  const chosen =
    typeof details.disclosure === 'object' && details.disclosure !== null
      ? new Map<string, unknown>(Object.entries(details.disclosure))
      : new Map<string, unknown>()
  return {
    brand_organic_toggle: chosen.get('yourBrand') === true,
    brand_content_toggle: chosen.get('brandedContent') === true,
  }
}

/** Why this account can't publish this post now; undefined if it can. */
export function problemOf(post: Outgoing, creator: Creator): Refusal | undefined {
  const [first] = post.contents[0]?.media ?? []
  const video = videoOf(post)
  const privacy = privacyOf(post)
  if (!first) return refused(because('tiktok-no-media'), 'no-media')
  if (privacy === '') return refused(because('tiktok-no-privacy'), 'no-privacy')
  if (!creator.privacy_level_options.includes(privacy))
    return refused(because('tiktok-viewers'), 'privacy_level_option_mismatch')
  if (privacy === 'SELF_ONLY' && disclosed(post).brand_content_toggle)
    return refused(because('tiktok-branded-private'), 'branded-private')
  const longest = creator.max_video_post_duration_sec
  if (video?.seconds && longest !== null && video.seconds > longest)
    return refused(because('tiktok-video-too-long', { seconds: longest }), 'duration_check_failed')
  if (video && wordsOf(post).title.length > CAPTION_MAX)
    return refused(because('tiktok-text-too-long', { most: CAPTION_MAX }), 'title-too-long')
  if (!video && post.contents[0]?.media.some((file) => file.url() === null))
    return refused(because('tiktok-no-public-address'), 'no-public-address')
  return undefined
}

/** The metadata of a video, within what its creator allows. */
export function videoInfo(post: Outgoing, video: MediaFile, creator: Creator): Record<string, unknown> {
  const { thumbnailSeconds: at } = video
  return {
    ...words(wordsOf(post).title, 'title'),
    privacy_level: privacyOf(post),
    ...forbidden(post, creator),
    ...disclosed(post),
    ...(at !== undefined && { video_cover_timestamp_ms: Math.round(at * 1000) }),
  }
}

/** The same for photos, which also have a title. */
export function photoInfo(post: Outgoing, creator: Creator): Record<string, unknown> {
  const { title, description } = wordsOf(post)
  return {
    ...words(title, 'title'),
    ...words(description, 'description'),
    privacy_level: privacyOf(post),
    disable_comment: forbidden(post, creator).disable_comment,
    ...disclosed(post),
  }
}

const words = (text: string, name: string): Record<string, string> => (text.trim() === '' ? {} : { [name]: text })

/**
 * The size of a piece: TikTok accepts 5 to 64 MB. The last one includes the remainder and publishes the post, so pieces
 * are small.
 */
const PIECE = 8_000_000

/** How a video is cut: `count` is size / chunk, rounded down, as TikTok counts (media-transfer-guide). */
export function cutOf(size: number): { chunk: number; count: number } {
  const count = Math.max(1, Math.floor(size / PIECE))
  return { chunk: count === 1 ? size : PIECE, count }
}

/** The bytes of piece `index` from `start` up to `end` (exclusive). */
export function pieceOf(size: number, index: number): { start: number; end: number } {
  const { chunk, count } = cutOf(size)
  return { start: index * chunk, end: index + 1 === count ? size : (index + 1) * chunk }
}
