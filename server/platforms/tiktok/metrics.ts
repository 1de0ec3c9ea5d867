import { reportedMetrics, type PostMetrics } from '#contract/metrics.ts'
import type { Metrics } from '../platform.ts'
import { isPublic, stateOf, videosOf, withSecret } from './client.ts'
import { refusalOf } from './refusals.ts'
import type { Video } from './schemas.ts'

const showing = { doing: 'show-figures', irreversible: false } as const

/** Only public posts have metrics. One that became public later is found by its publish ID. */
export const metrics: Metrics = {
  most: 20,
  needs: ['video.list'],
  read: withSecret(async (reach, own, _account, posts) => {
    /** Our ID of each public post. */
    const known = new Map<string, string>()
    for (const { remoteId } of posts) {
      if (isPublic(remoteId)) known.set(remoteId, remoteId)
      else {
        const state = await stateOf(reach, own, remoteId)
        if (state.kind === 'ok' && state.value.postId !== null) known.set(state.value.postId, remoteId)
      }
    }
    const of = new Map<string, PostMetrics>()
    if (known.size === 0) return { kind: 'metrics', of }
    const found = await videosOf(reach, own, [...known.keys()])
    if (found.kind !== 'ok') return refusalOf(found, showing)
    for (const video of found.value.videos) {
      const remoteId = known.get(video.id)
      if (remoteId !== undefined) of.set(remoteId, metricsIn(video))
    }
    return { kind: 'metrics', of }
  }),
}

/** What a video tells of itself, wherever it is read. */
export const metricsIn = (video: Video): PostMetrics =>
  reportedMetrics({
    views: video.view_count,
    reactions: video.like_count,
    comments: video.comment_count,
    shares: video.share_count,
  })
