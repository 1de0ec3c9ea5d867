import { randomUUIDv7 } from 'node:crypto'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as billing from '#contract/billing.ts'
import { plan } from '#contract/organizations.ts'
import { entitlements, limitOf } from '#contract/plans.ts'
import { chargedOf, type Bill } from '#contract/invoicing.ts'
import { PRICE_LIST } from '#contract/priceList.ts'
import { due, nextDue, paid, trial, unpaid, wish, type Subscription, type Wish } from '#contract/subscription.ts'
import { modelRuns } from '../testing/modelRuns.ts'
import { cardEnd, localHarness, paddleHarness, type BillingHarness, type CardKind } from '../testing/billing.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'

const { runs, seed, timeout } = modelRuns('billing model')
const TOGETHER = 20
const STEPS = 8

/*
 * The product over HTTP next to the model of contract/subscription.ts: many organizations at once, each with random
 * actions.
 */
type Action =
  | { kind: 'wish'; wanted: Wish; card: CardKind }
  | { kind: 'method'; card: CardKind }
  | { kind: 'two admins'; one: number; two: number }
  | { kind: 'nothing' }
type Model = {
  state: Subscription
  /** The end of the paying card; null without one. */ cardEnds: Date | null
  charged: number
  worth: number
}
type Party = { home: TestHome; second: TestPerson; model: Model; channels: number; log: string[] }

const addons = fc.nat(25)
const planId = fc.constantFrom('individual' as const, 'team' as const)
const interval = fc.constantFrom('monthly' as const, 'annual' as const)
const wanted: fc.Arbitrary<Wish> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('buy' as const), planId, interval, addonQuantity: fc.nat(15) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('addons' as const), addonQuantity: addons }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('annual' as const, 'cancel' as const, 'resume' as const, 'free' as const, 'stay' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('individual' as const), addonQuantity: addons }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('team' as const), interval, addonQuantity: addons }) },
)
const card = fc.constantFrom<CardKind>('pays', 'pays', 'runs out', 'declined')
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('wish' as const), wanted, card }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('method' as const), card }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('two admins' as const), one: addons, two: addons }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('nothing' as const) }) },
)
const script = fc.record({
  channels: fc.constantFrom(0, 0, 2, 11),
  actions: fc.array(action, { minLength: STEPS, maxLength: STEPS }),
})
const pause = fc.oneof(fc.nat(7200), fc.nat(20 * 86_400), fc.nat(60 * 86_400))

describe.each([
  ['local', localHarness],
  ['paddle', paddleHarness],
] as const)('random lives with %s payments', (name, begin) => {
  let stage: BillingHarness
  beforeAll(async () => {
    stage = await begin()
  })
  afterAll(() => stage.close())

  it('never invents money, and gives nobody more than what is paid for', { timeout }, async () => {
    const scripts = fc.sample(script, { numRuns: runs, seed })
    for (let from = 0; from < scripts.length; from += TOGETHER) {
      const group = scripts.slice(from, from + TOGETHER)
      const parties = await Promise.all(group.map(({ channels }) => party(channels)))
      for (const [step, seconds] of fc.sample(pause, { numRuns: STEPS, seed: seed + from }).entries()) {
        await Promise.all(parties.map((one, i) => act(one, group[i]?.actions[step] ?? { kind: 'nothing' })))
        await stage.settle()
        await stage.jump(seconds)
        for (const one of parties) passTime(one.model, stage.app.clock.now())
        await compareSeats(parties)
        await Promise.all(parties.map((one) => compare(one)))
      }
      // what has ended charges nothing anymore
      await stage.forget(parties.map(({ home }) => home))
    }
  })

  async function party(channels: number): Promise<Party> {
    const { app } = stage
    const home = await app.signedInOwner()
    const second = await app.person()
    const now = app.clock.now()
    await app.database.owner.query(
      'insert into member (org_id, person_id, is_admin, added_at) values ($1, $2, true, $3)',
      [home.orgId, second.personId, now],
    )
    for (let i = 0; i < channels; i++) {
      const id = randomUUIDv7()
      await app.database.owner.query(
        "insert into channel (org_id, id, project_id, platform, remote_id, name, handle, connected_at, connected_by) values ($1, $2::uuid, $3, 'bluesky', $4, 'Theirs', '@theirs', $5, $6)",
        [home.orgId, id, home.projectId, id, now, home.person.personId],
      )
    }
    return {
      home,
      second,
      channels,
      model: { state: trial(new Date(now.getTime() + 14 * 86_400_000)), cardEnds: null, charged: 0, worth: 0 },
      log: [],
    }
  }

  /**
   * As many of the two admins are active as the plan includes. The one who paid last stays; after two simultaneous
   * confirmations that can be either, and the active one continues.
   */
  async function compareSeats(parties: readonly Party[]): Promise<void> {
    const { rows } = await stage.app.database.owner.query<{ org_id: string; active: string[] }>(
      'select org_id, array_agg(person_id) as active from member where org_id = any($1) and not plan_locked group by org_id',
      [parties.map(({ home }) => home.orgId)],
    )
    for (const who of parties) {
      const active = rows.find((row) => row.org_id === who.home.orgId)?.active ?? []
      const rights = entitlements(who.model.state, stage.app.clock.now())
      if (rights.valid) expect(active.length, explain(who)).toBe(Math.min(2, rights.users))
      const { home, second } = who
      if (!active.includes(home.person.personId) && active.includes(second.personId))
        Object.assign(who, { home: { ...home, person: second }, second: home.person })
    }
  }

  async function act(who: Party, does: Action): Promise<void> {
    who.log.push(
      `${stage.app.clock.now().toISOString()} ${who.model.state.planId} ${who.model.state.status} ${JSON.stringify(does)}`,
    )
    if (does.kind === 'wish') await wishFor(who, does.wanted, does.card)
    else if (does.kind === 'method') await newMethod(who, does.card)
    else if (does.kind === 'two admins') await together(who, does)
  }

  async function wishFor(who: Party, asks: Wish, with_: CardKind): Promise<void> {
    const { app } = stage
    const now = app.clock.now()
    const { home, model, channels } = who
    const plans = asks.kind === 'individual' || asks.kind === 'stay'
    const outcome =
      plans && name === 'paddle'
        ? { refused: 'Paddle plans no other items' }
        : wish(model.state, asks, now, PRICE_LIST, { channels, projects: 1 })
    const at = { params: home.params }
    const as = { as: home.person }
    if (asks.kind === 'buy') {
      const response = await app.send(
        billing.checkout,
        { ...at, body: { basePlanId: asks.planId, billingInterval: asks.interval, addonQuantity: asks.addonQuantity } },
        as,
      )
      expect(response.statusCode, explain(who, response.body)).toBe('refused' in outcome ? 409 : 200)
      if ('refused' in outcome) return
      const isPaid = await stage.pay(home, response.json<{ transactionId: string }>().transactionId, with_)
      expect(isPaid, explain(who)).toBe(with_ !== 'declined')
      if (isPaid) take(model, outcome, cardEnd(with_, now))
      return
    }
    if (asks.kind === 'individual') {
      const { addonQuantity } = asks
      const response = await app.send(billing.planDowngrade, { ...at, body: { addonQuantity } }, as)
      expect(response.statusCode, explain(who, response.body)).toBe('refused' in outcome ? 409 : 200)
      if (!('refused' in outcome)) model.state = outcome.next
      return
    }
    if (asks.kind === 'cancel' || asks.kind === 'resume' || asks.kind === 'free' || asks.kind === 'stay') {
      const call = {
        cancel: billing.cancelPlan,
        resume: billing.resumePlan,
        free: billing.switchToFree,
        stay: billing.undoDowngrade,
      }[asks.kind]
      const response = await app.send(call, { ...at, body: {} }, as)
      expect(response.statusCode, explain(who, response.body)).toBe('refused' in outcome ? 409 : 200)
      if (!('refused' in outcome)) model.state = outcome.next
      return
    }
    const [preview, confirm, body] = changeCalls(asks)
    const shown = await app.send(preview, { ...at, body }, as)
    expect(shown.statusCode, explain(who, shown.body)).toBe('refused' in outcome ? 409 : 200)
    if ('refused' in outcome) return
    const { subscriptionId, total } = shown.json<billing.ChangePreview>()
    expect(total.grandTotal, explain(who)).toBe(chargedOf(outcome))
    const confirmed = await app.send(confirm, { ...at, body: { subscriptionId } }, as)
    const isPaid = chargedOf(outcome) === 0 || (model.cardEnds !== null && model.cardEnds > now)
    expect(confirmed.statusCode, explain(who, confirmed.body)).toBe(isPaid ? 200 : 402)
    if (isPaid) take(model, outcome, model.cardEnds)
  }

  /** Two admins who look at two previews and agree to both at once: one of them counts. */
  async function together(who: Party, { one, two }: { one: number; two: number }): Promise<void> {
    const { app } = stage
    const { home, second, model, channels } = who
    const now = app.clock.now()
    // on a plan for one, the second is view-only
    if (entitlements(model.state, now).users === 1) return
    const outcomes = [one, two].map((addonQuantity) =>
      wish(model.state, { kind: 'addons', addonQuantity }, now, PRICE_LIST, { channels, projects: 1 }),
    )
    const people = [home.person, second]
    const previews = await Promise.all(
      [one, two].map((addonQuantity, i) =>
        app.send(billing.previewAddons, { params: home.params, body: { addonQuantity } }, { as: people[i] ?? second }),
      ),
    )
    if (outcomes.some((outcome) => 'refused' in outcome)) return
    const answers = await Promise.all(
      previews.map((shown, i) =>
        app.send(
          billing.confirmAddons,
          { params: home.params, body: { subscriptionId: shown.json<billing.ChangePreview>().subscriptionId } },
          { as: people[i] ?? second },
        ),
      ),
    )
    const done = answers.flatMap(({ statusCode }, i) => (statusCode === 200 ? [i] : []))
    expect(done.length, explain(who, JSON.stringify(answers.map(({ body }) => body)))).toBeLessThanOrEqual(1)
    const outcome = outcomes[done[0] ?? -1]
    if (outcome && !('refused' in outcome)) take(model, outcome, model.cardEnds)
    else
      expect(
        answers.some(({ statusCode }) => statusCode === 402),
        explain(who, JSON.stringify(answers.map(({ body }) => body))),
      ).toBe(true)
  }

  async function newMethod(who: Party, with_: CardKind): Promise<void> {
    const { app } = stage
    const { home, model } = who
    const now = app.clock.now()
    const response = await app.send(billing.updatePaymentMethod, { params: home.params }, { as: home.person })
    const { planId: on, status, overdue } = model.state
    const isOpen = on !== 'free' && ['ACTIVE', 'CANCEL_SCHEDULED', 'PAST_DUE'].includes(status)
    expect(response.statusCode, explain(who, response.body)).toBe(isOpen ? 200 : 409)
    if (!isOpen) return
    const isPaid = await stage.pay(home, response.json<{ transactionId: string }>().transactionId, with_)
    expect(isPaid, explain(who)).toBe(with_ !== 'declined')
    if (!isPaid) return
    model.cardEnds = cardEnd(with_, now)
    if (overdue)
      take(
        model,
        { next: paid(model.state, overdue.invoice), invoice: overdue.invoice, creditNotes: [] },
        model.cardEnds,
      )
  }

  async function compare(who: Party): Promise<void> {
    const { app } = stage
    const { home, model } = who
    const as = { as: home.person }
    const now = app.clock.now()
    const shown = await app.call(billing.billingStatus, { params: home.params }, as)
    const rights = entitlements({ ...model.state }, now)
    const status = model.state.status === 'TRIAL_ACTIVE' && !rights.valid ? 'TRIAL_EXPIRED' : model.state.status
    expect(
      {
        planId: shown.planId,
        status: shown.planStatus,
        addons: shown.addonQuantity,
        channels: shown.maxChannels,
        interval: shown.billingPeriod,
        end: shown.planStatus.startsWith('TRIAL') || shown.planStatus === 'CANCELLED' ? null : shown.currentEndDate,
      },
      explain(who),
    ).toEqual({
      planId: model.state.planId,
      status,
      addons: model.state.addonQuantity,
      channels: rights.channels,
      interval: model.state.interval,
      end: status.startsWith('TRIAL') || status === 'CANCELLED' ? null : (model.state.periodEnd?.toISOString() ?? null),
    })
    expect(await app.call(plan, { params: home.params }, as), explain(who)).toMatchObject({
      valid: rights.valid,
      maxChannels: rights.channels,
      maxUsers: limitOf(rights.users),
      closed: [...rights.closed],
    })
    const { transactions } = await app.call(billing.transactions, { params: home.params, query: { limit: 100 } }, as)
    const paidOnes = transactions
      .filter(({ transactionStatus }) => transactionStatus === 'paid')
      .map(({ lastTransactionTotals }) => lastTransactionTotals)
    const sum = (of: (one: billing.Transaction['lastTransactionTotals']) => number) =>
      paidOnes.reduce((total, one) => total + of(one), 0)
    expect(
      { charged: sum((one) => one.grandTotal), worth: sum((one) => one.subtotal + one.tax) },
      explain(who),
    ).toEqual({ charged: model.charged, worth: model.worth })
    expect(model.charged, explain(who)).toBe(model.worth + (model.state.credits.USD ?? 0))
    if (name === 'local')
      expect(shown.credits, explain(who)).toEqual(
        Object.entries(model.state.credits).map(([currencyCode, amount]) => ({ currencyCode, amount })),
      )
  }
})

const explain = ({ log }: Party, answer = ''): string => `seed ${seed}\n${log.join('\n')}\n${answer}`

function changeCalls(asks: Extract<Wish, { kind: 'addons' | 'annual' | 'team' }>) {
  if (asks.kind === 'addons')
    return [billing.previewAddons, billing.confirmAddons, { addonQuantity: asks.addonQuantity }] as const
  if (asks.kind === 'annual') return [billing.previewFrequency, billing.confirmFrequency, {}] as const
  return [
    billing.previewPlan,
    billing.confirmPlan,
    { addonQuantity: asks.addonQuantity, billingInterval: asks.interval },
  ] as const
}

function take(model: Model, { next, ...bill }: Bill & { next: Subscription }, cardEnds: Date | null): void {
  model.state = next
  model.cardEnds = cardEnds
  model.charged += chargedOf(bill)
  model.worth += [...bill.creditNotes, ...(bill.invoice ? [bill.invoice] : [])].reduce(
    (sum, { grandTotal }) => sum + grandTotal,
    0,
  )
}

/** What time does to the model when someone looks at this moment. */
function passTime(model: Model, now: Date): void {
  while ((nextDue(model.state) ?? now) <= now) {
    const asked = due(model.state, now, PRICE_LIST)
    if (!asked) return
    if (asked.kind === 'ends') model.state = asked.next
    else if (asked.invoice.charged === 0 || (model.cardEnds !== null && model.cardEnds > now))
      take(model, { next: paid(model.state, asked.invoice), invoice: asked.invoice, creditNotes: [] }, model.cardEnds)
    else model.state = unpaid(model.state, asked.invoice, now)
  }
}
