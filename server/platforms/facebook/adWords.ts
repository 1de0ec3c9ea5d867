import { because, sentenceOf, type Reason } from '#contract/failures/catalog.ts'

import type { PromotionSeen } from '../promotion.ts'
import { sentence } from '../quotes.ts'
import type { AdAccountNode, AdNode } from './adSchemas.ts'

/**
 * Currencies that the Marketing API counts in whole units; all others are in hundredths
 * (docs/marketing-api/currencies).
 */
const WHOLE = new Set(['CLP', 'COP', 'CRC', 'HUF', 'ISK', 'IDR', 'JPY', 'KRW', 'PYG', 'TWD', 'VND'])
/** How many minor units the Marketing API counts per unit of the currency. */
export const minorUnitsOf = (currency: string): number => (WHOLE.has(currency) ? 1 : 100)

/** Why an ad account can't pay, by its `account_status` (docs/marketing-api/reference/ad-account); null if it can. */
export function accountProblem({
  account_status: status,
  user_tasks: tasks,
}: Pick<AdAccountNode, 'account_status' | 'user_tasks'>): string | null {
  // active, in its grace period, and any active
  if (status === 1 || status === 9 || status === 201)
    return tasks === null || tasks.includes('ADVERTISE') || tasks.includes('MANAGE')
      ? null
      : sentenceOf(because('ads-account-view-only'))
  switch (status) {
    case 2:
      return sentenceOf(because('ads-account-disabled'))
    case 3:
    case 8:
      return sentenceOf(because('ads-account-unpaid'))
    case 7:
      return sentenceOf(because('ads-account-in-review'))
    case 100:
    case 101:
    case 202:
      return sentenceOf(because('ads-account-closed'))
    default:
      return sentenceOf(because('ads-account-unavailable'))
  }
}

/** The state of a promotion by its ad's `effective_status`, which also reflects its campaign and ad set. */
export function seenIn(ad: AdNode, minorUnits: number): PromotionSeen {
  const [figures] = ad.insights.data
  const spend = figures?.spend ?? null
  return {
    ...standing(ad),
    endsAt: ad.adset.end_time,
    spent: spend === null ? null : Math.round(spend * minorUnits),
    impressions: figures?.impressions ?? null,
    reach: figures?.reach ?? null,
  }
}

function standing({
  effective_status: status,
  campaign,
  adset,
  ad_review_feedback: feedback,
  issues_info: issues,
}: AdNode): Pick<PromotionSeen, 'state' | 'reason'> {
  const [issue] = issues
  const words = issue ? issue.error_message || issue.error_summary : ''
  switch (status) {
    case 'ACTIVE':
      // the ad's own status reflects the other two with a delay
      return isOff(campaign.effective_status) || isOff(adset.effective_status)
        ? { state: 'STOPPED', reason: null }
        : { state: 'ACTIVE', reason: null }
    case 'PENDING_REVIEW':
    case 'IN_PROCESS':
    case 'PREAPPROVED':
      return { state: 'IN_REVIEW', reason: null }
    case 'DISAPPROVED':
      return { state: 'REJECTED', reason: rejection(Object.values(feedback?.global ?? {})) }
    case 'PENDING_BILLING_INFO':
      return { state: 'HELD', reason: { ...because('ads-no-payment-method'), platformCode: status } }
    case 'WITH_ISSUES':
      return {
        state: 'HELD',
        reason: {
          ...because('ads-held', { words: words === '' ? undefined : sentence(words) }),
          platformCode: status,
        },
      }
    case 'PAUSED':
    case 'ADSET_PAUSED':
    case 'CAMPAIGN_PAUSED':
    case 'ARCHIVED':
    case 'DELETED':
      return { state: 'STOPPED', reason: null }
    default:
      return { state: 'HELD', reason: { ...because('ads-not-running'), platformCode: status } }
  }
}

const isOff = (status: string): boolean => ['PAUSED', 'ARCHIVED', 'DELETED'].includes(status)

function rejection(reasons: readonly string[]): Reason {
  const [first] = reasons
  return {
    ...because('ads-rejected', { words: first === undefined ? undefined : sentence(first) }),
    platformCode: 'DISAPPROVED',
  }
}
