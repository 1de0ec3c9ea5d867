import { canStop, type Boost, type stopBoost } from '#contract/boosts.ts'
import { fail } from '../errors.ts'
import type { Context } from '../http/route.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { findPost } from '../posts/access.ts'
import { loadBoost } from './access.ts'
import { ADVANCE } from './names.ts'
import { presentBoosts } from './present.ts'
import { takeFromWorkers } from './write.ts'

/**
 * Requests the end of a promotion: a job asks the platform at once, and again until it answers. Stopping one that is
 * being stopped changes nothing. Throws BOOST_REFUSED for one that is over.
 */
export async function stop(c: Context<typeof stopBoost>): Promise<Boost> {
  const boost = await loadBoost(c, c.params.boostId)
  const post = await findPost(c, boost.post_id)
  if (boost.state !== 'STOPPING') {
    if (!canStop(boost.state)) throw fail('BOOST_REFUSED', { detail: 'This promotion has ended.' })
    await takeFromWorkers(c.tx, c.org.orgId, [boost.id])
    await c.tx
      .updateTable('boost')
      .set({ state: 'STOPPING', next_at: c.now, tries: 0, problem: null, updated_at: c.now })
      .where('org_id', '=', c.org.orgId)
      .where('id', '=', boost.id)
      .execute()
    await enqueue(c.tx, ADVANCE, { orgId: c.org.orgId }, { key: boost.id })
    await c.emit({ kind: 'post', ref: post.id })
  }
  await c.audit({ entityId: post.id, detail: { boostId: boost.id } })
  const [shown] = await presentBoosts(c.tx, [await loadBoost(c, boost.id)])
  if (!shown) throw fail('NOT_FOUND')
  return shown
}
