import { createHash } from 'node:crypto'
import { z } from 'zod'
import { AdditionalDetails, Mention, PostContent } from '#contract/content.ts'
import type { Selectable } from 'kysely'
import type { Database } from '../db/schema.ts'

/** What an approval is about: everything that is published, as the columns of a post contain it. */
export type Content = Pick<
  Selectable<Database['post']>,
  'contents' | 'details' | 'first_comment' | 'mentions' | 'channel_id' | 'post_type'
>

/** The content that was decided on, stored with the decision to show later changes. */
export const KeptContent = z.object({
  contents: z.array(PostContent),
  details: AdditionalDetails,
  firstComment: z.string(),
  mentions: z.array(Mention),
  channelId: z.string().nullable(),
  postType: z.string(),
})
export type KeptContent = z.infer<typeof KeptContent>

const plain = ({
  contents,
  details,
  first_comment: firstComment,
  mentions,
  channel_id: channelId,
  post_type: postType,
}: Content) => ({ contents, details, firstComment, mentions, channelId, postType })
/** A post's content as a decision stores it. */
export const keptContent = (post: Content): KeptContent => KeptContent.parse(plain(post))

/** The same text for the same value: keys in order, no whitespace. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, part]) => `${JSON.stringify(key)}:${canonical(part)}`).join(',')}}`
}

/** A hash of a post's content: SHA-256 of its canonical JSON. Read from its row, so that it's the same for everyone. */
export const contentHash = (post: Content): Buffer =>
  createHash('sha256')
    .update(canonical(plain(post)))
    .digest()
