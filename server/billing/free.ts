import type { PriceList } from '#contract/priceList.ts'
import type { OrgContext } from '../http/route.ts'
import { saveSubscription, lockSubscription } from './subscriptionRecord.ts'
import { changeOf, outcomeOf } from './local.ts'

/**
 * The free plan after a trial or an ended plan. It costs nothing, so no provider is asked. People and accounts beyond
 * it are paused. Throws PLAN_ACTION_REFUSED.
 */
export async function switchToFree(
  t: Pick<OrgContext, 'tx' | 'caller' | 'org' | 'now' | 'audit'>,
  list: PriceList,
): Promise<void> {
  const held = await lockSubscription(t.tx, t.org.orgId)
  const { next } = await outcomeOf(t.tx, held, { kind: 'free' }, list, t.now)
  await saveSubscription(
    t.tx,
    held,
    next,
    { provider: held.provider === 'paddle' ? 'paddle' : 'local', dueAt: null, chooser: t.caller.personId },
    t.now,
  )
  await t.audit({ entityId: t.org.orgId, detail: changeOf(held.state, next) })
}
