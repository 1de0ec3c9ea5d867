import { createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PRICE_LIST } from '#contract/priceList.ts'
import { invoiceOf, type Credits, type Invoice } from '#contract/invoicing.ts'
import { due, paid, trial, unpaid, wish, type Subscription, type Wish } from '#contract/subscription.ts'
import * as wire from './paddleWire.ts'
import {
  billed,
  detailsOf,
  id,
  parts,
  periodOf,
  priceWire,
  wantedOf,
  type Card,
  type Sub,
  type Txn,
} from './paddleWire.ts'

/*
 * Paddle on a local server, as far as our calls need: it manages subscriptions by the rules of
 * contract/subscription.ts, responds in the formats of Paddle's API and creates signed notifications, which wait until
 * they're delivered. Times and cards are the test's.
 */

export type Notification = { body: string; signature: string; type: string }
type Note = { event_id: string; event_type: string; occurred_at: string; notification_id: string; data: unknown }

const nothing = invoiceOf([], {}, PRICE_LIST)
export const WEBHOOK_SECRET = 'pdl_ntfset_simulated'

export type PaddleSimulator = Awaited<ReturnType<typeof startPaddle>>

export async function startPaddle(now: () => Date) {
  const subs = new Map<string, Sub>()
  const txns = new Map<string, Txn>()
  const credits = new Map<string, Credits>()
  const waiting: Note[] = []
  const said: { definition: string; value: unknown }[] = []
  const calls: string[] = []
  let numbers = 0
  let keepsTrying = false
  let currency = 'USD'
  const holds: { call: string; arrived: PromiseWithResolvers<void>; released: PromiseWithResolvers<void> }[] = []
  const refusals: string[] = []

  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // a listening server has such an address
  const { port } = server.address() as AddressInfo

  // everything received is recorded, to be compared with its description
  const keep = <T>(definition: string, value: T): T => {
    if (said.length < 2000) said.push({ definition, value })
    return value
  }
  const subWire = (sub: Sub) => keep('ISubscriptionResponse', wire.subWire(sub))
  const txnWire = (txn: Txn) => keep('ITransactionResponse', wire.txnWire(txn, now()))

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://paddle')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array)) // a stream of bytes
    const text = Buffer.concat(chunks).toString()
    calls.push(`${request.method} ${url.pathname}`)
    const call = callOf(request.method ?? 'GET', url)
    const isRefused = refusals.includes(call)
    if (isRefused) refusals.splice(refusals.indexOf(call), 1)
    const answer = isRefused
      ? refusal(500, 'internal_error')
      : request.headers.authorization === 'bearer pdl_simulated'
        ? route(request.method ?? 'GET', url, text === '' ? {} : (JSON.parse(text) as Body))
        : refusal(403, 'authentication_malformed')
    const at = holds.findIndex((one) => one.call === call)
    const [held] = at === -1 ? [] : holds.splice(at, 1)
    held?.arrived.resolve()
    await held?.released.promise
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
  }

  type Body = {
    items?: { price_id: string; quantity: number }[]
    custom_data?: unknown
    customer_id?: string
    scheduled_change?: null
    effective_from?: string
    proration_billing_mode?: string
    on_payment_failure?: string
  }
  type Answer = { status: number; body: unknown }
  const good = (data: unknown): Answer => ({ status: 200, body: { data, meta: { request_id: randomUUID() } } })
  const refusal = (status: number, code: string): Answer => ({
    status,
    body: {
      error: { type: 'request_error', code, detail: code, documentation_url: 'https://developer.paddle.com/errors' },
      meta: { request_id: randomUUID() },
    },
  })

  function route(method: string, { pathname, searchParams }: URL, body: Body): Answer {
    if (method === 'GET' && pathname === '/prices') {
      const wanted = new Set((searchParams.get('id') ?? '').split(','))
      return {
        status: 200,
        body: {
          data: parts.filter((one) => wanted.has(one.id)).map((one) => keep('IPriceResponse', priceWire(one.id))),
          meta: {
            request_id: randomUUID(),
            pagination: { per_page: 50, next: '', has_more: false, estimated_total: 8 },
          },
        },
      }
    }
    if (method === 'POST' && pathname === '/transactions') return begin(body)
    const what = callOf(method, { pathname })
    const [, , key = ''] = pathname.split('/')
    const sub = subs.get(key)
    const txn = txns.get(key)
    if (what === 'GET transactions' && txn) return good(txnWire(txn))
    if (what === 'GET transactions invoice' && txn)
      return good({ url: `https://paddle.example/invoices/${txn.id}.pdf` })
    if (!sub) return refusal(404, 'not_found')
    if (what === 'GET subscriptions') return good(subWire(sub))
    if (what === 'GET subscriptions update-payment-method-transaction') return good(txnWire(methodTxn(sub)))
    if (what === 'POST subscriptions cancel') return cancel(sub, body.effective_from ?? '')
    if (what === 'PATCH subscriptions preview') return update(sub, body, true)
    if (what === 'PATCH subscriptions') return body.items ? update(sub, body, false) : resume(sub)
    return refusal(404, 'not_found')
  }

  /**
   * Delays the response to the next such call, such as `GET subscriptions`, as of that moment. `arrived` resolves when
   * it was received.
   */
  function hold(call: string): { arrived: Promise<void>; release: () => void } {
    const one = { call, arrived: Promise.withResolvers<void>(), released: Promise.withResolvers<void>() }
    holds.push(one)
    return { arrived: one.arrived.promise, release: one.released.resolve }
  }

  function begin({ items = [], custom_data: customData = null, customer_id: customerId }: Body): Answer {
    const wanted = wantedOf(items)
    if (!wanted) return refusal(400, 'bad_request')
    const customer = customerId ?? id('ctm')
    const { invoice } = bought(wanted, customer)
    const txn: Txn = {
      id: id('txn'),
      status: 'ready',
      origin: 'api',
      subId: null,
      customerId: customer,
      wanted,
      invoice,
      number: null,
      createdAt: now(),
      billedAt: null,
      paidWith: null,
      failures: 0,
      customData,
    }
    txns.set(txn.id, txn)
    note('transaction.created', 'ITransactionNotificationResponse', txnWire(txn))
    return good(txnWire(txn))
  }

  function bought(wanted: Extract<Wish, { kind: 'buy' }>, customer: string): { next: Subscription; invoice: Invoice } {
    const outcome = wish(
      { ...trial(now()), status: 'CANCELLED', credits: credits.get(customer) ?? {} },
      wanted,
      now(),
      PRICE_LIST,
      { channels: 0, projects: 1 },
    )
    if ('refused' in outcome || !outcome.invoice) throw new Error('a checkout was refused')
    return { next: outcome.next, invoice: outcome.invoice }
  }

  /** The overlay: someone pays a transaction. Returns whether the payment succeeded. */
  function pay(transactionId: string, card: 'declined' | { ends: Date }): boolean {
    const txn = txns.get(transactionId)
    if (!txn) throw new Error('there is no such transaction')
    if (card === 'declined') {
      txn.failures++
      note('transaction.payment_failed', 'ITransactionNotificationResponse', txnWire(txn))
      return false
    }
    if (txn.status === 'completed') return true
    if (txn.wanted) {
      const { next, invoice } = bought(txn.wanted, txn.customerId)
      const sub: Sub = {
        id: id('sub'),
        customerId: txn.customerId,
        state: next,
        card,
        createdAt: now(),
        updatedAt: now(),
        overdue: null,
        canceledAt: null,
        from: txn.id,
      }
      subs.set(sub.id, sub)
      credits.set(txn.customerId, next.credits)
      txn.subId = sub.id
      txn.invoice = invoice
      complete(txn, card)
      note('subscription.created', 'ISubscriptionCreatedNotificationResponse', {
        ...subWire(sub),
        transaction_id: txn.id,
      })
      note('subscription.activated', 'ISubscriptionNotificationResponse', subWire(sub))
      return true
    }
    const sub = subs.get(txn.subId ?? '')
    if (!sub) throw new Error('a transaction without a subscription')
    sub.card = card
    if (sub.overdue === txn.id) {
      sub.state = paid(sub.state, txn.invoice)
      sub.overdue = null
    }
    complete(txn, card)
    tell(sub, 'subscription.updated')
    return true
  }

  /** The payment succeeded; its subscription doesn't exist yet. */
  function takeMoney(transactionId: string, card: Card): void {
    const txn = txns.get(transactionId)
    if (!txn) throw new Error('there is no such transaction')
    Object.assign(txn, { status: 'paid', billedAt: now(), paidWith: card })
  }

  function complete(txn: Txn, card: Card | null): void {
    Object.assign(txn, {
      status: 'paid',
      billedAt: now(),
      number: txn.number ?? `7-${String(++numbers)}`,
      paidWith: card,
    })
    note('transaction.paid', 'ITransactionNotificationResponse', txnWire(txn))
    txn.status = 'completed'
    note('transaction.completed', 'ITransactionNotificationResponse', txnWire(txn))
  }

  function update(
    sub: Sub,
    { items = [], proration_billing_mode: mode, on_payment_failure: onFailure }: Body,
    isPreview: boolean,
  ): Answer {
    const to = wantedOf(items)
    if (!to || mode !== 'prorated_immediately' || onFailure !== 'prevent_change') return refusal(400, 'bad_request')
    const { planId, interval } = sub.state
    const wanted: Wish =
      to.planId !== planId
        ? { ...to, kind: 'team' }
        : to.interval !== interval
          ? { kind: 'annual' }
          : { kind: 'addons', addonQuantity: to.addonQuantity }
    const outcome = wish(sub.state, wanted, now(), PRICE_LIST, { channels: 0, projects: 1 })
    if ('refused' in outcome) return refusal(400, 'subscription_update_when_not_allowed')
    const { next } = outcome
    const invoice = billed(outcome, sub.state)
    if (isPreview) {
      const { id: _, management_urls: urls, ...shown } = subWire({ ...sub, state: next })
      return good({
        ...shown,
        currency_code: currency,
        management_urls: urls,
        immediate_transaction: { billing_period: periodOf(next), details: detailsOf(invoice), adjustments: [] },
        next_transaction: null,
        recurring_transaction_details: null,
        update_summary: null,
      })
    }
    if (invoice.charged > 0 && sub.card.ends <= now()) return refusal(400, 'subscription_payment_declined')
    sub.state = next
    credits.set(sub.customerId, next.credits)
    charge(sub, 'subscription_update', invoice, 'paid')
    tell(sub, 'subscription.updated')
    return good(subWire(sub))
  }

  function charge(sub: Sub, origin: string, invoice: Invoice, how: 'paid' | 'past_due'): Txn {
    const txn: Txn = {
      id: id('txn'),
      status: 'past_due',
      origin,
      subId: sub.id,
      customerId: sub.customerId,
      wanted: null,
      invoice,
      number: null,
      createdAt: now(),
      billedAt: now(),
      paidWith: null,
      failures: 0,
      customData: null,
    }
    txns.set(txn.id, txn)
    if (how === 'paid') complete(txn, sub.card)
    else note('transaction.past_due', 'ITransactionNotificationResponse', txnWire(txn))
    return txn
  }

  function cancel(sub: Sub, from: string): Answer {
    if (from === 'immediately') {
      sub.state = { ...sub.state, status: 'CANCELLED', periodEnd: now() }
      sub.canceledAt = now()
      tell(sub, 'subscription.canceled')
      return good(subWire(sub))
    }
    const outcome = wish(sub.state, { kind: 'cancel' }, now(), PRICE_LIST, { channels: 0, projects: 1 })
    if ('refused' in outcome) return refusal(400, 'subscription_locked_pending_changes')
    sub.state = outcome.next
    tell(sub, 'subscription.updated')
    return good(subWire(sub))
  }

  function resume(sub: Sub): Answer {
    const outcome = wish(sub.state, { kind: 'resume' }, now(), PRICE_LIST, { channels: 0, projects: 1 })
    if ('refused' in outcome) return refusal(400, 'bad_request')
    sub.state = outcome.next
    tell(sub, 'subscription.updated')
    return good(subWire(sub))
  }

  function methodTxn(sub: Sub): Txn {
    const overdue = sub.overdue === null ? undefined : txns.get(sub.overdue)
    if (overdue) return overdue
    const txn: Txn = {
      id: id('txn'),
      status: 'ready',
      origin: 'subscription_payment_method_change',
      subId: sub.id,
      customerId: sub.customerId,
      wanted: null,
      invoice: nothing,
      number: null,
      createdAt: now(),
      billedAt: null,
      paidWith: null,
      failures: 0,
      customData: null,
    }
    txns.set(txn.id, txn)
    return txn
  }

  /** What is due by now: renewals, retries, ends. */
  function passTime(): void {
    for (const sub of subs.values()) {
      for (
        let asked = due(sub.state, now(), PRICE_LIST);
        asked && sub.state.status !== 'TRIAL_ACTIVE';
        asked = due(sub.state, now(), PRICE_LIST)
      ) {
        if (asked.kind === 'ends') end(sub, asked.next)
        else if (asked.invoice.charged === 0 || sub.card.ends > now()) renew(sub, asked.invoice)
        else miss(sub, asked.invoice)
      }
    }
  }
  function end(sub: Sub, next: Subscription): void {
    sub.state = next
    sub.canceledAt = now()
    sub.overdue = null
    tell(sub, 'subscription.canceled')
  }
  function renew(sub: Sub, invoice: Invoice): void {
    sub.state = paid(sub.state, invoice)
    credits.set(sub.customerId, sub.state.credits)
    const open = txns.get(sub.overdue ?? '')
    sub.overdue = null
    if (open) complete(open, sub.card)
    else charge(sub, 'subscription_recurring', invoice, 'paid')
    tell(sub, 'subscription.updated')
  }
  function miss(sub: Sub, invoice: Invoice): void {
    const next = unpaid(sub.state, invoice, now())
    const isFirst = sub.overdue === null
    sub.overdue ??= charge(sub, 'subscription_recurring', invoice, 'past_due').id
    const txn = txns.get(sub.overdue)
    if (!txn) throw new Error('what is overdue is a transaction')
    txn.failures++
    note('transaction.payment_failed', 'ITransactionNotificationResponse', txnWire(txn))
    if (next.status === 'CANCELLED' && !keepsTrying) return end(sub, next)
    // configured to retry for longer than we wait
    sub.state =
      next.status === 'CANCELLED' && sub.state.overdue
        ? { ...sub.state, overdue: { ...sub.state.overdue, nextAttemptAt: new Date(now().getTime() + 4 * 86_400_000) } }
        : next
    // sent once, when the status changes
    if (isFirst) tell(sub, 'subscription.past_due')
  }

  /** Someone changes a subscription in Paddle's own dashboard, where none of our rules apply. */
  function turnInto(transactionId: string, change: Pick<Subscription, 'planId' | 'addonQuantity'>): void {
    const sub = subs.get(txns.get(transactionId)?.subId ?? '')
    if (!sub) throw new Error('there is no such subscription')
    sub.state = { ...sub.state, ...change }
    tell(sub, 'subscription.updated')
  }

  /** A payment is returned: as an approved refund in Paddle's own dashboard, or as a chargeback. */
  function giveBack(
    transactionId: string,
    { action = 'refund', type = 'full' }: { action?: 'refund' | 'chargeback'; type?: 'full' | 'partial' } = {},
  ): void {
    const txn = txns.get(transactionId)
    if (!txn) throw new Error('there is no such transaction')
    const [at, total] = [now().toISOString(), String(txn.invoice.charged)]
    const totals = {
      subtotal: total,
      tax: '0',
      total,
      fee: '0',
      retained_fee: '0',
      earnings: total,
      currency_code: 'USD',
    }
    const data = {
      id: id('adj'),
      action,
      type,
      transaction_id: txn.id,
      subscription_id: txn.subId,
      customer_id: txn.customerId,
      reason: 'bought twice',
      credit_applied_to_balance: null,
      currency_code: 'USD',
      status: 'approved',
      items: [],
      totals,
      payout_totals: null,
      tax_rates_used: [],
      created_at: at,
      updated_at: at,
    }
    waiting.push({
      event_id: id('evt'),
      event_type: 'adjustment.updated',
      occurred_at: at,
      notification_id: id('ntf'),
      data,
    })
  }

  function tell(sub: Sub, type: string): void {
    sub.updatedAt = now()
    note(type, 'ISubscriptionNotificationResponse', subWire(sub))
  }

  function note(type: string, definition: string, data: unknown): void {
    keep(definition, data)
    waiting.push({
      event_id: id('evt'),
      event_type: type,
      occurred_at: now().toISOString(),
      notification_id: id('ntf'),
      data: JSON.parse(JSON.stringify(data)),
    })
  }

  return {
    origin: `http://127.0.0.1:${port}`,
    pay,
    takeMoney,
    /** The currency that the buyer is charged in, if it isn't the catalog's. */
    chargeIn: (code: string) => void (currency = code),
    turnInto,
    giveBack,
    hold,
    /** From now on it keeps retrying overdue payments until someone ends the subscription. */
    keepTrying: () => void (keepsTrying = true),
    /** The next such call, such as `POST subscriptions cancel`, fails. */
    refuseNext: (what: string) => void refusals.push(what),
    passTime,
    /** Received calls, such as `GET /subscriptions/sub_1`. */
    calls,
    /** Requests and responses, with the names of their descriptions. */
    said,
    /** Takes the waiting notifications, signed at this moment. */
    notifications: (): Notification[] => waiting.splice(0).map((event) => signed(event)),
    sign,
    forget: (): void => subs.clear(),
    /** As it was in the beginning, apart from what was said. */
    clear(): void {
      for (const kept of [subs, txns, credits]) kept.clear()
      for (const kept of [waiting, calls, holds, refusals]) kept.length = 0
      keepsTrying = false
      currency = 'USD'
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A call without its ID, such as `GET subscriptions`. */
function callOf(method: string, { pathname }: Pick<URL, 'pathname'>): string {
  const [, kind, , ...rest] = pathname.split('/')
  return `${method} ${kind} ${rest.join('/')}`.trim()
}

const signed = (event: Note): Notification => sign(JSON.stringify(event), event.event_type)

/** Signs like Paddle: HMAC-SHA256 of `ts:body`. The SDK uses the system clock, and so does this. */
export function sign(body: string, type = '', secret = WEBHOOK_SECRET, at = Date.now()): Notification {
  const ts = Math.floor(at / 1000)
  return { body, type, signature: `ts=${ts};h1=${createHmac('sha256', secret).update(`${ts}:${body}`).digest('hex')}` }
}
