import { fileKindOf, type FileKind } from './mediaProblems.ts'
import type { DocumentRules, ImageRules, Motion, PostRules, Sides, VideoRules } from './platforms/rules.ts'
import { describePostProblem, problem, type PostProblem } from './postProblems.ts'

/** What the check needs to know about a file. What isn't known yet, such as a video's length, isn't checked. */
export type MediaFacts = {
  contentType: string
  bytes: number
  altText?: string | undefined
  seconds?: number | null | undefined
  width?: number | null | undefined
  height?: number | null | undefined
  pages?: number | null | undefined
  hasThumbnail?: boolean | undefined
  videoCodec?: string | null | undefined
  audioCodec?: string | null | undefined
  frameRate?: number | null | undefined
  chroma?: string | null | undefined
  /** Of a picture that moves. */ frames?: number | null | undefined
  colorSpace?: string | null | undefined
}

/**
 * A rule that a post breaks: the field in the channel's part, and the problem with its message. `fix` names a remedy:
 * `fit` is a copy that is made for the channel without asking (mediaCopy.ts), `crop` is offered.
 */
export type PostError = { field: string; problem: PostProblem; message: string; fix?: 'fit' | 'crop' }

/** The error of a problem at a field. */
export const broken = (field: string, problem: PostProblem, fix?: PostError['fix']): PostError => ({
  field,
  problem,
  message: describePostProblem(problem),
  ...(fix && { fix }),
})

/** Every rule that one file breaks on this platform, checked when it's attached. */
export function mediaErrors(rules: PostRules, media: MediaFacts, field: string): PostError[] {
  const kind = fileKindOf(media.contentType)
  if (limitsOf(rules, kind).most === 0) return [broken(field, problem('file-kind-unsupported', { kind }))]
  if (kind === 'image') return imageErrors(rules.images, media, field)
  return [
    ...commonErrors(kind, limitsOf(rules, kind), media, field),
    ...(kind === 'video' ? videoErrors(rules.videos, media, field) : documentErrors(rules.documents, media, field)),
  ]
}

const limitsOf = (rules: PostRules, kind: FileKind): ImageRules | VideoRules | DocumentRules =>
  ({ image: rules.images, video: rules.videos, document: rules.documents })[kind]

function commonErrors(
  kind: FileKind,
  { types, bytes }: { types: readonly string[]; bytes: number },
  media: MediaFacts,
  field: string,
): PostError[] {
  const fix = kind === 'image' ? 'fit' : undefined
  const errors: PostError[] = []
  if (!types.includes(media.contentType))
    errors.push(broken(field, problem('file-type-unsupported', { kind, types: [...types] }), fix))
  if (media.bytes > bytes) errors.push(broken(field, problem('file-too-large', { kind, bytes }), fix))
  return errors
}

/** What the platform shows as moving; undefined for a still image, and for one that becomes one there. */
export const motionOf = ({ moves }: Pick<ImageRules, 'moves'>, media: MediaFacts): Motion | undefined =>
  (media.frames ?? 1) > 1 && moves?.types.includes(media.contentType) ? moves : undefined

/** The limits of one image: those of moving ones, or of its type, come before those of all. */
export function imageLimits(rules: ImageRules, media: Pick<MediaFacts, 'contentType' | 'frames' | 'bytes'>) {
  const motion = motionOf(rules, media)
  return {
    types: rules.types,
    bytes: motion?.bytes ?? rules.bytes,
    largest: motion?.largest ?? rules.largest,
    pixels: rules.pixelsOf?.[media.contentType] ?? rules.pixels,
  }
}

function imageErrors(rules: ImageRules, media: MediaFacts, field: string): PostError[] {
  const errors = commonErrors('image', imageLimits(rules, media), media, field)
  const { leastBytes = 0 } = rules
  // enlarging a small file isn't a fix
  if (media.bytes < leastBytes) errors.push(broken(field, problem('image-too-few-bytes', { bytes: leastBytes })))
  // not all of them show it as it's meant, and some refuse it
  if (media.colorSpace === 'cmyk') errors.push(broken(field, problem('image-colors'), 'fit'))
  const { frames = Infinity, unsure } = motionOf(rules, media) ?? {}
  if ((media.frames ?? 1) > frames && !unsure) errors.push(broken(field, problem('moving-too-many-frames', { frames })))
  return [...errors, ...sideErrors(rules, media, field), ...altTextErrors(rules, media, field)]
}

function sideErrors(rules: ImageRules, media: MediaFacts, field: string): PostError[] {
  const { width, height } = media
  if (!width || !height) return []
  const errors: PostError[] = []
  const { largest, pixels } = imageLimits(rules, media)
  if (largest && isLargerThan(largest, { width, height }))
    errors.push(broken(field, problem('image-too-large', { shorter: largest.shorter, longer: largest.longer }), 'fit'))
  if (pixels !== undefined && width * height > pixels)
    errors.push(broken(field, problem('image-too-many-pixels', { pixels }), 'fit'))
  // platforms round ratios to two digits: 1200 by 628 is 1.91:1
  const ratio = Math.round((width / height) * 100) / 100
  const { shape } = rules
  if (shape && (ratio < shape.narrowest.value || ratio > shape.widest.value)) {
    const bounds = { narrowest: shape.narrowest.label, widest: shape.widest.label }
    errors.push(broken(field, problem('image-shape', bounds), 'crop'))
  }
  return errors
}

/** Whether something is larger, in either orientation. */
const isLargerThan = ({ longer, shorter }: Sides, { width, height }: { width: number; height: number }): boolean =>
  Math.max(width, height) > longer || Math.min(width, height) > shorter

function altTextErrors({ altText }: ImageRules, media: MediaFacts, field: string): PostError[] {
  return altText && (media.altText?.length ?? 0) > altText.max
    ? [broken(field, problem('alt-text-too-long', { max: altText.max }))]
    : []
}

function documentErrors({ pages }: DocumentRules, media: MediaFacts, field: string): PostError[] {
  return (media.pages ?? 0) > pages ? [broken(field, problem('document-too-many-pages', { pages }))] : []
}

function videoErrors(rules: VideoRules, media: MediaFacts, field: string): PostError[] {
  const { seconds, hasThumbnail } = media
  const errors: PostError[] = []
  const say = (problem: PostProblem) => void errors.push(broken(field, problem))
  if (seconds != null && seconds < rules.seconds.min) say(problem('video-too-short', { seconds: rules.seconds.min }))
  if (seconds != null && seconds > rules.seconds.max) say(problem('video-too-long', { seconds: rules.seconds.max }))
  frameErrors(rules, media).forEach(say)
  if (!rules.codecs?.unsure) codecProblems(rules, media).forEach(say)
  const { chroma } = media
  if (chroma != null && rules.chroma && !rules.chroma.includes(chroma))
    say(problem('video-chroma', { chroma, supported: [...rules.chroma] }))
  if (rules.thumbnail === 'required' && hasThumbnail === false) say(problem('video-without-thumbnail'))
  return errors
}

/** Rates are measured, and 60 frames in a second are rarely exactly that. */
const RATE_TOLERANCE = 0.5

function frameErrors(rules: VideoRules, { width, height, frameRate: rate }: MediaFacts): PostProblem[] {
  const found: PostProblem[] = []
  if (width != null && height != null) {
    const { least, largest, widest, pixels } = rules
    if (least && (width < least.width || height < least.height))
      found.push(problem('video-too-small', { width: least.width, height: least.height }))
    if (largest && isLargerThan(largest, { width, height }))
      found.push(problem('video-too-large', { longer: largest.longer, shorter: largest.shorter }))
    if (widest !== undefined && width > widest) found.push(problem('video-too-wide', { width: widest }))
    if (pixels !== undefined && width * height > pixels) found.push(problem('video-too-many-pixels', { pixels }))
    if (rules.shape === 'upright' && width > height) found.push(problem('video-not-upright'))
  }
  const { min = 0, max } = rules.frameRate ?? { max: Infinity }
  if (rate != null && (rate < min - RATE_TOLERANCE || rate > max + RATE_TOLERANCE))
    found.push(problem('video-frame-rate', { rate, min, max }))
  return found
}

/** What the platform doesn't say it accepts. A codec that isn't known isn't judged. */
function codecProblems({ codecs }: VideoRules, { videoCodec, audioCodec }: MediaFacts): PostProblem[] {
  const found: PostProblem[] = []
  if (videoCodec != null && codecs && !codecs.video.includes(videoCodec))
    found.push(problem('video-codec', { codec: videoCodec, supported: [...codecs.video] }))
  if (audioCodec != null && codecs?.audio && !codecs.audio.includes(audioCodec))
    found.push(problem('audio-codec', { codec: audioCodec, supported: [...codecs.audio] }))
  return found
}

/** What the platform may not accept, although its rules don't say so: shown when the file is attached. */
export function mediaWarnings(rules: PostRules, media: MediaFacts): PostProblem[] {
  const { videos, images } = rules
  const motion = motionOf(images, media)
  if (motion?.unsure && (media.frames ?? 1) > (motion.frames ?? Infinity))
    return [problem('moving-unusual', { frames: motion.frames ?? 0 })]
  if (fileKindOf(media.contentType) !== 'video' || videos.most === 0 || !videos.codecs?.unsure) return []
  return codecProblems(videos, media).map(({ params }) =>
    problem('codec-unusual', { codec: typeof params?.['codec'] === 'string' ? params['codec'] : '' }),
  )
}
