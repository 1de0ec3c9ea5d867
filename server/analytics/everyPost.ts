import type { Databases } from '../db/pools.ts'
import { asTenant } from '../db/tenant.ts'
import { listPosts, placeAfter, type Place, type TableOrder } from './postTable.ts'
import type { Reader, Scope } from './scope.ts'

/** Places of posts that are listed at once: each list goes through all posts of a filter. And posts of a portion. */
const AT_ONCE = { listed: 20_000, portion: 500 }

/** The IDs of every post of the scope, in portions in the table's order. Lists them in short transactions, so there can be any number. */
export async function* everyPost(
  databases: Pick<Databases, 'exports'>,
  c: Omit<Reader, 'tx'>,
  scope: Scope,
  order: TableOrder,
  { listed: limit, portion } = AT_ONCE,
): AsyncGenerator<string[]> {
  for (let after: Place | undefined; ;) {
    const from: Place | undefined = after
    const listed = await asTenant(databases.exports, c.org.orgId, (tx) =>
      listPosts({ ...c, tx }, scope, order, { after: from, limit }),
    )
    for (let nth = 0; nth < listed.length; nth += portion)
      yield listed.slice(nth, nth + portion).map(({ post_id: id }) => id)
    const last = listed.at(-1)
    if (listed.length < limit || !last) return
    after = placeAfter(last)
  }
}
