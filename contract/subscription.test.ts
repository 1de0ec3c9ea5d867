import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { baseChannels, entitlements } from './plans.ts'
import { PRICE_LIST, type PriceList } from './priceList.ts'
import {
  due,
  endsUnpaid,
  invoiceOf,
  isPaid,
  paid,
  periodEnd,
  trial,
  unpaid,
  wish,
  type Invoice,
  type Subscription,
  type Wish,
} from './subscription.ts'

const at = (text: string) => new Date(`${text}Z`)
const few = { channels: 1, projects: 1 }
const START = at('2027-01-31T10:00:00')
const DAY = 86_400_000

function want(now: Subscription, wanted: Wish, when = START, holdings = few, prices: PriceList = PRICE_LIST) {
  const outcome = wish(now, wanted, when, prices, holdings)
  if ('refused' in outcome) throw new Error(outcome.refused)
  return outcome
}
const refusal = (now: Subscription, wanted: Wish, holdings = few, when = START) => {
  const outcome = wish(now, wanted, when, PRICE_LIST, holdings)
  return 'refused' in outcome ? outcome.refused : undefined
}
const onTrial = trial(at('2027-02-14T10:00:00'))
const individual = want(onTrial, { kind: 'buy', planId: 'individual', interval: 'monthly', addonQuantity: 2 }).next

describe('a plan', () => {
  it('is bought for its price and add-ons, from the trial, a cancelled plan or Free', () => {
    const { next, invoice } = want(onTrial, {
      kind: 'buy',
      planId: 'individual',
      interval: 'monthly',
      addonQuantity: 2,
    })
    expect(invoice).toMatchObject({
      subtotal: 1500 + 600,
      tax: 0,
      grandTotal: 2100,
      charged: 2100,
      lines: [
        { name: 'Individual, monthly', subtotal: 1500 },
        { name: 'Channel Addons, monthly', quantity: 2, subtotal: 600 },
      ],
    })
    expect(next).toMatchObject({
      planId: 'individual',
      status: 'ACTIVE',
      interval: 'monthly',
      addonQuantity: 2,
      periodStart: START,
      periodEnd: at('2027-02-28T10:00:00'),
      trialEndsAt: null,
    })
    const free = want(onTrial, { kind: 'free' }).next
    expect(want(free, { kind: 'buy', planId: 'team', interval: 'annual', addonQuantity: 0 }).invoice?.charged).toBe(
      49_000,
    )
    expect(refusal(next, { kind: 'buy', planId: 'team', interval: 'annual', addonQuantity: 0 })).toBe(
      'There is a plan already: change it instead.',
    )
  })

  it('is not bought with fewer add-ons than the channels need, nor with more than there are', () => {
    const buy = (addonQuantity: number, channels: number) =>
      refusal(
        onTrial,
        { kind: 'buy', planId: 'individual', interval: 'monthly', addonQuantity },
        { channels, projects: 1 },
      )
    expect(buy(1, 12)).toBe('You need to get at least 2 Addons, else remove those additional channels first.')
    expect(buy(2, 12)).toBeUndefined()
    expect(buy(21, 12)).toBe('You cannot add more than 20 Channel Addons to Individual Plan.')
    expect(refusal(onTrial, { kind: 'free' }, { channels: 5, projects: 1 })).toBe(
      'Free plan supports only 3 Channels. You have 2 excess Channels.',
    )
    expect(refusal(onTrial, { kind: 'free' }, { channels: 3, projects: 4 })).toBe(
      'Free plan supports only 1 Project. You have 3 excess Projects.',
    )
  })

  it('keeps the day of the month through short months', () => {
    expect(periodEnd(START, START, 'monthly')).toEqual(at('2027-02-28T10:00:00'))
    expect(periodEnd(START, at('2027-02-28T10:00:00'), 'monthly')).toEqual(at('2027-03-31T10:00:00'))
    expect(periodEnd(at('2028-02-29T10:00:00'), at('2028-02-29T10:00:00'), 'annual')).toEqual(at('2029-02-28T10:00:00'))
  })

  it('changes its add-ons for what is left of the period', () => {
    const half = new Date(START.getTime() + 14 * DAY)
    expect(want(individual, { kind: 'addons', addonQuantity: 4 }, half).invoice).toMatchObject({
      subtotal: 300,
      lines: [
        { quantity: 4, subtotal: 600 },
        { quantity: 2, subtotal: -300 },
      ],
    })
    const fewer = want(individual, { kind: 'addons', addonQuantity: 0 }, half)
    expect(fewer.invoice).toMatchObject({ subtotal: -300, charged: 0, creditAdded: 300 })
    expect(fewer.next).toMatchObject({ addonQuantity: 0, credit: 300, periodEnd: individual.periodEnd })
    expect(refusal(individual, { kind: 'addons', addonQuantity: 2 })).toBe(
      'This is the number of Addons that you have.',
    )
  })

  it('goes to annual and to Team with what is left given back; never back to monthly', () => {
    const half = new Date(START.getTime() + 14 * DAY)
    expect(want(individual, { kind: 'annual' }, half).invoice).toMatchObject({ subtotal: 15_000 + 6000 - 750 - 300 })
    const team = want(individual, { kind: 'team', interval: 'monthly', addonQuantity: 0 }, half)
    expect(team.invoice).toMatchObject({ subtotal: 4900 - 750 - 300 })
    expect(team.next).toMatchObject({ planId: 'team', periodStart: half, addonQuantity: 0 })
    expect(Object.keys(team.next)).not.toContain('kind')
    const annual = want(individual, { kind: 'annual' }, half).next
    expect(refusal(annual, { kind: 'annual' })).toBeDefined()
    expect(refusal(annual, { kind: 'team', interval: 'monthly', addonQuantity: 0 })).toBe(
      'An annual plan stays annual.',
    )
  })

  it('is cancelled at the end of its period, and can be taken up again until then', () => {
    const cancelled = want(individual, { kind: 'cancel' }).next
    expect(cancelled).toMatchObject({ status: 'CANCEL_SCHEDULED', canceledAt: START })
    expect(due(cancelled, at('2027-02-28T09:59:59'), PRICE_LIST)).toBeUndefined()
    expect(want(cancelled, { kind: 'resume' }).next).toEqual(individual)
    expect(due(cancelled, at('2027-02-28T10:00:00'), PRICE_LIST)).toMatchObject({
      kind: 'ends',
      next: { status: 'CANCELLED' },
    })
    expect(refusal(cancelled, { kind: 'addons', addonQuantity: 5 })).toBeDefined()
  })

  it('is renewed with credit first; one that cannot be paid is tried three times in two weeks, then it ends', () => {
    const end = at('2027-02-28T10:00:00')
    const renewal = due({ ...individual, credit: 500 }, end, PRICE_LIST)
    if (renewal?.kind !== 'renew') throw new Error('nothing was due')
    expect(renewal.invoice).toMatchObject({ grandTotal: 2100, creditUsed: 500, charged: 1600 })
    expect(paid({ ...individual, credit: 500 }, renewal.invoice)).toMatchObject({
      status: 'ACTIVE',
      credit: 0,
      periodStart: end,
      periodEnd: at('2027-03-31T10:00:00'),
    })
    let late = unpaid({ ...individual, credit: 500 }, renewal.invoice, end)
    expect(late).toMatchObject({ status: 'PAST_DUE', credit: 500 })
    expect(endsUnpaid(end)).toEqual(at('2027-03-14T10:00:00'))
    const attempts: string[] = []
    while (late.overdue?.nextAttemptAt) {
      attempts.push(late.overdue.nextAttemptAt.toISOString().slice(5, 10))
      late = unpaid(late, late.overdue.invoice, late.overdue.nextAttemptAt)
    }
    expect(attempts).toEqual(['03-04', '03-09', '03-14'])
    expect(late).toMatchObject({ status: 'CANCELLED', credit: 500, overdue: null })
    expect(paid(unpaid(individual, renewal.invoice, end), renewal.invoice)).toMatchObject({
      status: 'ACTIVE',
      periodStart: end,
    })
  })

  it('taxes the sum once', () => {
    expect(
      invoiceOf(
        [
          { name: 'a', quantity: 1, subtotal: 333 },
          { name: 'b', quantity: 1, subtotal: 333 },
        ],
        0,
        { taxRate: 0.19 },
      ),
    ).toMatchObject({ subtotal: 666, tax: 127, grandTotal: 793 })
    expect(invoiceOf([{ name: 'a', quantity: 1, subtotal: -333 }], 0, { taxRate: 0.19 })).toMatchObject({
      tax: -63,
      creditAdded: 396,
      charged: 0,
    })
  })
})

const wishes: fc.Arbitrary<Wish> = fc.oneof(
  fc.record({
    kind: fc.constant('buy' as const),
    planId: fc.constantFrom('individual' as const, 'team' as const),
    interval: fc.constantFrom('monthly' as const, 'annual' as const),
    addonQuantity: fc.nat(25),
  }),
  fc.record({ kind: fc.constant('addons' as const), addonQuantity: fc.nat(25) }),
  fc.record({ kind: fc.constantFrom('annual' as const, 'cancel' as const, 'resume' as const, 'free' as const) }),
  fc.record({
    kind: fc.constant('team' as const),
    interval: fc.constantFrom('monthly' as const, 'annual' as const),
    addonQuantity: fc.nat(25),
  }),
)
const step = fc.record({
  wanted: fc.option(wishes),
  seconds: fc.oneof(fc.nat(3600), fc.nat(40 * 86_400), fc.nat(400 * 86_400)),
  pays: fc.boolean(),
  channels: fc.nat(32),
  taxRate: fc.constantFrom(0, 0.19, 0.077),
})

describe('whatever is wished, whenever, whoever pays', () => {
  it('money is never invented, and nobody has more than a paid plan gives (10,000 sequences)', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
        const prices = { ...PRICE_LIST, taxRate: steps[0]?.taxRate ?? 0 }
        let now = onTrial
        let moment = START
        const invoices: Invoice[] = []
        for (const { wanted, seconds, pays, channels } of steps) {
          moment = new Date(moment.getTime() + seconds * 1000)
          for (let asked = due(now, moment, prices); asked; asked = due(now, moment, prices)) {
            if (asked.kind === 'ends') now = asked.next
            else if (pays) {
              invoices.push(asked.invoice)
              now = paid(now, asked.invoice)
            } else now = unpaid(now, asked.invoice, moment)
          }
          const outcome = wanted && wish(now, wanted, moment, prices, { channels, projects: 1 })
          if (outcome && !('refused' in outcome)) {
            if (outcome.invoice && outcome.invoice.charged > 0 && !pays) continue
            if (outcome.invoice) invoices.push(outcome.invoice)
            now = outcome.next
          }
          const sum = (pick: (one: Invoice) => number) => invoices.reduce((total, one) => total + pick(one), 0)
          expect(sum((one) => one.charged)).toBe(sum((one) => one.grandTotal) + now.credit)
          expect(now.credit).toBeGreaterThanOrEqual(0)
          expect(invoices.every((one) => one.charged >= 0 && one.subtotal + one.tax === one.grandTotal)).toBe(true)
          if (isPaid(now)) expect(invoices.some((one) => one.lines.length > 0)).toBe(true)
          if (now.status === 'ACTIVE' && now.planId !== 'free')
            expect(now.periodEnd && now.periodEnd > moment).toBe(true)
          const { channels: allowed, valid } = entitlements(
            { planId: now.planId, status: now.status, addonQuantity: now.addonQuantity, trialEndsAt: now.trialEndsAt },
            moment,
          )
          if (isPaid(now)) expect(allowed).toBe(baseChannels[now.planId] + now.addonQuantity)
          if (now.status === 'CANCELLED' || now.status === 'TRIAL_EXPIRED') expect(valid).toBe(false)
        }
      }),
      { numRuns: 10_000 },
    )
  }, 60_000)
})
