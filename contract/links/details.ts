import { z } from 'zod'

/* What a post stores about its links. Small, because everything that knows posts loads it; the rest is in tags.ts. */

/** The UTM parameters that can be added to links, in the order in which they're added. */
export const linkTagNames = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const
export type LinkTagName = (typeof linkTagNames)[number]

/** The most characters of a tag, as it's written. */
export const TAG_MOST = 100

const Tag = z.string().max(TAG_MOST).optional()
/** Tags as posts have them. Settings are checked by LinkTags. */
export const SomeLinkTags = z.object({
  utm_source: Tag,
  utm_medium: Tag,
  utm_campaign: Tag,
  utm_term: Tag,
  utm_content: Tag,
})

/**
 * What is known of a post's links when it's submitted, and stored with it, so that what is checked and approved is what
 * is sent: the words of placeholders, what short links begin with, and this installation's hosts.
 */
export const LinkFacts = z.object({
  channel: z.string().max(500),
  campaign: z.string().max(500),
  shortUrl: z.string().max(500),
  ownHosts: z.array(z.string().max(255)).max(10),
})
export type LinkFacts = z.infer<typeof LinkFacts>
