import { z } from 'zod'

const Figure = z.int().min(0).nullable()

/** What a platform says of a published post; null where it tells no such figure. Counts since it was published. */
export const PostMetrics = z.object({
  impressions: Figure,
  /** People or accounts, each counted once. */
  reach: Figure,
  reactions: Figure,
  comments: Figure,
  shares: Figure,
  saves: Figure,
  clicks: Figure,
  videoViews: Figure,
})
export type PostMetrics = z.infer<typeof PostMetrics>

/** A platform's answer in which only some figures stand. */
export const noMetrics: PostMetrics = {
  impressions: null,
  reach: null,
  reactions: null,
  comments: null,
  shares: null,
  saves: null,
  clicks: null,
  videoViews: null,
}
