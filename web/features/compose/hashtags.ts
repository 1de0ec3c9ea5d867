import { HASHTAG_GROUP_MOST } from '#contract/constants.ts'
import { HashTag } from '#contract/labels.ts'

/** Hashtags as people type them, separated by commas: without the #, once each. */
export function hashTagsIn(text: string): string[] {
  const seen = new Map<string, string>()
  for (const part of text.split(/[,\n]/)) {
    const tag = part.trim().replace(/^[#＃]/, '')
    if (tag && !seen.has(tag.toLowerCase())) seen.set(tag.toLowerCase(), tag)
  }
  return [...seen.values()]
}

/** Why a group can't be saved, or undefined. */
export function hashTagsError(tags: readonly string[]): string | undefined {
  if (tags.length === 0) return 'Add at least one hashtag'
  if (tags.length > HASHTAG_GROUP_MOST) return `Cannot add more than ${HASHTAG_GROUP_MOST} hashtags`
  for (const tag of tags) {
    const parsed = HashTag.safeParse(tag)
    if (!parsed.success) return `${tag}: ${parsed.error.issues[0]?.message ?? "This isn't a valid hashtag"}`
  }
  return undefined
}

/** What a group adds to a text: hashtags it doesn't contain yet. */
export function hashTagWords(tags: readonly string[], text: string): string {
  const there = new Set(text.toLowerCase().split(/[\s.,;:!?()]+/u))
  return tags
    .filter((tag) => !there.has(`#${tag.toLowerCase()}`))
    .map((tag) => `#${tag}`)
    .join(' ')
}
