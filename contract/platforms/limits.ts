import { z } from 'zod'
import type { PostRules, TextLimit } from './rules.ts'

const Most = z.int().positive()

/**
 * What the platform of one account takes otherwise than its rules say, as it said itself at connecting and at each daily look. What
 * is absent is as in the rules.
 */
export const ChannelLimits = z.object({
  /** The platform has verified the account: the longer limit of the rules, where they have one. */
  verified: z.boolean().optional(),
  /** Of a text, in the unit of the rules. */
  text: Most.optional(),
  /** What an address in a text counts, where it has a length of its own. */
  addressLength: Most.optional(),
  /** Pictures of one post. */
  images: Most.optional(),
  imageBytes: Most.optional(),
  videoBytes: Most.optional(),
  /** Characters of an alternative text. */
  altText: Most.optional(),
  /** Accepted content types, pictures and videos together. */
  types: z.array(z.string().max(100)).max(100).optional(),
})
export type ChannelLimits = z.infer<typeof ChannelLimits>

/** The rules as they hold for one account: by the same code in the composer and on the server. */
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
      types: typesOf(images.types, limits),
      altText: images.altText && { max: limits.altText ?? images.altText.max },
    },
    videos: { ...videos, bytes: limits.videoBytes ?? videos.bytes, types: typesOf(videos.types, limits) },
  }
}

function lengthsOf(
  limit: TextLimit,
  { text, verified, addressLength }: ChannelLimits,
): Pick<TextLimit, 'max' | 'addressLength'> {
  const max = text ?? ((verified ? limit.verified : undefined) || limit.max)
  return { max, ...(addressLength !== undefined && { addressLength }) }
}

/** Only what we can send; a list that names nothing of it isn't believed. */
function typesOf(types: readonly string[], { types: taken }: ChannelLimits): readonly string[] {
  const both = taken ? types.filter((type) => taken.includes(type)) : types
  return both.length > 0 ? both : types
}
