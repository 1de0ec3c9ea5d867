import { z } from 'zod'
import { linkTagNames, TAG_MOST, type LinkTagName } from './details.ts'

/** What a tag can contain besides its own text. `{date}` is the day on which the post is due, in its own time zone. */
export const linkPlaceholders = ['platform', 'channel', 'campaign', 'date'] as const
type LinkPlaceholder = (typeof linkPlaceholders)[number]

const placeholder = /\{([^{}]*)\}/g

/** What is wrong with a tag, as a sentence; undefined if nothing is. */
function tagProblem(text: string): string | undefined {
  const unknown = [...text.matchAll(placeholder)].find(([, name]) => !linkPlaceholders.some((known) => known === name))
  if (unknown) return `${unknown[0]} isn't a placeholder. Use {platform}, {channel}, {campaign} or {date}`
  if (/[{}]/.test(text.replace(placeholder, ''))) return 'Use { and } only around a placeholder, such as {platform}'
  return /\p{Cc}/u.test(text) ? 'Leave out line breaks and other invisible characters' : undefined
}

const LinkTag = z
  .string()
  .trim()
  .max(TAG_MOST, `Use at most ${TAG_MOST} characters`)
  .superRefine((text, context) => {
    const message = tagProblem(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })

/** The tags that are added to links, as people write them, with placeholders. */
export const LinkTags = z.object({
  utm_source: LinkTag.optional(),
  utm_medium: LinkTag.optional(),
  utm_campaign: LinkTag.optional(),
  utm_term: LinkTag.optional(),
  utm_content: LinkTag.optional(),
})
export type LinkTags = z.infer<typeof LinkTags>

/** Whether any of the tags contains this placeholder. */
export const hasPlaceholder = (tags: LinkTags | null | undefined, name: LinkPlaceholder): boolean =>
  linkTagNames.some((tag) => tags?.[tag]?.includes(`{${name}}`))

/** What the placeholders stand for in one post. */
export type LinkWords = Readonly<Record<LinkPlaceholder, string>>

/** A tag as it's added to addresses: its value is encoded. */
export type SentTag = { name: LinkTagName; value: string }

/** The tags of one post. One without a value, such as `{campaign}` of a post in none, is left out. */
export function sentTags(tags: LinkTags | null | undefined, words: LinkWords): SentTag[] {
  return linkTagNames.flatMap((name) => {
    const text = (tags?.[name] ?? '').replace(placeholder, (whole, key: string) => {
      const known = linkPlaceholders.find((one) => one === key)
      return known ? asTag(words[known]) : whole
    })
    const value = encoded(text.trim())
    return value === '' ? [] : [{ name, value }]
  })
}

/** A name as reports group it: analytics tools tell capitals apart, and a space would be %20. */
const asTag = (name: string): string => name.trim().toLowerCase().replace(/\s+/gu, '-')

/** Percent-encoded, also what is allowed in an address but could end it in a text. */
const encoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*~]/g, percent)
    .replace(/\.+$/, (end) => '%2E'.repeat(end.length))

const percent = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
