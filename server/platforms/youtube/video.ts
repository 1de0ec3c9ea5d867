import { z } from 'zod'
import type { Outgoing } from '../platform.ts'

const Details = z.object({
  privacy: z.enum(['public', 'unlisted', 'private']).catch('public'),
  madeForKids: z.boolean().catch(false),
  categoryId: z.string().min(1).optional().catch(undefined),
  playlistId: z.string().min(1).optional().catch(undefined),
})
export const detailsOf = ({ details }: Pick<Outgoing, 'details'>): z.infer<typeof Details> => Details.parse(details)

/**
 * A video's metadata. Nothing marks a Short: its shape and length make it one. Without a category, YouTube chooses one.
 */
export function metadataOf(post: Pick<Outgoing, 'contents' | 'details'>): {
  snippet: { title: string; description: string; categoryId?: string }
  status: { privacyStatus: string; selfDeclaredMadeForKids: boolean }
} {
  const { privacy, madeForKids, categoryId } = detailsOf(post)
  const [item] = post.contents
  return {
    snippet: {
      title: item?.title ?? '',
      description: item?.text ?? '',
      ...(categoryId !== undefined && { categoryId }),
    },
    status: { privacyStatus: privacy, selfDeclaredMadeForKids: madeForKids },
  }
}

/** The video's public URL. */
export const permalinkOf = ({ postType }: Pick<Outgoing, 'postType'>, id: string): string =>
  postType === 'shorts' ? `https://www.youtube.com/shorts/${id}` : `https://www.youtube.com/watch?v=${id}`
