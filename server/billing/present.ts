import { PaidPlanId, type AddonDetails, type BillingStatus, type PlanOffer, type Pricing } from '#contract/billing.ts'
import { baseChannels, countedPlatforms, entitlements, planIds, type Holdings, type PlanId } from '#contract/plans.ts'
import { PRICE_LIST, type PriceList } from '#contract/priceList.ts'
import { endsUnpaid, isPaid, leastAddons, nextInvoice } from '#contract/subscription.ts'
import type { SubscriptionRecord } from './subscriptionRecord.ts'
import { nothingHeld, restingChannels } from './locks.ts'
import { presentCredits } from './pending.ts'
import { refused, type Payments } from './provider.ts'

/** A plan as it's offered at `now`, with what the organization has beyond it. */
export function offerOf(
  planId: PlanId,
  list: PriceList,
  now: Date,
  { channels, projects, users, accounts }: Holdings = nothingHeld,
): PlanOffer {
  const { planName, features, maxAddons, prices } = list.plans[planId]
  const rights = entitlements({ planId, status: 'ACTIVE', addonQuantity: 0, trialEndsAt: null }, now)
  const excess = {
    excessChannels: Math.max(0, channels - baseChannels[planId] - maxAddons),
    excessProjects: planId === 'free' ? Math.max(0, projects - 1) : 0,
  }
  return {
    planId,
    planName,
    features: [...features],
    baseChannels: baseChannels[planId],
    maxAddons,
    leastAddons: leastAddons(planId, channels),
    rests: {
      users: Math.max(0, users - rights.users),
      accounts: countedPlatforms.reduce(
        (sum, { platform, most }) => sum + Math.max(0, (accounts[platform] ?? 0) - most(rights)),
        0,
      ),
    },
    prices: (['monthly', 'annual'] as const).map((billingInterval) => ({
      billingInterval,
      price: prices[billingInterval].price,
      addonPrice: prices[billingInterval].addonPrice,
      ...excess,
    })),
  }
}

/**
 * The plans with their prices, as /pricing and the upgrade dialog show them; with `held`, which of them the
 * organization chose, and with `holdings`, what would exceed each.
 */
export function presentPricing(
  payments: Payments,
  list: PriceList,
  now: Date,
  held?: SubscriptionRecord,
  holdings?: Holdings,
): Pricing {
  const { kind: provider, overlay } = payments
  // nobody chose a trial or an ended plan
  const chosen =
    held && (isPaid(held.state) || (held.state.planId === 'free' && held.state.status === 'ACTIVE')) ? held.state : null
  return {
    plans: planIds.map((planId) => offerOf(planId, list, now, holdings)),
    currentPlan: { planId: chosen?.planId ?? null, billingInterval: chosen?.interval ?? null },
    holdings: holdings ?? null,
    currencyCode: list.currencyCode,
    taxRate: taxRateOf(payments, list),
    provider,
    paddle: overlay,
  }
}

/** The rate added to prices; null if the provider determines it at the checkout. */
export const taxRateOf = ({ kind }: Payments, { taxRate }: PriceList): number | null =>
  kind === 'paddle' ? null : taxRate

type Beside = { active: Holdings } & Pick<BillingStatus, 'surplus' | 'contact' | 'billingDetails'>

/** The plan as its card shows it, at `now`: a trial ends on its date, even before its row changes. */
export function presentStatus(
  { kind }: Payments,
  held: SubscriptionRecord,
  { active, ...beside }: Beside,
  now: Date,
): BillingStatus {
  const { state, subscriptionId, paymentMethod, overdueTransaction, provider } = held
  const rights = entitlements(state, now)
  const { status, overdue, planned, periodEnd } = state
  const planStatus = status === 'TRIAL_ACTIVE' && !rights.valid ? 'TRIAL_EXPIRED' : status
  const isTrial = planStatus === 'TRIAL_ACTIVE' || planStatus === 'TRIAL_EXPIRED'
  return {
    planId: state.planId,
    planName: PRICE_LIST.plans[state.planId].planName,
    planStatus,
    billingPeriod: state.interval,
    currentStartDate: state.periodStart?.toISOString() ?? null,
    currentEndDate: (isTrial ? state.trialEndsAt : state.periodEnd)?.toISOString() ?? null,
    nextBillingDate: planStatus === 'ACTIVE' && isPaid(state) ? (state.periodEnd?.toISOString() ?? null) : null,
    trialExpiresAt: state.trialEndsAt?.toISOString() ?? null,
    canceledAt: state.canceledAt?.toISOString() ?? null,
    ...beside,
    currentChannels: active.channels,
    restingChannels: restingChannels(active),
    maxChannels: rights.channels,
    addonQuantity: state.addonQuantity,
    lastPaymentMethod: paymentMethod,
    subscriptionId: isPaid(state) ? subscriptionId : null,
    pastDue: overdue && {
      nextAttemptAt: overdue.nextAttemptAt?.toISOString() ?? null,
      endsAt: endsUnpaid(overdue.since).toISOString(),
      owed:
        provider === 'local' ? { currencyCode: overdue.invoice.currencyCode, amount: overdue.invoice.charged } : null,
      requestId: provider === 'local' ? overdueTransaction : null,
    },
    credits: presentCredits(state.credits),
    nextPayment: planStatus === 'ACTIVE' ? nextPaymentOf(held) : null,
    plannedChange: planned &&
      periodEnd && {
        planId: planned.planId,
        planName: PRICE_LIST.plans[planned.planId].planName,
        addonQuantity: planned.addonQuantity,
        startsAt: periodEnd.toISOString(),
      },
    canPlanChange: kind === 'local' && provider === 'local',
    provider: kind,
  }
}

/**
 * The next renewal's charge. Paddle's amount is what its subscription says, before tax and before its credit balance.
 */
function nextPaymentOf({ state, provider, renews }: SubscriptionRecord): BillingStatus['nextPayment'] {
  const date = state.periodEnd?.toISOString()
  if (date === undefined) return null
  if (provider === 'paddle') return renews && { ...renews, date, beforeTax: true }
  const invoice = nextInvoice(state, PRICE_LIST)
  return invoice && { currencyCode: invoice.currencyCode, amount: invoice.charged, date, beforeTax: false }
}

/** What the add-on counter needs. Throws PLAN_ACTION_REFUSED if there's no paid plan. */
export function presentAddons(
  list: PriceList,
  { state }: SubscriptionRecord,
  { channels: currentChannels }: Holdings,
): AddonDetails {
  const planId = PaidPlanId.safeParse(state.planId).data
  if (!planId || !isPaid(state) || !state.interval) throw refused('Only an active paid plan can have Addons.')
  const { planName, maxAddons, prices } = list.plans[planId]
  return {
    planId,
    planName,
    billingPeriod: state.interval,
    currentAddons: state.addonQuantity,
    currentChannels,
    basePlanLimit: baseChannels[planId],
    addonPrice: prices[state.interval].addonPrice,
    maxAddonLimit: maxAddons,
    currencyCode: list.currencyCode,
  }
}
