import type { BillingInterval } from './billing.ts'
import { baseChannels, type PlanId, type PlanStatus } from './plans.ts'
import type { PriceList } from './priceList.ts'

/*
 * The life of a subscription as pure functions: from what stands, what is wanted and the time to what stands then and
 * what is to be paid. Money is in minor units and never invented: a change gives back what is left of the period to the
 * second, rounded once, and what exceeds the price stays as credit for later invoices.
 */

export type PaidPlan = Exclude<PlanId, 'free'>

export type Subscription = {
  planId: PlanId
  status: PlanStatus
  interval: BillingInterval | null
  addonQuantity: number
  /** From where periods are counted, so that the 31st comes back after a short month. */
  anchor: Date | null
  periodStart: Date | null
  periodEnd: Date | null
  trialEndsAt: Date | null
  canceledAt: Date | null
  /** Minor units, with tax, for later invoices. */
  credit: number
  /** An invoice that could not be paid, and its retries. */
  overdue: { invoice: Invoice; since: Date; retries: number; nextAttemptAt: Date | null } | null
}

export type Line = { name: string; quantity: number; subtotal: number }
/** `grandTotal` may be negative; `charged` is what is really paid, after credit: never negative. */
export type Invoice = {
  lines: readonly Line[]
  subtotal: number
  tax: number
  grandTotal: number
  creditUsed: number
  creditAdded: number
  charged: number
}

/** What somebody wants of a subscription. */
export type Wish =
  | { kind: 'buy'; planId: PaidPlan; interval: BillingInterval; addonQuantity: number }
  | { kind: 'addons'; addonQuantity: number }
  | { kind: 'annual' }
  | { kind: 'team'; interval: BillingInterval; addonQuantity: number }
  | { kind: 'cancel' }
  | { kind: 'resume' }
  | { kind: 'free' }

/** What the organisation has, which bounds what it may choose. */
export type Holdings = { channels: number; projects: number }

export type Outcome = {
  next: Subscription
  /** To be paid before `next` holds; null when nothing is. */ invoice: Invoice | null
}
export type Refused = { refused: string }

const DAY = 86_400_000
/** Days after the failure at which a payment is tried again; after the last the plan ends. */
export const RETRY_DAYS = [4, 9, 14] as const

export const isPaid = ({ planId, status }: Pick<Subscription, 'planId' | 'status'>): boolean =>
  planId !== 'free' && (status === 'ACTIVE' || status === 'CANCEL_SCHEDULED' || status === 'PAST_DUE')

/** A new organisation's trial. */
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
    credit: 0,
    overdue: null,
  }
}

/** The smallest number of add-ons with which the channels fit. */
export const leastAddons = (planId: PlanId, channels: number): number => Math.max(0, channels - baseChannels[planId])

/** What comes of a wish, before anybody agrees to it. Refused, in words, where the plan does not offer it. */
export function wish(
  now: Subscription,
  wanted: Wish,
  at: Date,
  prices: PriceList,
  holdings: Holdings,
): Outcome | Refused {
  switch (wanted.kind) {
    case 'buy': {
      const isFree = now.planId === 'free' && now.status === 'ACTIVE'
      if (!isFree && !['TRIAL_ACTIVE', 'TRIAL_EXPIRED', 'CANCELLED'].includes(now.status))
        return { refused: 'There is a plan already: change it instead.' }
      return checked(wanted.planId, wanted.addonQuantity, prices, holdings) ?? begin(now, wanted, at, prices, [])
    }
    case 'addons': {
      if (!isActivePaid(now)) return { refused: 'Add-ons belong to an active paid plan.' }
      if (wanted.addonQuantity === now.addonQuantity) return { refused: 'This is the number of Addons that you have.' }
      return (
        checked(now.planId, wanted.addonQuantity, prices, holdings) ??
        changeAddons(now, wanted.addonQuantity, at, prices)
      )
    }
    case 'annual': {
      if (!isActivePaid(now) || now.interval !== 'monthly')
        return { refused: 'Only an active monthly plan can be switched to annual.' }
      return begin(
        now,
        { planId: now.planId, interval: 'annual', addonQuantity: now.addonQuantity },
        at,
        prices,
        unused(now, at, prices),
      )
    }
    case 'team': {
      if (!isActivePaid(now) || now.planId !== 'individual')
        return { refused: 'Only an active Individual plan can be upgraded to Team.' }
      if (now.interval === 'annual' && wanted.interval === 'monthly') return { refused: 'An annual plan stays annual.' }
      return (
        checked('team', wanted.addonQuantity, prices, holdings) ??
        begin(now, { ...wanted, planId: 'team' }, at, prices, unused(now, at, prices))
      )
    }
    case 'cancel':
      if (!isActivePaid(now)) return { refused: 'There is no active paid plan to cancel.' }
      return { next: { ...now, status: 'CANCEL_SCHEDULED', canceledAt: at }, invoice: null }
    case 'resume':
      if (now.status !== 'CANCEL_SCHEDULED') return { refused: 'This plan is not cancelled.' }
      return { next: { ...now, status: 'ACTIVE', canceledAt: null }, invoice: null }
    case 'free':
    default: {
      if (!['TRIAL_ACTIVE', 'TRIAL_EXPIRED', 'CANCELLED'].includes(now.status))
        return { refused: 'Cancel the paid plan first: it stays active until its period ends.' }
      return (
        checked('free', 0, prices, holdings) ?? {
          next: {
            ...now,
            planId: 'free',
            status: 'ACTIVE',
            interval: null,
            addonQuantity: 0,
            anchor: null,
            periodStart: at,
            periodEnd: null,
            canceledAt: null,
            overdue: null,
          },
          invoice: null,
        }
      )
    }
  }
}

/** For an organisation that is being deleted: what is paid runs out, what is overdue ends at once. Undefined: nothing more would be paid anyway. */
export function stopped(now: Subscription, at: Date): Subscription | undefined {
  if (isActivePaid(now)) return { ...now, status: 'CANCEL_SCHEDULED', canceledAt: at }
  return now.status === 'PAST_DUE'
    ? { ...now, status: 'CANCELLED', canceledAt: at, periodEnd: at, overdue: null }
    : undefined
}

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
  { channels, projects }: Holdings,
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
  return addonQuantity < least
    ? { refused: `You need to get at least ${least} Addons, else remove those additional channels first.` }
    : undefined
}

type Chosen = { planId: PaidPlan; interval: BillingInterval; addonQuantity: number }

/** A period that begins now, with what is left of the one before given back. */
function begin(now: Subscription, chosen: Chosen, at: Date, prices: PriceList, givenBack: readonly Line[]): Outcome {
  const invoice = invoiceOf([...linesOf(chosen, prices), ...givenBack], now.credit, prices)
  const next: Subscription = {
    ...now,
    ...chosen,
    status: 'ACTIVE',
    anchor: at,
    periodStart: at,
    periodEnd: periodEnd(at, at, chosen.interval),
    trialEndsAt: null,
    canceledAt: null,
    credit: now.credit - invoice.creditUsed + invoice.creditAdded,
    overdue: null,
  }
  return { next: pick(next), invoice }
}

/** The columns of a subscription and nothing that came along with a wish. */
function pick({
  planId,
  status,
  interval,
  addonQuantity,
  anchor,
  periodStart,
  periodEnd: end,
  trialEndsAt,
  canceledAt,
  credit,
  overdue,
}: Subscription): Subscription {
  return {
    planId,
    status,
    interval,
    addonQuantity,
    anchor,
    periodStart,
    periodEnd: end,
    trialEndsAt,
    canceledAt,
    credit,
    overdue,
  }
}

function changeAddons(now: ActivePaid, addonQuantity: number, at: Date, prices: PriceList): Outcome {
  const { addonPrice } = prices.plans[now.planId].prices[now.interval]
  const left = fractionLeft(now, at)
  const lines = [
    ...(addonQuantity > 0
      ? [
          {
            name: 'Channel Addons until the period ends',
            quantity: addonQuantity,
            subtotal: Math.round(addonQuantity * addonPrice * left),
          },
        ]
      : []),
    ...(now.addonQuantity > 0
      ? [
          {
            name: 'Unused Channel Addons',
            quantity: now.addonQuantity,
            subtotal: -Math.round(now.addonQuantity * addonPrice * left),
          },
        ]
      : []),
  ]
  const invoice = invoiceOf(lines, now.credit, prices)
  return { next: { ...now, addonQuantity, credit: now.credit - invoice.creditUsed + invoice.creditAdded }, invoice }
}

/** What is left of the period that runs, as credit lines. */
function unused(now: ActivePaid, at: Date, prices: PriceList): Line[] {
  const { price, addonPrice } = prices.plans[now.planId].prices[now.interval]
  const left = fractionLeft(now, at)
  const { planName } = prices.plans[now.planId]
  return [
    { name: `Unused time of ${planName}`, quantity: 1, subtotal: -Math.round(price * left) },
    ...(now.addonQuantity > 0
      ? [
          {
            name: 'Unused Channel Addons',
            quantity: now.addonQuantity,
            subtotal: -Math.round(now.addonQuantity * addonPrice * left),
          },
        ]
      : []),
  ]
}

/** The part of the period that is still to come, counted in whole seconds. */
function fractionLeft({ periodStart, periodEnd: end }: { periodStart: Date; periodEnd: Date }, at: Date): number {
  const seconds = (from: Date, to: Date) => Math.floor(to.getTime() / 1000) - Math.floor(from.getTime() / 1000)
  return Math.min(1, Math.max(0, seconds(at, end) / seconds(periodStart, end)))
}

function linesOf({ planId, interval, addonQuantity }: Chosen, prices: PriceList): Line[] {
  const { planName, prices: byInterval } = prices.plans[planId]
  const { price, addonPrice } = byInterval[interval]
  const every = interval === 'monthly' ? 'monthly' : 'annual'
  return [
    { name: `${planName}, ${every}`, quantity: 1, subtotal: price },
    ...(addonQuantity > 0
      ? [{ name: `Channel Addons, ${every}`, quantity: addonQuantity, subtotal: addonQuantity * addonPrice }]
      : []),
  ]
}

/** Tax is computed once, on the sum. What is negative becomes credit; credit that is there is used up first. */
export function invoiceOf(lines: readonly Line[], credit: number, { taxRate }: Pick<PriceList, 'taxRate'>): Invoice {
  const subtotal = lines.reduce((sum, line) => sum + line.subtotal, 0)
  const tax = Math.sign(subtotal) * Math.round(Math.abs(subtotal) * taxRate) + 0
  const grandTotal = subtotal + tax
  const creditUsed = Math.min(credit, Math.max(0, grandTotal))
  const creditAdded = Math.max(0, -grandTotal)
  return { lines, subtotal, tax, grandTotal, creditUsed, creditAdded, charged: Math.max(0, grandTotal) - creditUsed }
}

/** The end of the period that begins at `start`: a calendar month or year on, counted from the anchor, in UTC. */
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

/** When time next asks for something; null while nothing is to come. A trial's end is watched by its own date. */
export function nextDue({ planId, status, periodEnd: end, overdue }: Subscription): Date | null {
  if (status === 'PAST_DUE') return overdue?.nextAttemptAt ?? null
  return planId !== 'free' && (status === 'ACTIVE' || status === 'CANCEL_SCHEDULED') ? end : null
}

/** What the time asks for at `at`: a trial or a cancelled plan ends, a renewal or a retry is to be paid. Undefined: nothing. */
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
  if (isActivePaid(now) && now.periodEnd <= at)
    return { kind: 'renew', invoice: invoiceOf(linesOf(now, prices), now.credit, prices) }
  return undefined
}

/** The renewal or the retry was paid: the period that it is for runs, or runs on. */
export function paid(now: Subscription, invoice: Invoice): Subscription {
  if (now.status === 'PAST_DUE')
    return { ...now, status: 'ACTIVE', overdue: null, credit: now.credit - invoice.creditUsed }
  const { anchor, periodEnd: start, interval } = now
  if (!anchor || !start || !interval) throw new Error('a plan without a period was renewed')
  return {
    ...now,
    periodStart: start,
    periodEnd: periodEnd(anchor, start, interval),
    credit: now.credit - invoice.creditUsed,
  }
}

/** It was not: the plan goes on for two weeks with three more tries, then it ends. Credit is used only by what is paid. */
export function unpaid(now: Subscription, invoice: Invoice, at: Date): Subscription {
  if (now.status !== 'PAST_DUE') {
    const { anchor, periodEnd: start, interval } = now
    if (!anchor || !start || !interval) throw new Error('a plan without a period was renewed')
    return {
      ...now,
      status: 'PAST_DUE',
      periodStart: start,
      periodEnd: periodEnd(anchor, start, interval),
      overdue: { invoice, since: at, retries: 0, nextAttemptAt: attemptAt(at, 0) },
    }
  }
  const { overdue } = now
  if (!overdue) throw new Error('a plan that owes nothing is past due')
  const retries = overdue.retries + 1
  if (retries >= RETRY_DAYS.length) return { ...now, status: 'CANCELLED', canceledAt: at, periodEnd: at, overdue: null }
  return { ...now, overdue: { ...overdue, retries, nextAttemptAt: attemptAt(overdue.since, retries) } }
}

const attemptAt = (since: Date, retries: number): Date =>
  new Date(since.getTime() + (RETRY_DAYS[retries] ?? RETRY_DAYS[0]) * DAY)

/** When the plan ends if nobody pays. */
export const endsUnpaid = (since: Date): Date => attemptAt(since, RETRY_DAYS.length - 1)
