import type { BillingInterval } from './billing.ts'
import { baseChannels, entitlements, type PlanId } from './plans.ts'

/*
 * The only price list. Amounts in minor units of the currency, before tax. Paddle's own amounts, found by the price
 * IDs, take precedence; these IDs are from this installation's catalog, empty without one.
 */

type Price = { price: number; addonPrice: number; paddle: { price: string; addon: string } }
export type ListedPlan = {
  planId: PlanId
  planName: string
  features: readonly string[]
  maxAddons: number
  prices: Readonly<Record<BillingInterval, Price>>
}

const rightsOf = (planId: PlanId) =>
  entitlements({ planId, status: 'ACTIVE', addonQuantity: 0, trialEndsAt: null }, new Date(0))
const aiCredits = (planId: PlanId): string => `${rightsOf(planId).aiCreditsPerMonth} AI credits a month`

const none: Price = { price: 0, addonPrice: 0, paddle: { price: '', addon: '' } }

export const PRICE_LIST = {
  currencyCode: 'USD',
  /** A fraction of the amount. */
  taxRate: 0,
  plans: {
    free: {
      planId: 'free',
      planName: 'Free',
      maxAddons: 0,
      features: [
        '3 Channels',
        '1 Project',
        '1 User',
        'Up to 10 scheduled posts per channel',
        `${rightsOf('free').bioPages} link in bio page`,
        aiCredits('free'),
      ],
      prices: { monthly: none, annual: none },
    },
    individual: {
      planId: 'individual',
      planName: 'Individual',
      maxAddons: 20,
      features: [
        `${baseChannels.individual} Channels, upto 30 Channels`,
        'Unlimited projects and publishing',
        '1 User',
        'Repeats, queues and campaigns',
        'Analytics, benchmarks and reports',
        'Canned responses',
        'Asset library',
        'X accounts',
        `${rightsOf('individual').bioPages} link in bio pages per project`,
        aiCredits('individual'),
      ],
      prices: {
        monthly: { price: 1500, addonPrice: 300, paddle: { price: '', addon: '' } },
        annual: { price: 15_000, addonPrice: 3000, paddle: { price: '', addon: '' } },
      },
    },
    team: {
      planId: 'team',
      planName: 'Team',
      maxAddons: 100,
      features: [
        `${baseChannels.team} Channels, additional per channel`,
        'Everything in Individual, for unlimited users',
        'Approval workflows',
        'Team discussions',
        'Custom roles',
        'Free client approvals',
        aiCredits('team'),
      ],
      prices: {
        monthly: { price: 4900, addonPrice: 400, paddle: { price: '', addon: '' } },
        annual: { price: 49_000, addonPrice: 4000, paddle: { price: '', addon: '' } },
      },
    },
  },
} as const satisfies { currencyCode: string; taxRate: number; plans: Record<PlanId, ListedPlan> }

export type PriceList = { currencyCode: string; taxRate: number; plans: Readonly<Record<PlanId, ListedPlan>> }
