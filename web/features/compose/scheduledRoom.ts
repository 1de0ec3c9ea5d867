import type { Channel } from '#contract/channels.ts'
import type { Post } from '#contract/posts.ts'
import { planFor, type Doc } from './doc.ts'
import { takesPlace, type Plan, type SeriesView } from './plan.ts'

type Options = {
  doc: Doc
  chosen: readonly Channel[]
  channels: readonly Channel[]
  scheduledCap: number | undefined
  approve: boolean
  /** A post that is edited. */
  post: Pick<Post, 'dueAt' | 'status'> | undefined
  /** What the server said about a limit that was reached. */
  serverCap: { limit: number; channelIds: readonly string[] } | undefined
  /** Of the version on screen. */
  series: SeriesView | undefined
  timesOf: (plan: Plan) => number
}

/**
 * What the limit of scheduled posts leaves: `cap` if a channel is full, `isNarrow` and `error` if a series has to be
 * shorter.
 */
export function scheduledRoom({
  doc,
  chosen,
  channels,
  scheduledCap,
  approve,
  post,
  serverCap,
  series,
  timesOf,
}: Options) {
  const planOf = ({ channelId }: Channel) => planFor(doc, channelId)
  const keepsItsPlace =
    post !== undefined &&
    post.dueAt !== null &&
    ['SCHEDULED', 'QUEUED', 'NEEDS_APPROVAL'].includes(post.status) &&
    !series
  const leftFor = (channel: Channel) =>
    scheduledCap === undefined || keepsItsPlace ? Infinity : scheduledCap - (channel.scheduledPosts ?? 0)
  const timed = chosen.filter((channel) => takesPlace(planOf(channel), approve))
  const full = timed.filter((channel) => leftFor(channel) <= 0)
  const narrow = full.length > 0 ? [] : timed.filter((channel) => leftFor(channel) < timesOf(planOf(channel)))
  return {
    // a shorter series may fit: the scheduler stays
    cap:
      full.length > 0 && scheduledCap !== undefined
        ? { limit: scheduledCap, channels: full }
        : serverCap && !series
          ? {
              limit: serverCap.limit,
              channels: channels.filter(({ channelId }) => serverCap.channelIds.includes(channelId)),
            }
          : undefined,
    isNarrow: narrow.length > 0,
    error:
      narrow.length > 0
        ? `${narrow.map((channel) => `${channel.channelName} can take ${leftFor(channel)} more scheduled posts`).join(', ')}. Choose fewer times.`
        : serverCap && series
          ? `You've reached the limit of ${serverCap.limit} scheduled posts. Choose fewer times.`
          : undefined,
  }
}
