import { z } from 'zod'
import { parsable } from '../ownPosts.ts'

/* Posts as the account's own repository has them, whoever wrote them (lexicons com.atproto.repo, app.bsky.feed.post). */

export const RecordPage = z.object({
  records: parsable(z.object({ uri: z.string().startsWith('at://'), value: z.unknown() })),
  cursor: z.string().optional(),
})
const BlobRef = z.object({ ref: z.object({ $link: z.string().min(1) }) }).transform(({ ref }) => ref.$link)
const Pictures = parsable(z.object({ image: BlobRef }).transform(({ image }) => image)).catch([])
const Shown = z.object({
  images: Pictures,
  items: Pictures,
  external: z.object({ thumb: BlobRef }).optional().catch(undefined),
})
/** The first picture of a post, or that of its link card; `media` is what it has beside a quote (lexicons app.bsky.embed). */
const Embedded = Shown.extend({ media: Shown.optional().catch(undefined) })
  .transform(({ media, ...own }) => {
    const [first] = [own, ...(media ? [media] : [])].flatMap(({ images, items, external }) => [
      ...images,
      ...items,
      ...(external ? [external.thumb] : []),
    ])
    return first ?? null
  })
  .catch(null)
/** A post as the account's own repository has it. */
export const OwnRecord = z
  .object({
    $type: z.literal('app.bsky.feed.post'),
    text: z.string(),
    createdAt: z.string().catch(''),
    reply: z.unknown().optional(),
    embed: Embedded.optional(),
  })
  .transform(({ embed, ...record }) => ({ ...record, picture: embed ?? null }))
