import { setTimeout as pause } from 'node:timers/promises'
import type { Environment, IEventsResponse, Paddle } from '@paddle/paddle-node-sdk'
import { z } from 'zod'
import { PaidPlanId } from '#contract/billing.ts'
import { creditsAfter } from '#contract/invoicing.ts'
import { entitlements, wakingOn } from '#contract/plans.ts'
import type { PriceList } from '#contract/priceList.ts'
import type { Subscription } from '#contract/subscription.ts'
import type { Tx } from '../db/kysely.ts'
import { fail, Failure } from '../errors.ts'
import type { OrgContext } from '../http/route.ts'
import { loadEntry } from './transactions.ts'
import { isUntouched, saveSubscription, lockSubscription, type SubscriptionRecord } from './subscriptionRecord.ts'
import { changeOf, outcomeOf } from './local.ts'
import { holdingsOf } from './locks.ts'
import { itemsOf, mirrorSubscription, mirrorTransaction } from './paddleMirror.ts'
import {
  invoiceOfPreview,
  readCatalog,
  RemotePreview,
  RemotePrice,
  RemoteSubscription,
  RemoteTransaction,
  type Catalog,
} from './paddleShapes.ts'
import { keepPending, presentPreview, takePending } from './pending.ts'
import { refused, type BillingContext, type Payments } from './provider.ts'

export type PaddleKeys = {
  apiKey: string
  webhookSecret: string
  clientToken: string
  environment: 'sandbox' | 'production'
  api?: string | undefined
  prices: readonly string[]
}

/**
 * What the rest of billing needs of Paddle besides the admins' calls: its current state, and whether a notification is
 * genuine.
 */
export type PaddlePayments = Payments & {
  kind: 'paddle'
  catalog: Catalog
  /** The subscription's current state at Paddle. */
  truth(subscriptionId: string): Promise<RemoteSubscription>
  /** A transaction's current state at Paddle. */
  transaction(transactionId: string): Promise<RemoteTransaction>
  /**
   * Ends a subscription immediately: one that was bought twice, or whose organization was deleted. Succeeds if it has
   * ended already, or if Paddle doesn't know it.
   */
  end(subscriptionId: string): Promise<void>
  /** Ends it with its period. */
  endWithPeriod(subscriptionId: string): Promise<RemoteSubscription>
  /** Cancels its planned end. */
  undoEnd(subscriptionId: string): Promise<RemoteSubscription>
  isSigned(body: string, signature: string): Promise<boolean>
  /** What a notification is about, by the SDK's own names. */
  read(payload: Record<string, unknown>): Promise<unknown>
}

export const isPaddle = (payments: Payments): payments is PaddlePayments => payments.kind === 'paddle'

/** Paddle can cancel or pause a subscription with its period, but not exchange it for another plan. */
const NO_PLANNED_CHANGE =
  "Paddle can't schedule a plan change for the end of the period. Cancel Team, then choose Individual when it has ended."
/** How long the catalog's amounts are cached. Milliseconds. */
const PRICES_FOR = 600_000
/** How long Paddle may take to answer a person. Milliseconds. */
const PATIENCE = 20_000

/** Paddle Billing through its SDK. Our books follow what it says; we calculate nothing that it charges. */
export function paddlePayments(keys: PaddleKeys, list: PriceList, monotonic: () => number): PaddlePayments {
  const catalog = readCatalog(keys.prices)
  const sdk = openSdk(keys)
  const ask = <T>(call: (paddle: Paddle) => Promise<unknown>, shape: z.ZodType<T>): Promise<T> =>
    askPaddle(sdk, call, shape)
  let known: { at: number; prices: Promise<PriceList> } | undefined
  const prices = (): Promise<PriceList> => {
    if (!known || monotonic() - known.at > PRICES_FOR) {
      const asked = readPrices(ask, catalog, list)
      known = { at: monotonic(), prices: asked }
      asked.catch(() => (known = undefined))
    }
    return known.prices
  }
  const endWithPeriod = (id: string) =>
    ask((paddle) => paddle.subscriptions.cancel(id, { effectiveFrom: 'next_billing_period' }), RemoteSubscription)
  const endNow = (id: string) =>
    ask((paddle) => paddle.subscriptions.cancel(id, { effectiveFrom: 'immediately' }), RemoteSubscription)
  const undoEnd = (id: string) =>
    ask((paddle) => paddle.subscriptions.update(id, { scheduledChange: null }), RemoteSubscription)
  const truth = (id: string) => ask((paddle) => paddle.subscriptions.get(id), RemoteSubscription)
  const begin = async (context: BillingContext) => ({ orgId: context.org.orgId, prices: await prices() })

  return {
    kind: 'paddle',
    overlay: { clientToken: keys.clientToken, environment: keys.environment },
    catalog,
    prices,

    async checkout(context, wanted) {
      const { orgId, prices: amounts } = await begin(context)
      const held = await context.inTenant(async ({ tx, now }) => {
        const before = await lockSubscription(tx, orgId)
        await outcomeOf(tx, before, wanted, amounts, now)
        return before
      })
      const made = await ask(
        (paddle) =>
          paddle.transactions.create({
            items: itemsOf(catalog, wanted),
            customData: { orgId },
            ...(held.customerId !== null && { customerId: held.customerId }),
          }),
        RemoteTransaction,
      )
      await context.inTenant(async ({ tx, audit, caller, now }) => {
        const { planId, interval, addonQuantity } = wanted
        await mirrorTransaction(tx, orgId, { ...made, status: 'ready' }, now)
        await tx
          .updateTable('billing_transaction')
          .set({
            kind: 'checkout',
            person_id: caller.personId,
            wanted: JSON.stringify({ planId, interval, addonQuantity }),
            event_at: null,
          })
          .where('org_id', '=', orgId)
          .where('id', '=', made.id)
          .execute()
        await audit({ entityId: orgId, detail: { transactionId: made.id, after: { planId, interval, addonQuantity } } })
      })
      return made.id
    },

    async preview(context, wanted) {
      const { orgId, prices: amounts } = await begin(context)
      const look = async (tx: Tx, now: Date) => {
        const held = await lockSubscription(tx, orgId)
        const { next } = await outcomeOf(tx, held, wanted, amounts, now)
        return { held, next }
      }
      const { held, next } = await context.inTenant(({ tx, now }) => look(tx, now))
      const subscriptionId = idOf(held)
      const shown = await ask(
        (paddle) => paddle.subscriptions.previewUpdate(subscriptionId, change(catalog, next)),
        RemotePreview,
      )
      const invoice = invoiceOfPreview(shown)
      const previewId = await context.inTenant(({ tx, caller, now }) =>
        keepPending(tx, { held, personId: caller.personId, wanted, bill: { invoice, creditNotes: [] } }, now),
      )
      const billed = shown.nextBilledAt ?? shown.currentBillingPeriod?.endsAt ?? next.periodEnd
      const taxRate = Math.round(invoice.taxRate * 10_000) / 10_000
      const wakes = await context.inTenant(async ({ tx, now }) =>
        wakingOn(entitlements(next, now), await holdingsOf(tx, orgId)),
      )
      return presentPreview({
        wakes,
        subscriptionId,
        previewId,
        next: { ...next, periodEnd: billed, credits: creditsAfter({}, { ...invoice, creditUsed: 0 }) },
        bill: { invoice: { ...invoice, taxRate }, creditNotes: [] },
        prices: amounts,
      })
    },

    async confirm(context, kind, agreed) {
      const { orgId, prices: amounts } = await begin(context)
      const { held, next } = await context.inTenant(async ({ tx, caller, now }) => {
        const before = await lockSubscription(tx, orgId)
        const pending = await takePending(tx, before, { personId: caller.personId, kind, agreed }, now)
        const { next: agreedOn } = await outcomeOf(tx, before, pending.wanted, amounts, now)
        // from here on nobody else's preview counts: Paddle is asked outside of this transaction
        await tx
          .updateTable('subscription')
          .set({ version: before.version + 1 })
          .where('org_id', '=', orgId)
          .execute()
        return { held: before, next: agreedOn }
      })
      const changed = await ask(
        (paddle) => paddle.subscriptions.update(agreed.subscriptionId, change(catalog, next)),
        RemoteSubscription,
      )
      await keep(context, { ...held, version: held.version + 1 }, changed, ({ audit }) =>
        audit({ entityId: orgId, detail: changeOf(held.state, next) }),
      )
    },

    // an overdue plan ends immediately: Paddle can't plan anything for it
    cancel: (context) =>
      turn(context, 'cancel', (id, { state }) => (state.status === 'PAST_DUE' ? endNow(id) : endWithPeriod(id))),
    resume: (context) => turn(context, 'resume', undoEnd),
    planDowngrade: async () => {
      throw refused(NO_PLANNED_CHANGE)
    },
    undoDowngrade: async () => {
      throw refused(NO_PLANNED_CHANGE)
    },

    async renewMethod(context) {
      const held = await context.inTenant(async ({ tx }) => {
        const before = await lockSubscription(tx, context.org.orgId)
        const { planId, status } = before.state
        if (
          before.subscriptionId === null ||
          planId === 'free' ||
          !['ACTIVE', 'CANCEL_SCHEDULED', 'PAST_DUE'].includes(status)
        )
          throw refused("There's no paid plan with a payment method to update.")
        return before
      })
      const opened = await ask(
        (paddle) => paddle.subscriptions.getPaymentMethodChangeTransaction(idOf(held)),
        RemoteTransaction,
      )
      await context.inTenant(async ({ tx, audit, now }) => {
        await mirrorTransaction(tx, context.org.orgId, opened, now)
        await audit({ entityId: context.org.orgId, detail: { transactionId: opened.id } })
      })
      return opened.id
    },

    async invoice(context, transactionId) {
      const entry = await context.inTenant(({ tx }) => loadEntry(tx, context.org.orgId, transactionId))
      if (entry.provider === 'local' && entry.invoice_number !== null)
        return `/api/${context.org.orgId}/billing/invoice/${transactionId}/pdf`
      // what was refunded was paid once, and keeps its invoice
      if ((entry.status !== 'paid' && entry.status !== 'refunded') || entry.provider !== 'paddle')
        throw fail('NOT_FOUND')
      return (
        await ask(
          (paddle) => paddle.transactions.getInvoicePDF(transactionId),
          z.object({ url: z.url({ protocol: /^https?$/ }) }),
        )
      ).url
    },

    truth,
    endWithPeriod,
    undoEnd,
    transaction: (transactionId) => ask((paddle) => paddle.transactions.get(transactionId), RemoteTransaction),
    async end(subscriptionId) {
      const { ApiError } = await sdk()
      const known = await truth(subscriptionId).catch((error: unknown) => {
        if (error instanceof Failure && error.cause instanceof ApiError && error.cause.code === 'not_found')
          return undefined
        throw error
      })
      if (known && known.status !== 'canceled') await endNow(subscriptionId)
    },
    isSigned: async (body, signature) => {
      const { paddle } = await sdk()
      return await paddle.webhooks.isSignatureValid(body, keys.webhookSecret, signature).catch(() => false)
    },
    async read(payload) {
      const { Webhooks } = await sdk()
      // its type asks for a checked notification, as these are: our own shapes read them afterwards
      return Webhooks.fromJson(payload as unknown as IEventsResponse as never).data
    },
  }

  async function turn(
    context: BillingContext,
    kind: 'cancel' | 'resume',
    call: (subscriptionId: string, held: SubscriptionRecord) => Promise<RemoteSubscription>,
  ): Promise<void> {
    const { orgId, prices: amounts } = await begin(context)
    const held = await context.inTenant(async ({ tx, audit, now }) => {
      const before = await lockSubscription(tx, orgId)
      const { next } = await outcomeOf(tx, before, { kind }, amounts, now)
      if (before.provider === 'paddle') return before
      // earlier test payments don't concern Paddle
      await saveSubscription(tx, before, next, { provider: 'local' }, now)
      await audit({ entityId: orgId, detail: changeOf(before.state, next) })
      return undefined
    })
    if (!held) return
    const changed = await call(idOf(held), held)
    await keep(context, held, changed, ({ audit }, after) =>
      audit({ entityId: orgId, detail: changeOf(held.state, after) }),
    )
  }

  /**
   * Makes our state match Paddle's answer. News that arrived since `known` was read may be newer than the answer: then
   * the current state is read.
   */
  async function keep(
    context: BillingContext,
    known: SubscriptionRecord,
    answer: RemoteSubscription,
    write: (t: OrgContext, after: Subscription) => Promise<void>,
  ): Promise<void> {
    const other = await context.inTenant(async (t) => {
      const held = await lockSubscription(t.tx, context.org.orgId)
      // another plan was bought in the meantime: this one's fate doesn't matter
      if (held.subscriptionId !== answer.id) return undefined
      if (!isUntouched(known, held)) return held
      const after = await mirrorSubscription(t.tx, held, answer, { catalog, at: answer.updatedAt, now: t.now })
      await write(t, after?.state ?? held.state)
      return undefined
    })
    if (other) await keep(context, other, await truth(answer.id), write)
  }
}

function change(catalog: Catalog, { planId, interval, addonQuantity }: Subscription) {
  const paidPlan = PaidPlanId.parse(planId)
  if (!interval) throw new Error('a paid plan has an interval')
  return {
    items: itemsOf(catalog, { planId: paidPlan, interval, addonQuantity }),
    prorationBillingMode: 'prorated_immediately',
    onPaymentFailure: 'prevent_change',
  } as const
}

function idOf({ subscriptionId, provider }: SubscriptionRecord): string {
  // earlier test payments weren't real money, and Paddle doesn't know them
  if (subscriptionId === null || provider !== 'paddle')
    throw refused('This plan was bought with test payments. Cancel it, then choose a plan.')
  return subscriptionId
}

type Ask = <T>(call: (paddle: Paddle) => Promise<unknown>, shape: z.ZodType<T>) => Promise<T>

async function readPrices(ask: Ask, catalog: Catalog, list: PriceList): Promise<PriceList> {
  const found = await ask(
    (paddle) => paddle.prices.list({ id: catalog.all.map(({ id }) => id), perPage: 50 }).next(),
    z.array(RemotePrice),
  )
  const priceOf = (planId: 'individual' | 'team', interval: 'monthly' | 'annual', part: 'price' | 'addon') => {
    const price = found.find(({ id }) => id === catalog.idOf(planId, interval, part))
    if (!price)
      throw fail('PAYMENT_REFUSED', {
        detail: `Paddle's catalog has no price ${catalog.idOf(planId, interval, part)}. Look at PADDLE_PRICES.`,
      })
    return price.unitPrice
  }
  const pricesOf = (planId: 'individual' | 'team') => {
    const of = (interval: 'monthly' | 'annual') => ({
      price: priceOf(planId, interval, 'price').amount,
      addonPrice: priceOf(planId, interval, 'addon').amount,
      paddle: { price: catalog.idOf(planId, interval, 'price'), addon: catalog.idOf(planId, interval, 'addon') },
    })
    return { ...list.plans[planId], prices: { monthly: of('monthly'), annual: of('annual') } }
  }
  // tax depends on where the buyer is: Paddle adds it at the checkout
  return {
    currencyCode: priceOf('individual', 'monthly', 'price').currencyCode,
    taxRate: 0,
    plans: { free: list.plans.free, individual: pricesOf('individual'), team: pricesOf('team') },
  }
}

/**
 * One call to Paddle, with its answer parsed. Throws PAYMENT_DECLINED if the card was, PAYMENT_REFUSED if Paddle
 * refuses or can't be reached. Never retried here: a change that got lost on the way is found by its notification.
 */
async function askPaddle<T>(sdk: Sdk, call: (paddle: Paddle) => Promise<unknown>, shape: z.ZodType<T>): Promise<T> {
  const { paddle, ApiError } = await sdk()
  const late = new AbortController()
  try {
    return shape.parse(await Promise.race([call(paddle), timeout(late.signal)]))
  } catch (error) {
    if (error instanceof z.ZodError) throw error
    if (!(error instanceof ApiError))
      throw fail('PAYMENT_REFUSED', { detail: "We couldn't reach Paddle. Try again in a moment.", cause: error })
    if (/declined|payment_failed/.test(error.code)) throw fail('PAYMENT_DECLINED', { cause: error })
    throw fail('PAYMENT_REFUSED', { detail: "Paddle didn't accept this. Try again in a moment.", cause: error })
  } finally {
    late.abort()
  }
}

type Sdk = ReturnType<typeof openSdk>

/** The SDK, loaded when it's first needed: nearly 40 MB, which an installation without Paddle never pays for. */
function openSdk({ apiKey, api, environment }: PaddleKeys) {
  const load = async () => {
    const { ApiError, LogLevel, Paddle: Client, Webhooks } = await import('@paddle/paddle-node-sdk')
    // the SDK accepts a URL in place of a name, although its type doesn't say so
    return {
      ApiError,
      Webhooks,
      paddle: new Client(apiKey, { environment: (api ?? environment) as Environment, logLevel: LogLevel.none }),
    }
  }
  let loaded: ReturnType<typeof load> | undefined
  return () => (loaded ??= load())
}

async function timeout(signal: AbortSignal): Promise<never> {
  await pause(PATIENCE, undefined, { signal, ref: false }).catch(() => undefined)
  throw new Error('no answer in time')
}
