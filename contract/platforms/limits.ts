import { z } from 'zod'
import type { PostRules, TextLimit } from './rules.ts'

const Most = z.int().positive()

/**
 * Where one account's limits differ from its platform's rules, as the platform reported them when the channel was
 * connected and at each daily check. What is absent is as in the rules.
 */
export const ChannelLimits = z.object({
  /** The platform has verified the account, so the longer limit applies where the rules have one. */
  verified: z.boolean().optional(),
  /** For a text, in the unit of the rules. */
  text: Most.optional(),
  /** How much a URL in a text counts, where URLs have a fixed length. */
  addressLength: Most.optional(),
  /** Images per post. */
  images: Most.optional(),
  imageBytes: Most.optional(),
  videoBytes: Most.optional(),
  /** Width times height. */
  imagePixels: Most.optional(),
  videoPixels: Most.optional(),
  /** Frames per second of a video. */
  frameRate: Most.optional(),
  /** Its length. */
  videoSeconds: Most.optional(),
  /** Characters of an image description. */
  altText: Most.optional(),
  /** Accepted content types, images and videos together. */
  types: z.array(z.string().max(100)).max(100).optional(),
})
export type ChannelLimits = z.infer<typeof ChannelLimits>

/** The rules as they apply to one account. The composer and the server share this code. */
export function withLimits(rules: PostRules, limits: ChannelLimits | null | undefined): PostRules {
  if (!limits) return rules
  const [first, ...others] = rules.text.limits
  const text = first && { ...first, ...lengthsOf(first, limits) }
  const { images, videos } = rules
  return {
    ...rules,
    text: { ...rules.text, limits: text ? [text, ...others] : [] },
    images: {
      ...images,
      most: images.most > 0 ? (limits.images ?? images.most) : 0,
      bytes: limits.imageBytes ?? images.bytes,
      ...(limits.imagePixels !== undefined && { pixels: limits.imagePixels }),
      types: typesOf(images.types, limits),
      altText: images.altText && { max: limits.altText ?? images.altText.max },
    },
    videos: {
      ...videos,
      bytes: limits.videoBytes ?? videos.bytes,
      types: typesOf(videos.types, limits),
      ...(limits.videoPixels !== undefined && { pixels: limits.videoPixels }),
      ...(limits.frameRate !== undefined && { frameRate: { ...videos.frameRate, max: limits.frameRate } }),
      seconds: { ...videos.seconds, max: Math.min(videos.seconds.max, limits.videoSeconds ?? Infinity) },
    },
  }
}

function lengthsOf(
  limit: TextLimit,
  { text, verified, addressLength }: ChannelLimits,
): Pick<TextLimit, 'max' | 'addressLength'> {
  const max = text ?? ((verified ? limit.verified : undefined) || limit.max)
  return { max, ...(addressLength !== undefined && { addressLength }) }
}

/** Only what we can send; a list with none of our types is ignored. */
function typesOf(types: readonly string[], { types: taken }: ChannelLimits): readonly string[] {
  const both = taken ? types.filter((type) => taken.includes(type)) : types
  return both.length > 0 ? both : types
}
