import type { z } from 'zod'
import type { LacksRights } from '../account.ts'
import { isPermissionError, type GraphFailed } from '../graph.ts'
import type { HashtagMedium, HashtagSearch } from '../hashtagSearch.ts'
import type { Refusal } from '../platform.ts'
import { read, withSecret } from './client.ts'
import { refusalOf } from './refusals.ts'
import { FoundHashtags, HashtagMedia } from './schemas.ts'

/** The permission, and the feature that Meta's review grants to an app (Instagram Platform, Hashtag Search). */
const RIGHTS = ['instagram_basic', 'Instagram Public Content Access']
/** What may be asked for: neither usernames nor anything else of people (IG Hashtag Recent Media). */
const FIELDS = 'id,caption,media_type,permalink,timestamp,like_count,comments_count'
const MOST = '25'
/** More than 30 hashtags in 7 days; and one that doesn't exist, or that Instagram deems sensitive or offensive. */
const [LIMIT, NONE] = [18, 24]

/**
 * Public posts with a hashtag, for accounts that are connected through Facebook (Instagram Platform, Hashtag Search): no stories, no
 * promoted posts, the newest ones only of the last 24 hours. An account may ask for 30 different hashtags in 7 days; asking for one
 * again doesn't count and doesn't make its 7 days longer.
 */
export const hashtags: HashtagSearch = {
  find: withSecret(async (reach, own, _account, hashtag) => {
    if (own.login !== 'facebook') return { kind: 'rights', missing: RIGHTS }
    const query = { user_id: own.userId, q: hashtag }
    const found = await read(reach, own, '/ig_hashtag_search', query, FoundHashtags)
    if (found.kind !== 'ok') return notFound(found)
    const [first] = found.value.data
    return first ? { kind: 'hashtag', id: first.id } : { kind: 'none' }
  }),
  read: withSecret(async (reach, own, _account, id, list) => {
    if (own.login !== 'facebook') return { kind: 'rights', missing: RIGHTS }
    const query = { user_id: own.userId, fields: FIELDS, limit: MOST }
    const found = await read(reach, own, `/${id}/${list}_media`, query, HashtagMedia)
    return found.kind === 'ok' ? { kind: 'media', media: found.value.data.map(mediumOf) } : notFound(found)
  }),
}

function notFound(failed: GraphFailed): { kind: 'limit' } | { kind: 'none' } | LacksRights | Refusal {
  if (isPermissionError(failed)) return { kind: 'rights', missing: RIGHTS }
  if (failed.cause === 'answered' && failed.code === LIMIT) return { kind: 'limit' }
  if (failed.cause === 'answered' && failed.code === NONE) return { kind: 'none' }
  return refusalOf(failed, { doing: 'show-posts', irreversible: false })
}

const types: Record<string, HashtagMedium['type']> = { VIDEO: 'video', CAROUSEL_ALBUM: 'carousel' }

function mediumOf(medium: z.infer<typeof HashtagMedia>['data'][number]): HashtagMedium {
  const { id, caption, media_type: type, permalink, timestamp } = medium
  return {
    remoteId: id,
    type: types[type] ?? 'picture',
    text: caption,
    permalink,
    publishedAt: timestamp,
    likes: medium.like_count,
    comments: medium.comments_count,
  }
}
