import { z } from 'zod'
import { reported, type AccountFigures } from '../platform.ts'
import { call, withSecret } from './client.ts'
import { refusalOf } from './refusals.ts'

const RIGHT = 'user.info.stats'
const Count = z.int().nonnegative().nullable().catch(null)
const Stats = z.object({ user: z.object({ follower_count: Count, likes_count: Count, video_count: Count }) })

/** Current values only: TikTok has no history. */
export const accountFigures: AccountFigures = {
  snapshot: withSecret(async (reach, own) => {
    if (!own.scopes.includes(RIGHT)) return { kind: 'rights', missing: [RIGHT] }
    const found = await call(reach, own, {
      path: '/v2/user/info/',
      method: 'GET',
      fields: 'follower_count,likes_count,video_count',
      reply: Stats,
    })
    if (found.kind !== 'ok') return refusalOf(found, { doing: 'show-figures', irreversible: false })
    const { follower_count: followers, likes_count: likesReceived, video_count: posts } = found.value.user
    return { kind: 'snapshot', figures: reported({ followers, likesReceived, posts }) }
  }),
}
