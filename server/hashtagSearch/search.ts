import { HASHTAG_POSTS, type HashtagPosts, type insightsHashtags } from '#contract/analytics/hashtags.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { excerptOf } from '#contract/excerpt.ts'
import { ask, askable, type AskDeps, type Asked } from '../delivery/ask.ts'
import { storable } from '../delivery/storable.ts'
import { quartilesOf } from '../analytics/quartiles.ts'
import { asSystem } from '../db/system.ts'
import { assertWithinLimit, count, type Limit } from '../http/attempts.ts'
import type { Caller, ProjectContext } from '../http/route.ts'
import type { HashtagMedium, HashtagSearch } from '../platforms/hashtagSearch.ts'
import { claimHashtag, releaseHashtag, rememberHashtag } from './claim.ts'

/** Searches that reach a platform, per person: they count against the rate limit that publishing needs. */
const searches = { name: 'hashtag-searches', most: 60, seconds: 300 } as const satisfies Limit
const CALL_MS = 15_000

type Searcher = { caller: Caller; now: Date; inTenant: <T>(fn: (t: ProjectContext) => Promise<T>) => Promise<T> }
export type Answer = Pick<ReplyOf<typeof insightsHashtags>, 'found' | 'why'>

/**
 * The posts with a hashtag, through this channel, which is counted before the platform is asked: it counts at once, whatever it
 * answers. Throws FORBIDDEN for a new hashtag without `insights: create`, RATE_LIMITED, CHANNEL_REFUSED, CHANNEL_UNREACHABLE.
 */
export async function searchHashtag(deps: AskDeps, c: Searcher, asked: Asked, text: string): Promise<Answer> {
  const platform = askable(deps, asked.platform)
  const { hashtags } = platform
  if (!hashtags) return { found: null, why: 'notPossible' }
  assertWithinLimit(await asSystem(deps.databases.system, (tx) => count(tx, searches, c.caller.personId, c.now)))
  const channelId = asked.channel.id
  const hashtag = text
    .replace(/^[#＃]/, '')
    .normalize('NFC')
    .toLowerCase()
  const claim = await c.inTenant((t) => claimHashtag(t, channelId, hashtag))
  if (claim.kind === 'limit') return { found: null, why: 'limit' }
  const send = async <T extends { kind: string }>(question: Parameters<typeof ask<T>>[4]) =>
    storable(await ask(deps, platform, asked, CALL_MS, question, 'lookup'))
  let id = claim.remoteId
  if (id === null) {
    const named = await send(async (reach, secret, account): ReturnType<HashtagSearch['find']> =>
      hashtags.find(reach, secret, account, hashtag),
    )
    // without the right, nothing was asked for
    if (named.kind === 'rights' && claim.isNew) await c.inTenant((t) => releaseHashtag(t, channelId, hashtag))
    if (named.kind !== 'hashtag') return { found: null, why: named.kind }
    const remoteId = named.id
    await c.inTenant((t) => rememberHashtag(t, { channelId, hashtag, remoteId }))
    id = remoteId
  }
  const lists: HashtagPosts[] = []
  for (const list of ['top', 'recent'] as const) {
    const read = await send(async (reach, secret, account): ReturnType<HashtagSearch['read']> =>
      hashtags.read(reach, secret, account, id, list),
    )
    if (read.kind !== 'media') return { found: null, why: read.kind }
    lists.push(postsOf(read.media))
  }
  const [top, recent] = lists
  return top && recent ? { found: { hashtag, top, recent }, why: null } : { found: null, why: 'none' }
}

function postsOf(media: readonly HashtagMedium[]): HashtagPosts {
  const posts = media.slice(0, HASHTAG_POSTS).map(({ remoteId, text, publishedAt, ...medium }) => ({
    ...medium,
    postId: remoteId,
    excerpt: excerptOf(text),
    publishedAt: publishedAt?.toISOString() ?? null,
  }))
  const medianOf = (name: 'likes' | 'comments') => {
    const counts = posts.flatMap((post) => post[name] ?? [])
    return counts.length > 0 ? quartilesOf(counts)[1] : null
  }
  return { posts, median: { likes: medianOf('likes'), comments: medianOf('comments') } }
}
