import type { BillingInterval } from './billing.ts'
import { baseChannels, type PlanId, type PlanStatus } from './plans.ts'
import {
  creditsAfter,
  giveBack,
  invoiceOf,
  itemsOf,
  type Bill,
  type Credits,
  type Invoice,
  type PaidItem,
} from './invoicing.ts'
import type { PriceList } from './priceList.ts'

/*
 * The life of a subscription as pure functions: from its state, a request and the time to its next state and what is
 * due. Money is in minor units and never created or lost: a change credits the unused time of what was really paid
 * (`invoicing.ts`), in the currency and with the tax that were paid, for later invoices.
 */

export type PaidPlan = Exclude<PlanId, 'free'>

export type Subscription = {
  planId: PlanId
  status: PlanStatus
  interval: BillingInterval | null
  addonQuantity: number
  /** The date that periods are counted from, so that the 31st comes back after a short month. */
  anchor: Date | null
  periodStart: Date | null
  periodEnd: Date | null
  trialEndsAt: Date | null
  canceledAt: Date | null
  /** For later invoices. */
  credits: Credits
  /** What was paid for the current period; empty if a provider keeps the amounts itself, or nothing was paid. */
  paidItems: readonly PaidItem[]
  /** The smaller plan that begins with the next period; null if none is planned. */
  planned: { planId: 'individual'; addonQuantity: number } | null
  /** An invoice that couldn't be paid, and its retries. */
  overdue: { invoice: Invoice; since: Date; retries: number; nextAttemptAt: Date | null } | null
}

/** What someone wants to do with a subscription. */
export type Wish =
  | { kind: 'buy'; planId: PaidPlan; interval: BillingInterval; addonQuantity: number }
  | { kind: 'addons'; addonQuantity: number }
  | { kind: 'annual' }
  | { kind: 'team'; interval: BillingInterval; addonQuantity: number }
  /** From Team to Individual when the period ends. */
  | { kind: 'individual'; addonQuantity: number }
  /** Undoes that. */
  | { kind: 'stay' }
  | { kind: 'cancel' }
  | { kind: 'resume' }
  | { kind: 'free' }

/** What is active in the organization, which limits its choices. */
export type Active = { channels: number; projects: number }

/** `invoice` must be paid before `next` applies; null if nothing is bought. */
export type Outcome = Bill & { next: Subscription }
export type Refused = { refused: string }

const DAY = 86_400_000
/** Days after the failure when a payment is retried; after the last one the plan ends. */
const RETRY_DAYS = [4, 9, 14] as const

export const isPaid = ({ planId, status }: Pick<Subscription, 'planId' | 'status'>): boolean =>
  planId !== 'free' && (status === 'ACTIVE' || status === 'CANCEL_SCHEDULED' || status === 'PAST_DUE')

/** A new organization's trial. */
export function trial(endsAt: Date): Subscription {
  return {
    planId: 'team',
    status: 'TRIAL_ACTIVE',
    interval: null,
    addonQuantity: 0,
    anchor: null,
    periodStart: null,
    periodEnd: null,
    trialEndsAt: endsAt,
    canceledAt: null,
    credits: {},
    paidItems: [],
    planned: null,
    overdue: null,
  }
}

/** The smallest number of add-ons that the channels need. */
export const leastAddons = (planId: PlanId, channels: number): number => Math.max(0, channels - baseChannels[planId])

const free = (next: Subscription): Outcome => ({ next, invoice: null, creditNotes: [] })
/** Statuses without a running plan, in which one can be bought or Free chosen. */
const without = ['TRIAL_ACTIVE', 'TRIAL_EXPIRED', 'CANCELLED']

/**
 * What a request would do, before anyone agrees to it. Refused, with a reason for people, if the plan doesn't offer it.
 */
export function wish(
  now: Subscription,
  wanted: Wish,
  at: Date,
  prices: PriceList,
  holdings: Active,
): Outcome | Refused {
  switch (wanted.kind) {
    case 'buy': {
      const isFree = now.planId === 'free' && now.status === 'ACTIVE'
      if (!isFree && !without.includes(now.status)) return { refused: 'You already have a plan. Change it instead.' }
      return checked(wanted.planId, wanted.addonQuantity, prices, holdings) ?? begin(now, wanted, at, prices)
    }
    case 'addons': {
      if (!isActivePaid(now)) return { refused: 'Only an active paid plan can have Addons.' }
      if (wanted.addonQuantity === now.addonQuantity) return { refused: 'You already have this number of Addons.' }
      return (
        checked(now.planId, wanted.addonQuantity, prices, holdings) ??
        changeAddons(now, wanted.addonQuantity, at, prices)
      )
    }
    case 'annual': {
      if (!isActivePaid(now) || now.interval !== 'monthly')
        return { refused: 'Only an active monthly plan can be switched to annual.' }
      return begin(now, { planId: now.planId, interval: 'annual', addonQuantity: now.addonQuantity }, at, prices)
    }
    case 'team': {
      if (!isActivePaid(now) || now.planId !== 'individual')
        return { refused: 'Only an active Individual plan can be upgraded to Team.' }
      if (now.interval === 'annual' && wanted.interval === 'monthly') return { refused: 'An annual plan stays annual.' }
      return (
        checked('team', wanted.addonQuantity, prices, holdings) ?? begin(now, { ...wanted, planId: 'team' }, at, prices)
      )
    }
    case 'individual': {
      if (!isActivePaid(now) || now.planId !== 'team')
        return { refused: 'Only an active Team plan can be switched to Individual.' }
      const { addonQuantity } = wanted
      return (
        checked('individual', addonQuantity, prices, holdings) ??
        free({ ...now, planned: { planId: 'individual', addonQuantity } })
      )
    }
    case 'stay':
      return now.planned && isActivePaid(now)
        ? free({ ...now, planned: null })
        : { refused: 'No change of plan is scheduled.' }
    case 'cancel':
      // what wasn't paid for ends at once; what was paid for is used up first
      if (now.status === 'PAST_DUE') return free(endedUnpaid(now, at))
      if (!isActivePaid(now)) return { refused: 'There is no active paid plan to cancel.' }
      return free({ ...now, status: 'CANCEL_SCHEDULED', canceledAt: at, planned: null })
    case 'resume':
      if (now.status !== 'CANCEL_SCHEDULED') return { refused: "This plan isn't canceled." }
      return free({ ...now, status: 'ACTIVE', canceledAt: null })
    case 'free':
    default: {
      if (now.planId === 'free' && now.status === 'ACTIVE') return { refused: "You're already on the Free plan." }
      if (now.status === 'PAST_DUE') return { refused: 'Cancel the overdue plan first. It ends right away.' }
      if (!without.includes(now.status))
        return { refused: 'Cancel the paid plan first. It stays active until its period ends.' }
      return (
        checked('free', 0, prices, holdings) ??
        free({
          ...now,
          planId: 'free',
          status: 'ACTIVE',
          interval: null,
          addonQuantity: 0,
          anchor: null,
          periodStart: at,
          periodEnd: null,
          canceledAt: null,
          paidItems: [],
          overdue: null,
        })
      )
    }
  }
}

/**
 * For an organization that is being deleted: a paid period runs out, an overdue plan ends at once. Undefined: nothing
 * more would be charged anyway.
 */
export function stopped(now: Subscription, at: Date): Subscription | undefined {
  if (isActivePaid(now)) return { ...now, status: 'CANCEL_SCHEDULED', canceledAt: at, planned: null }
  return now.status === 'PAST_DUE' ? endedUnpaid(now, at) : undefined
}

/** A plan whose renewal wasn't paid, ended at `at`. */
const endedUnpaid = (now: Subscription, at: Date): Subscription => ({
  ...now,
  status: 'CANCELLED',
  canceledAt: at,
  periodEnd: at,
  paidItems: [],
  overdue: null,
})

type ActivePaid = Subscription & {
  planId: PaidPlan
  status: 'ACTIVE'
  interval: BillingInterval
  anchor: Date
  periodStart: Date
  periodEnd: Date
}
const isActivePaid = (one: Subscription): one is ActivePaid =>
  one.status === 'ACTIVE' && one.planId !== 'free' && one.interval !== null && one.periodEnd !== null

function checked(
  planId: PlanId,
  addonQuantity: number,
  prices: PriceList,
  { channels, projects }: Active,
): Refused | undefined {
  if (planId === 'free') {
    if (channels > baseChannels.free)
      return {
        refused: `Free plan supports only ${baseChannels.free} Channels. You have ${channels - baseChannels.free} excess Channels.`,
      }
    if (projects > 1) return { refused: `Free plan supports only 1 Project. You have ${projects - 1} excess Projects.` }
    return undefined
  }
  const { maxAddons, planName } = prices.plans[planId]
  if (addonQuantity > maxAddons)
    return { refused: `You cannot add more than ${maxAddons} Channel Addons to ${planName} Plan.` }
  const least = leastAddons(planId, channels)
  if (least > maxAddons) return { refused: tooManyChannels(planName, baseChannels[planId] + maxAddons, channels) }
  return addonQuantity < least
    ? { refused: `You need to get at least ${least} Addons, else remove those additional channels first.` }
    : undefined
}

/** Why a plan can't be chosen even with all its add-ons. */
const tooManyChannels = (planName: string, most: number, channels: number): string =>
  `${planName} plan supports upto ${most} Channels. You have ${channels} Channels.`

type Chosen = { planId: PaidPlan; interval: BillingInterval; addonQuantity: number }

/** A period that begins now; what is left of the previous one is credited. */
function begin(now: Subscription, { planId, interval, addonQuantity }: Chosen, at: Date, prices: PriceList): Outcome {
  const chosen = { planId, interval, addonQuantity }
  const { creditNotes } = giveBack(
    isActivePaid(now) ? now.paidItems : [],
    { plan: 1, addons: now.addonQuantity },
    at,
    unusedName(now, prices),
  )
  const before = creditNotes.reduce(creditsAfter, now.credits)
  const end = periodEnd(at, at, interval)
  const invoice = invoiceOf(linesOf(chosen, prices), before, prices, { from: at, to: end })
  const next: Subscription = {
    ...now,
    ...chosen,
    status: 'ACTIVE',
    anchor: at,
    periodStart: at,
    periodEnd: end,
    trialEndsAt: null,
    canceledAt: null,
    credits: creditsAfter(before, invoice),
    paidItems: itemsOf(invoice),
    planned: null,
    overdue: null,
  }
  return { next, invoice, creditNotes }
}

const unusedName =
  ({ planId }: Subscription, prices: PriceList) =>
  (kind: PaidItem['kind']): string =>
    kind === 'plan' ? `Unused time of ${prices.plans[planId].planName}` : 'Unused Channel Addons'

/**
 * More add-ons are charged until the period ends, at today's price; removed ones are credited with what was paid for
 * them.
 */
function changeAddons(now: ActivePaid, addonQuantity: number, at: Date, prices: PriceList): Outcome | Refused {
  const more = addonQuantity - now.addonQuantity
  if (more < 0) {
    const { left, creditNotes } = giveBack(now.paidItems, { addons: -more }, at, unusedName(now, prices))
    const credits = creditNotes.reduce(creditsAfter, now.credits)
    return { next: { ...now, addonQuantity, credits, paidItems: left }, invoice: null, creditNotes }
  }
  const { currencyCode } = prices
  if (now.paidItems.some((item) => item.currencyCode !== currencyCode))
    return { refused: `Prices are now in ${currencyCode}. You can add Addons once your plan has renewed.` }
  const { addonPrice } = prices.plans[now.planId].prices[now.interval]
  const seconds = (from: Date, to: Date) => Math.floor(to.getTime() / 1000) - Math.floor(from.getTime() / 1000)
  const left = Math.min(1, Math.max(0, seconds(at, now.periodEnd) / seconds(now.periodStart, now.periodEnd)))
  const invoice = invoiceOf(
    [
      {
        kind: 'addons',
        name: 'Channel Addons until the period ends',
        quantity: more,
        subtotal: Math.round(more * addonPrice * left),
      },
    ],
    now.credits,
    prices,
    { from: at, to: now.periodEnd },
  )
  const next = {
    ...now,
    addonQuantity,
    credits: creditsAfter(now.credits, invoice),
    paidItems: [...now.paidItems, ...itemsOf(invoice)],
  }
  return { next, invoice, creditNotes: [] }
}

function linesOf({ planId, interval, addonQuantity }: Chosen, prices: PriceList) {
  const { planName, prices: byInterval } = prices.plans[planId]
  const { price, addonPrice } = byInterval[interval]
  return [
    { kind: 'plan' as const, name: `${planName}, ${interval}`, quantity: 1, subtotal: price },
    ...(addonQuantity > 0
      ? [
          {
            kind: 'addons' as const,
            name: `Channel Addons, ${interval}`,
            quantity: addonQuantity,
            subtotal: addonQuantity * addonPrice,
          },
        ]
      : []),
  ]
}

/** The next invoice if nothing changes until then; null if nothing renews. */
export function nextInvoice(now: Subscription, prices: PriceList): Invoice | null {
  if (!isActivePaid(now)) return null
  const { planned, planId, interval, addonQuantity, anchor, periodEnd: start } = now
  const chosen = planned ? { ...planned, interval } : { planId, interval, addonQuantity }
  const period = { from: start, to: periodEnd(anchor, start, interval) }
  return invoiceOf(linesOf(chosen, prices), now.credits, prices, period)
}

/** The end of the period that begins at `start`: one calendar month or year later, counted from the anchor, in UTC. */
export function periodEnd(anchor: Date, start: Date, interval: BillingInterval): Date {
  const months = interval === 'monthly' ? 1 : 12
  const gone = (start.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + start.getUTCMonth() - anchor.getUTCMonth()
  return monthsOn(anchor, gone + months)
}

function monthsOn(from: Date, months: number): Date {
  const first = new Date(
    Date.UTC(
      from.getUTCFullYear(),
      from.getUTCMonth() + months,
      1,
      from.getUTCHours(),
      from.getUTCMinutes(),
      from.getUTCSeconds(),
      from.getUTCMilliseconds(),
    ),
  )
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(from.getUTCDate(), last))
  return first
}

/** When the subscription next needs something; null if nothing is coming. The end of a trial has its own date. */
export function nextDue({ planId, status, periodEnd: end, overdue }: Subscription): Date | null {
  if (status === 'PAST_DUE') return overdue?.nextAttemptAt ?? null
  return planId !== 'free' && (status === 'ACTIVE' || status === 'CANCEL_SCHEDULED') ? end : null
}

/** What is due at `at`: a trial or a canceled plan ends, or a renewal or a retry must be paid. Undefined: nothing. */
export type Due =
  | { kind: 'ends'; next: Subscription }
  | { kind: 'renew'; invoice: Invoice }
  | { kind: 'retry'; invoice: Invoice }

export function due(now: Subscription, at: Date, prices: PriceList): Due | undefined {
  if (now.status === 'TRIAL_ACTIVE' && now.trialEndsAt !== null && now.trialEndsAt <= at)
    return { kind: 'ends', next: { ...now, status: 'TRIAL_EXPIRED' } }
  if (now.status === 'CANCEL_SCHEDULED' && now.periodEnd !== null && now.periodEnd <= at)
    return { kind: 'ends', next: { ...now, status: 'CANCELLED' } }
  if (now.status === 'PAST_DUE' && now.overdue?.nextAttemptAt && now.overdue.nextAttemptAt <= at)
    return { kind: 'retry', invoice: now.overdue.invoice }
  const invoice = now.periodEnd !== null && now.periodEnd <= at ? nextInvoice(now, prices) : null
  return invoice ? { kind: 'renew', invoice } : undefined
}

/** The renewal or the retry was paid: its period begins, or continues. */
export function paid(now: Subscription, invoice: Invoice): Subscription {
  const period = now.status === 'PAST_DUE' ? { ...now, status: 'ACTIVE' as const, overdue: null } : nextPeriod(now)
  return { ...period, credits: creditsAfter(now.credits, invoice), paidItems: itemsOf(invoice) }
}

/**
 * It wasn't paid: the plan continues for two weeks with three more tries, then it ends. Credit is used only for what
 * gets paid.
 */
export function unpaid(now: Subscription, invoice: Invoice, at: Date): Subscription {
  if (now.status !== 'PAST_DUE')
    return {
      ...nextPeriod(now),
      status: 'PAST_DUE',
      paidItems: [],
      overdue: { invoice, since: at, retries: 0, nextAttemptAt: attemptAt(at, 0) },
    }
  const { overdue } = now
  if (!overdue) throw new Error('a plan that owes nothing is past due')
  const retries = overdue.retries + 1
  if (retries >= RETRY_DAYS.length) return endedUnpaid(now, at)
  return { ...now, overdue: { ...overdue, retries, nextAttemptAt: attemptAt(overdue.since, retries) } }
}

/** The period after the one that ended, on the plan planned for it. */
function nextPeriod(now: Subscription): Subscription {
  const { anchor, periodEnd: start, interval } = now
  if (!anchor || !start || !interval) throw new Error('a plan without a period was renewed')
  return {
    ...now,
    ...now.planned,
    planned: null,
    periodStart: start,
    periodEnd: periodEnd(anchor, start, interval),
  }
}

const attemptAt = (since: Date, retries: number): Date =>
  new Date(since.getTime() + (RETRY_DAYS[retries] ?? RETRY_DAYS[0]) * DAY)

/** When the plan ends if nobody pays. */
export const endsUnpaid = (since: Date): Date => attemptAt(since, RETRY_DAYS.length - 1)
