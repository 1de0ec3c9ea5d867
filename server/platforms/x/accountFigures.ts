import { z } from 'zod'
import { reported, type AccountFigures } from '../platform.ts'
import { call, withSecret } from './client.ts'
import { refusalOf } from './refusals.ts'

const Count = z.int().nonnegative().nullable().catch(null)
const Counts = z.object({
  data: z.object({ public_metrics: z.object({ followers_count: Count, tweet_count: Count, post_count: Count }) }),
})

/** Current values only. X charges for each reading. */
export const accountFigures: AccountFigures = {
  snapshot: withSecret(async (reach, own) => {
    const found = await call(reach, own, {
      path: '/2/users/me',
      query: { 'user.fields': 'public_metrics' },
      reply: Counts,
    })
    if (found.kind !== 'ok') return refusalOf(found, { doing: 'show-figures', irreversible: false })
    const { followers_count: followers, tweet_count: tweets, post_count: posts } = found.value.data.public_metrics
    return { kind: 'snapshot', figures: reported({ followers, posts: tweets ?? posts }) }
  }),
}
