import { z } from 'zod'

const Figure = z.int().min(0).nullable()

/** A platform's metrics of a published post; null if it doesn't report one. Counts since it was published. */
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

/** A platform's response that only contains some metrics. */
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
