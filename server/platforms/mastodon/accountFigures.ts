import { z } from 'zod'
import { reported, type AccountFigures } from '../platform.ts'
import { call, refused, withSecret } from './client.ts'

const Count = z.int().nonnegative().nullable().catch(null)
const Counts = z.object({ followers_count: Count, statuses_count: Count })

/** Current values only: servers keep no history. */
export const accountFigures: AccountFigures = {
  snapshot: withSecret(async (reach, own) => {
    const found = await call(reach, own, { path: '/api/v1/accounts/verify_credentials', reply: Counts })
    if (found.kind !== 'ok') return refused(found, own, 'show-figures')
    return {
      kind: 'snapshot',
      figures: reported({ followers: found.value.followers_count, posts: found.value.statuses_count }),
    }
  }),
}
