import type { BillingInterval, BillingStatus, PlanOffer, Transaction } from '#contract/billing.ts'
import type { PlanStatus, Waking } from '#contract/plans.ts'
import { dateOf } from '#web/lib/format.ts'
import type { Tone } from '#web/ui/tones.ts'

/** Each status's name and color. A planned cancellation is shown as active. */
export const statusWords: Record<PlanStatus, { label: string; tone: Tone }> = {
  ACTIVE: { label: 'Active', tone: 'ok' },
  TRIAL_ACTIVE: { label: 'Limited Free Trial', tone: 'info' },
  TRIAL_EXPIRED: { label: 'Trial expired', tone: 'bad' },
  PAST_DUE: { label: 'Past due', tone: 'bad' },
  CANCEL_SCHEDULED: { label: 'Active', tone: 'ok' },
  CANCELLED: { label: 'Canceled', tone: 'neutral' },
}

export const PAST_DUE_TEXT = 'To avoid interruptions to your account, please complete your payment as soon as possible.'

type Dates = Pick<
  BillingStatus,
  'planId' | 'planStatus' | 'currentEndDate' | 'nextBillingDate' | 'trialExpiresAt' | 'canceledAt'
>

/** How long the plan is valid, in the specification's words. */
export function validityText(
  { planId, planStatus, currentEndDate, nextBillingDate, trialExpiresAt, canceledAt }: Dates,
  zone: string,
): string {
  const on = (words: string, instant: string | null) => (instant === null ? '' : `${words} ${dateOf(instant, zone)}`)
  switch (planStatus) {
    case 'ACTIVE':
      return planId === 'free' ? 'lifetime free' : on('renews at', nextBillingDate ?? currentEndDate)
    case 'CANCEL_SCHEDULED':
      return on('ends on', currentEndDate)
    case 'TRIAL_ACTIVE':
      return 'select a plan before trial expires'
    case 'TRIAL_EXPIRED':
      return on('trial expired on', trialExpiresAt)
    case 'CANCELLED':
      return on('expired on', currentEndDate ?? canceledAt)
    case 'PAST_DUE':
    default:
      return PAST_DUE_TEXT
  }
}

/** Everything on invoices is dated in UTC, and so is everything about billing. */
export const BILLING_ZONE = 'UTC'

export type PlanAction =
  | 'cancel'
  | 'restart'
  | 'annual'
  | 'upgrade'
  | 'downgrade'
  | 'stay'
  | 'buy'
  | 'limit'
  | 'payment'

/** What can be done about the plan: the specification's table of plan actions, and changing the card if one pays. */
export function planActions({
  planId,
  planStatus,
  billingPeriod,
  canPlanChange,
  plannedChange,
}: Pick<BillingStatus, 'planId' | 'planStatus' | 'billingPeriod' | 'canPlanChange' | 'plannedChange'>): PlanAction[] {
  const isFree = planId === 'free'
  const active = planStatus === 'ACTIVE'
  const offered: readonly [PlanAction, boolean][] = [
    ['buy', planStatus === 'TRIAL_ACTIVE' || planStatus === 'TRIAL_EXPIRED' || planStatus === 'CANCELLED'],
    ['upgrade', active && planId !== 'team'],
    ['stay', plannedChange !== null],
    ['annual', active && !isFree && billingPeriod === 'monthly'],
    ['limit', active && !isFree],
    ['restart', !isFree && planStatus === 'CANCEL_SCHEDULED'],
    ['payment', !isFree && (active || planStatus === 'CANCEL_SCHEDULED' || planStatus === 'PAST_DUE')],
    ['downgrade', active && planId === 'team' && canPlanChange && plannedChange === null],
    ['cancel', !isFree && (active || planStatus === 'PAST_DUE')],
  ]
  return offered.flatMap(([action, is]) => (is ? [action] : []))
}

export const per = { monthly: 'month', annual: 'year' } as const satisfies Record<BillingInterval, string>
export const intervalWords = { monthly: 'Monthly', annual: 'Annual' } as const satisfies Record<BillingInterval, string>
export const MONTHS_FREE = '2 Months Free'

const some = (n: number, kind: string): string => `${n} ${n === 1 ? kind : `${kind}s`}`

/** What a plan doesn't include; undefined if everything stays active. */
export function restsText(planName: string, { users, accounts }: PlanOffer['rests']): string | undefined {
  const sentences = [
    users > 0 && `${some(users, 'user')} will only be able to view because ${planName} includes one user.`,
    accounts > 0 && `${some(accounts, 'X account')} will be paused because ${planName} doesn't include X.`,
  ].filter((sentence) => sentence !== false)
  return sentences.length > 0 ? sentences.join(' ') : undefined
}

/** What becomes active again with a plan; undefined if nothing does. */
export function reactivationText({ channels, projects, users }: Waking): string | undefined {
  const what = [
    channels > 0 && some(channels, 'paused channel'),
    projects > 0 && some(projects, 'paused project'),
    users > 0 && some(users, 'teammate'),
  ].filter((one) => one !== false)
  const one = channels + projects + users === 1
  return what.length > 0
    ? `${new Intl.ListFormat('en').format(what)} ${one ? 'becomes' : 'become'} active again.`
    : undefined
}

/** What was bought, and how often: the number never wraps to the next line alone. */
export const quantityText = (name: string, quantity: number): string =>
  quantity > 1 ? `${name}\u00A0×\u00A0${quantity}` : name

export const transactionWords: Record<Transaction['transactionStatus'], { label: string; tone: Tone }> = {
  paid: { label: 'Paid', tone: 'ok' },
  pending: { label: 'Pending', tone: 'wait' },
  failed: { label: 'Failed', tone: 'bad' },
  refunded: { label: 'Refunded', tone: 'neutral' },
}

/** A fraction as people read a tax rate: 0.19 is "19%", 0.077 "7.7%". */
export const percent = (fraction: number): string => `${Number((fraction * 100).toFixed(2))}%`
