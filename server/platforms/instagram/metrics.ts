import { noMetrics, type PostMetrics } from '#contract/metrics.ts'
import { isGone } from '../graph.ts'
import type { Metrics } from '../platform.ts'
import { read, withSecret } from './client.ts'
import { refusalOf } from './refusals.ts'
import { Insights } from './schemas.ts'

/**
 * A name that doesn't fit the kind of post fails the whole call; so would `impressions` and `plays`, which were
 * removed.
 */
const OF_A_POST = 'views,reach,likes,comments,shares,saved'
const OF_A_STORY = 'views,reach,replies,shares'

/** One call per post: the API has no batches. Stories have metrics for a day. */
export const metrics: Metrics = {
  most: 1,
  needs: ['instagram_business_manage_insights'],
  read: withSecret(async (reach, own, _account, posts) => {
    const of = new Map<string, PostMetrics>()
    for (const { remoteId, postType } of posts) {
      const found = await read(
        reach,
        own,
        `/${remoteId}/insights`,
        { metric: postType === 'story' ? OF_A_STORY : OF_A_POST },
        Insights,
      )
      if (found.kind === 'ok') of.set(remoteId, figuresIn(found.value, postType === 'reel'))
      else if (!isGone(found)) return refusalOf(found, { doing: 'show-figures', irreversible: false })
    }
    return { kind: 'metrics', of }
  }),
}

function figuresIn(
  { data }: { data: { name: string; values: { value: number }[]; total_value: { value: number } | null }[] },
  isReel: boolean,
): PostMetrics {
  const figure = (name: string): number | null => {
    const found = data.find((one) => one.name === name)
    return found ? (found.total_value?.value ?? found.values[0]?.value ?? null) : null
  }
  // a reel's views are views of its video
  return {
    ...noMetrics,
    impressions: figure('views'),
    reach: figure('reach'),
    reactions: figure('likes'),
    comments: figure('comments') ?? figure('replies'),
    shares: figure('shares'),
    saves: figure('saved'),
    videoViews: isReel ? figure('views') : null,
  }
}
