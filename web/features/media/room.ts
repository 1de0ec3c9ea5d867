import type { MediaFacts } from '#contract/checkMedia.ts'
import { MEDIA_FALLBACK } from '#contract/constants.ts'
import type { PostRules } from '#contract/platforms/rules.ts'

type Limits = { images: number; videos: number; documents: number; mixed: boolean; alone: readonly string[] }
const BEFORE: Limits = {
  images: MEDIA_FALLBACK.images,
  videos: MEDIA_FALLBACK.videos,
  documents: 1,
  mixed: false,
  alone: [],
}

const limitsOf = ({ images, videos, documents, mixedMedia }: PostRules): Limits => ({
  images: images.most,
  videos: videos.most,
  documents: documents.most,
  mixed: mixedMedia,
  alone: images.alone ?? [],
})

/**
 * Why another file can't be added to a post, in the specification's words, or undefined. It can as long as any of the
 * chosen channels accepts it with the others; those that don't say so themselves.
 */
export function noRoom(
  rules: readonly PostRules[],
  held: readonly Pick<MediaFacts, 'contentType'>[],
  file: Pick<MediaFacts, 'contentType'>,
): string | undefined {
  const limits = rules.length > 0 ? rules.map(limitsOf) : [BEFORE]
  const reasons = limits.map((one) => full(one, [...held, file], file))
  return reasons.includes(undefined) ? undefined : reasons.find((reason) => reason !== undefined)
}

function full(
  limits: Limits,
  files: readonly Pick<MediaFacts, 'contentType'>[],
  { contentType }: Pick<MediaFacts, 'contentType'>,
): string | undefined {
  const count = (kind: string) => files.filter((one) => one.contentType.startsWith(kind)).length
  const [images, videos, documents] = [count('image/'), count('video/'), count('application/')]
  if (documents > 0 && images + videos > 0) return 'documents cannot be mixed with other media'
  if (images > 0 && videos > 0 && !limits.mixed) return 'You can only upload one video or not both images and videos'
  if (images > 1 && files.some((one) => limits.alone.includes(one.contentType)))
    return 'a GIF must be the only file in a post'
  // the platform's own rule reports kinds that it doesn't accept at all
  if (contentType.startsWith('video/') && limits.videos > 0 && videos > limits.videos)
    return limits.videos === 1
      ? 'You can only upload one video or not both images and videos'
      : `Maximum ${limits.videos} video(s) allowed`
  if (contentType.startsWith('image/') && limits.images > 0 && images > limits.images)
    return `maximum ${limits.images} image(s) allowed`
  if (contentType.startsWith('application/') && limits.documents > 0 && documents > limits.documents)
    return `maximum ${limits.documents} document(s) allowed`
  return undefined
}
