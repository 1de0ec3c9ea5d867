import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { baseChannels, entitlements } from './plans.ts'
import { invoiceOf, withInvoiceNumber, type Invoice, type Line } from './invoicing.ts'
import { PRICE_LIST, type PriceList } from './priceList.ts'
import { modelRuns } from '#server/testing/modelRuns.ts'
import {
  due,
  endsUnpaid,
  isPaid,
  nextInvoice,
  paid,
  periodEnd,
  trial,
  unpaid,
  wish,
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
  it('is bought for its price and add-ons, from the trial, a canceled plan or Free', () => {
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
      'You already have a plan. Change it instead.',
    )
  })

  it("can't be bought with fewer add-ons than the channels need, or with more than there are", () => {
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
    expect(want(individual, { kind: 'addons', addonQuantity: 4 }, half)).toMatchObject({
      invoice: { subtotal: 300, lines: [{ quantity: 2, subtotal: 300 }], period: { from: half } },
      creditNotes: [],
    })
    const fewer = want(individual, { kind: 'addons', addonQuantity: 0 }, half)
    expect(fewer.invoice).toBeNull()
    expect(fewer.creditNotes).toMatchObject([{ subtotal: -300, charged: 0, creditAdded: 300 }])
    expect(fewer.next).toMatchObject({ addonQuantity: 0, credits: { USD: 300 }, periodEnd: individual.periodEnd })
    expect(refusal(individual, { kind: 'addons', addonQuantity: 2 })).toBe('You already have this number of Addons.')
  })

  it('moves to annual and to Team with a credit for what is left; never back to monthly', () => {
    const half = new Date(START.getTime() + 14 * DAY)
    expect(want(individual, { kind: 'annual' }, half).invoice).toMatchObject({
      subtotal: 15_000 + 6000,
      creditUsed: 750 + 300,
    })
    const team = want(individual, { kind: 'team', interval: 'monthly', addonQuantity: 0 }, half)
    expect(team).toMatchObject({
      invoice: { subtotal: 4900, creditUsed: 1050, charged: 4900 - 1050 },
      creditNotes: [{ lines: [{ subtotal: -750 }, { subtotal: -300 }], creditAdded: 1050 }],
    })
    expect(team.next).toMatchObject({ planId: 'team', periodStart: half, addonQuantity: 0 })
    expect(Object.keys(team.next)).not.toContain('kind')
    const annual = want(individual, { kind: 'annual' }, half).next
    expect(refusal(annual, { kind: 'annual' })).toBeDefined()
    expect(refusal(annual, { kind: 'team', interval: 'monthly', addonQuantity: 0 })).toBe(
      'An annual plan stays annual.',
    )
  })

  it('is canceled at the end of its period, and can be resumed until then', () => {
    const canceled = want(individual, { kind: 'cancel' }).next
    expect(canceled).toMatchObject({ status: 'CANCEL_SCHEDULED', canceledAt: START })
    expect(due(canceled, at('2027-02-28T09:59:59'), PRICE_LIST)).toBeUndefined()
    expect(want(canceled, { kind: 'resume' }).next).toEqual(individual)
    expect(due(canceled, at('2027-02-28T10:00:00'), PRICE_LIST)).toMatchObject({
      kind: 'ends',
      next: { status: 'CANCELLED' },
    })
    expect(refusal(canceled, { kind: 'addons', addonQuantity: 5 })).toBeDefined()
  })

  it('is renewed using credit first; a failed payment is retried three times in two weeks, then the plan ends', () => {
    const end = at('2027-02-28T10:00:00')
    const renewal = due({ ...individual, credits: { USD: 500 } }, end, PRICE_LIST)
    if (renewal?.kind !== 'renew') throw new Error('nothing was due')
    expect(renewal.invoice).toMatchObject({ grandTotal: 2100, creditUsed: 500, charged: 1600 })
    expect(paid({ ...individual, credits: { USD: 500 } }, renewal.invoice)).toMatchObject({
      status: 'ACTIVE',
      credits: {},
      periodStart: end,
      periodEnd: at('2027-03-31T10:00:00'),
    })
    let late = unpaid({ ...individual, credits: { USD: 500 } }, renewal.invoice, end)
    expect(late).toMatchObject({ status: 'PAST_DUE', credits: { USD: 500 }, paidItems: [] })
    expect(endsUnpaid(end)).toEqual(at('2027-03-14T10:00:00'))
    const attempts: string[] = []
    while (late.overdue?.nextAttemptAt) {
      attempts.push(late.overdue.nextAttemptAt.toISOString().slice(5, 10))
      late = unpaid(late, late.overdue.invoice, late.overdue.nextAttemptAt)
    }
    expect(attempts).toEqual(['03-04', '03-09', '03-14'])
    expect(late).toMatchObject({ status: 'CANCELLED', credits: { USD: 500 }, overdue: null })
    expect(paid(unpaid(individual, renewal.invoice, end), renewal.invoice)).toMatchObject({
      status: 'ACTIVE',
      periodStart: end,
    })
  })

  it('can be canceled while its payment is overdue, which ends it at once', () => {
    const end = at('2027-02-28T10:00:00')
    const renewal = due(individual, end, PRICE_LIST)
    if (renewal?.kind !== 'renew') throw new Error('nothing was due')
    const late = unpaid(individual, renewal.invoice, end)
    expect(refusal(late, { kind: 'free' })).toBe('Cancel the overdue plan first. It ends right away.')
    const canceled = want(late, { kind: 'cancel' }, end).next
    expect(canceled).toMatchObject({ status: 'CANCELLED', overdue: null, periodEnd: end })
    expect(want(canceled, { kind: 'free' }, end).next).toMatchObject({ planId: 'free', status: 'ACTIVE' })
  })

  it('can go from Team to Individual when the period ends, and stay until then', () => {
    const team = want(onTrial, { kind: 'buy', planId: 'team', interval: 'monthly', addonQuantity: 3 }).next
    const planned = want(team, { kind: 'individual', addonQuantity: 1 }).next
    expect(planned).toEqual({ ...team, planned: { planId: 'individual', addonQuantity: 1 } })
    expect(want(planned, { kind: 'stay' }).next).toEqual(team)
    expect(want(planned, { kind: 'cancel' }).next.planned).toBeNull()
    expect(refusal(team, { kind: 'stay' })).toBe('No change of plan is scheduled.')
    expect(refusal(individual, { kind: 'individual', addonQuantity: 0 })).toBe(
      'Only an active Team plan can be switched to Individual.',
    )
    expect(refusal(team, { kind: 'individual', addonQuantity: 20 }, { channels: 31, projects: 1 })).toBe(
      'Individual plan supports upto 30 Channels. You have 31 Channels.',
    )
    expect(nextInvoice(planned, PRICE_LIST)).toMatchObject({ charged: 1500 + 300 })
    const renewal = due(planned, at('2027-02-28T10:00:00'), PRICE_LIST)
    if (renewal?.kind !== 'renew') throw new Error('nothing was due')
    const next = { planId: 'individual', addonQuantity: 1, planned: null, interval: 'monthly' }
    expect(paid(planned, renewal.invoice)).toMatchObject({ ...next, status: 'ACTIVE' })
    expect(unpaid(planned, renewal.invoice, at('2027-02-28T10:00:00'))).toMatchObject({ ...next, status: 'PAST_DUE' })
  })

  it('taxes the sum once, and its lines add up to exactly that tax', () => {
    const line = (name: string) => ({ name, quantity: 1, subtotal: 333 })
    const taxed = invoiceOf([line('a'), line('b')], {}, { taxRate: 0.19, currencyCode: 'EUR' })
    expect(taxed).toMatchObject({ subtotal: 666, tax: 127, grandTotal: 793 })
    expect(taxed.lines.map(({ tax }) => tax)).toEqual([63, 64])
  })
})

const list = (factor: number, currencyCode = 'USD', taxRate = 0): PriceList => {
  const scale = <T extends { price: number; addonPrice: number }>(one: T) => ({
    ...one,
    price: Math.round(one.price * factor),
    addonPrice: Math.round(one.addonPrice * factor),
  })
  const plan = <T extends PriceList['plans']['team']>(one: T) => ({
    ...one,
    prices: { monthly: scale(one.prices.monthly), annual: scale(one.prices.annual) },
  })
  const { free, individual: single, team } = PRICE_LIST.plans
  return { currencyCode, taxRate, plans: { free, individual: plan(single), team: plan(team) } }
}

describe('a refund in credit is what was paid, whatever the price list says now', () => {
  const annual = want(onTrial, { kind: 'buy', planId: 'individual', interval: 'annual', addonQuantity: 1 }).next
  const team = { kind: 'team', interval: 'annual', addonQuantity: 0 } as const

  it('after prices doubled, halved, were taxed or moved to another currency', () => {
    for (const prices of [list(2), list(0.5), list(1, 'USD', 0.19), list(0.5, 'EUR', 0.19)]) {
      const { creditNotes } = want(annual, team, START, few, prices)
      expect(creditNotes).toMatchObject([{ currencyCode: 'USD', taxRate: 0, tax: 0, creditAdded: 18_000 }])
    }
  })

  it('with the tax that was paid', () => {
    const taxed = want(
      onTrial,
      { kind: 'buy', planId: 'individual', interval: 'annual', addonQuantity: 1 },
      START,
      few,
      list(1, 'EUR', 0.19),
    ).next
    expect(want(taxed, team, START, few, list(1, 'EUR')).creditNotes).toMatchObject([
      { currencyCode: 'EUR', taxRate: 0.19, subtotal: -18_000, tax: -3420, creditAdded: 21_420 },
    ])
  })

  it('in its own currency, leaving later invoices in another currency alone', () => {
    const { next, invoice } = want(annual, team, START, few, list(0.5, 'EUR', 0.19))
    expect(invoice).toMatchObject({ currencyCode: 'EUR', creditUsed: 0, charged: 29_155 })
    expect(next.credits).toEqual({ USD: 18_000 })
    expect(want(next, { kind: 'addons', addonQuantity: 2 }, START, few, list(1, 'EUR')).next.credits).toEqual({
      USD: 18_000,
    })
    const inDollars = wish(annual, { kind: 'addons', addonQuantity: 2 }, START, list(1, 'EUR'), few)
    expect(inDollars).toEqual({ refused: 'Prices are now in EUR. You can add Addons once your plan has renewed.' })
  })

  it('names the invoices that it corrects, starting with the add-ons bought last', () => {
    const first = { ...annual, paidItems: withInvoiceNumber(annual.paidItems, 'A') }
    const more = want(first, { kind: 'addons', addonQuantity: 3 }, START, few, list(2)).next
    const second = { ...more, paidItems: withInvoiceNumber(more.paidItems, 'B') }
    expect(want(second, { kind: 'addons', addonQuantity: 1 }).creditNotes).toMatchObject([
      { refersTo: ['B'], creditAdded: 12_000 },
    ])
    expect(want(second, { kind: 'addons', addonQuantity: 0 }).creditNotes).toMatchObject([
      { refersTo: ['A', 'B'], creditAdded: 15_000 },
    ])
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
  fc.record({
    kind: fc.constantFrom('annual' as const, 'cancel' as const, 'resume' as const, 'free' as const, 'stay' as const),
  }),
  fc.record({ kind: fc.constant('individual' as const), addonQuantity: fc.nat(25) }),
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
  prices: fc
    .tuple(fc.constantFrom(0.5, 1, 1.37, 2), fc.constantFrom('USD', 'EUR'), fc.constantFrom(0, 0.19, 0.077))
    .map((of) => list(...of)),
})

/** What was bought and paid for, computed separately from the model: from invoices alone. */
type Bought = Pick<Line, 'kind' | 'quantity'> & { worth: number; currencyCode: string; from: Date; until: Date }
const boughtBy = ({ lines, currencyCode, period }: Invoice): Bought[] =>
  lines.map(({ kind, quantity, subtotal, tax }) => ({
    kind,
    quantity,
    worth: subtotal + tax,
    currencyCode,
    from: period?.from ?? START,
    until: period?.to ?? START,
  }))

/**
 * What is unused of the last `units` of a kind at a moment, by currency and not rounded; removes it from what was
 * bought.
 */
function takeUnused(bought: Bought[], kind: Line['kind'], units: number, moment: Date): Map<string, number> {
  const unused = new Map<string, number>()
  const second = (of: Date) => Math.floor(of.getTime() / 1000)
  for (const one of bought.toReversed()) {
    if (one.kind !== kind || units === 0 || one.quantity === 0) continue
    const taken = Math.min(units, one.quantity)
    const worth = (one.worth * taken) / one.quantity
    const left = (second(one.until) - second(moment)) / (second(one.until) - second(one.from))
    unused.set(one.currencyCode, (unused.get(one.currencyCode) ?? 0) + worth * left)
    one.quantity -= taken
    one.worth -= worth
    units -= taken
  }
  return unused
}

describe('any request at any time, no matter who pays and however prices, taxes and the currency change', () => {
  const { runs, seed, timeout } = modelRuns('subscription model')
  it('no money is created or lost, and nobody has more than a paid plan includes', { timeout }, () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
        let now = onTrial
        let moment = START
        const documents: Invoice[] = []
        let bought: Bought[] = []
        for (const { wanted, seconds, pays, channels, prices } of steps) {
          moment = new Date(moment.getTime() + seconds * 1000)
          for (let asked = due(now, moment, prices); asked; asked = due(now, moment, prices)) {
            if (asked.kind === 'ends') now = asked.next
            else if (pays) {
              documents.push(asked.invoice)
              bought = boughtBy(asked.invoice)
              now = paid(now, asked.invoice)
            } else now = unpaid(now, asked.invoice, moment)
          }
          const outcome = wanted && wish(now, wanted, moment, prices, { channels, projects: 1 })
          if (outcome && !('refused' in outcome)) {
            const { next, invoice, creditNotes } = outcome
            if (invoice && invoice.charged > 0 && !pays) continue
            const fewer = wanted.kind === 'addons' ? now.addonQuantity - wanted.addonQuantity : 0
            const exchanged = wanted.kind === 'annual' || wanted.kind === 'team'
            const unused = exchanged
              ? takeUnused(bought, 'plan', 1, moment)
              : takeUnused(bought, 'addons', Math.max(0, fewer), moment)
            if (exchanged)
              for (const [code, worth] of takeUnused(bought, 'addons', now.addonQuantity, moment))
                unused.set(code, (unused.get(code) ?? 0) + worth)
            for (const code of ['USD', 'EUR']) {
              const given = creditNotes
                .filter(({ currencyCode }) => currencyCode === code)
                .reduce((sum, { creditAdded }) => sum + creditAdded, 0)
              // each paid item is rounded once for its amount and once for its tax, and once more if it was split
              expect(Math.abs(given - (unused.get(code) ?? 0))).toBeLessThanOrEqual(3 * (now.paidItems.length + 1))
            }
            documents.push(...creditNotes, ...(invoice ? [invoice] : []))
            if (invoice) bought = wanted.kind === 'addons' ? [...bought, ...boughtBy(invoice)] : boughtBy(invoice)
            now = next
          }
          for (const code of ['USD', 'EUR']) {
            const sum = (pick: (one: Invoice) => number) =>
              documents.filter(({ currencyCode }) => currencyCode === code).reduce((total, one) => total + pick(one), 0)
            const credit = now.credits[code] ?? 0
            // paid = used + credit
            expect(sum((one) => one.charged)).toBe(sum((one) => one.grandTotal) + credit)
            expect(credit).toBeGreaterThanOrEqual(0)
            expect(sum((one) => one.grandTotal)).toBeGreaterThanOrEqual(0)
          }
          expect(documents.every((one) => one.charged >= 0 && one.subtotal + one.tax === one.grandTotal)).toBe(true)
          if (isPaid(now)) expect(documents.some((one) => one.lines.length > 0)).toBe(true)
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
      { numRuns: runs, seed },
    )
  })
})
