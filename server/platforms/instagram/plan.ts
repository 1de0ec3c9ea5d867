import { because } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import type { Form, Planned } from '../graphContainers.ts'
import type { MediaFile, Outgoing, Refusal } from '../platform.ts'

const needsUrl: Refusal = {
  kind: 'rejected',
  reason: { ...because('instagram-no-public-address'), platformCode: 'no-public-address' },
}
const needsMedia: Refusal = {
  kind: 'rejected',
  reason: { ...because('instagram-no-media'), platformCode: 'no-media' },
}

const Tags = z.array(z.object({ userId: z.string(), name: z.string() })).catch([])
const isVideo = ({ contentType }: MediaFile): boolean => contentType.startsWith('video/')

/**
 * The containers of a post, or a refusal if Instagram couldn't fetch its files. A single feed video is a reel, because
 * Instagram has no other kind.
 */
export function planOf(post: Pick<Outgoing, 'postType' | 'contents' | 'details'>): Planned {
  const { text = '', media = [] } = post.contents[0] ?? {}
  const [first] = media
  if (!first) return needsMedia
  if (media.some((file) => file.url() === null)) return needsUrl
  const one = (form: Form): Planned => ({ kind: 'plan', plan: { children: [], post: () => form } })
  // stories can't have text, places or tagged people
  if (post.postType === 'story') return one({ media_type: 'STORIES', ...addressOf(first) })
  const common = { caption: text || undefined, location_id: placeOf(post) }
  if (media.length > 1)
    return {
      kind: 'plan',
      plan: {
        children: media.map((file, index) => childOf(file, index === taggedIndex(media) ? post : undefined)),
        post: (children) => ({ media_type: 'CAROUSEL', children: children.join(','), ...common }),
      },
    }
  if (!isVideo(first))
    return one({ ...addressOf(first), alt_text: first.altText || undefined, user_tags: tagsOf(post, true), ...common })
  return one({
    media_type: 'REELS',
    ...addressOf(first),
    ...coverOf(first),
    share_to_feed: 'true',
    user_tags: tagsOf(post, false),
    ...common,
  })
}

function childOf(file: MediaFile, tagged: Pick<Outgoing, 'details'> | undefined): Form {
  const common = { is_carousel_item: 'true', ...addressOf(file), user_tags: tagged && tagsOf(tagged, !isVideo(file)) }
  return isVideo(file) ? { media_type: 'VIDEO', ...common } : { ...common, alt_text: file.altText || undefined }
}

const addressOf = (file: MediaFile): Form =>
  isVideo(file) ? { video_url: file.url() ?? undefined } : { image_url: file.url() ?? undefined }

/** The chosen cover picture, or else the chosen moment of the video. */
function coverOf({ thumbnail, thumbnailSeconds }: MediaFile): Form {
  const cover = thumbnail?.url()
  if (cover) return { cover_url: cover }
  return thumbnailSeconds === undefined ? {} : { thumb_offset: String(Math.round(thumbnailSeconds * 1000)) }
}

/** In posts with several files, people are tagged in the first picture, or else in the first video. */
const taggedIndex = (media: readonly MediaFile[]): number =>
  Math.max(
    0,
    media.findIndex((file) => !isVideo(file)),
  )

/** Tags in a picture have a position: side by side in its lower third. */
function tagsOf({ details }: Pick<Outgoing, 'details'>, onPicture: boolean): string | undefined {
  const names = Tags.parse(details.peopleTags).map(({ userId }) => userId.replace(/^@/, ''))
  if (names.length === 0) return undefined
  return JSON.stringify(
    names.map((username, index) =>
      onPicture ? { username, x: round((index + 1) / (names.length + 1)), y: 0.8 } : { username },
    ),
  )
}
const round = (value: number): number => Math.round(value * 100) / 100

const placeOf = ({ details }: Pick<Outgoing, 'details'>): string | undefined =>
  typeof details.placeId === 'string' && details.placeId ? details.placeId : undefined
