import * as contract from '#contract/billing.ts'
import { paginationOf } from '#contract/common.ts'
import { entitlements, wakingOn, type Waking } from '#contract/plans.ts'
import { PRICE_LIST } from '#contract/priceList.ts'
import { isPaid } from '#contract/subscription.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import { handle, handleBytes, handleDetached, type Route } from '../http/route.ts'
import { limitOffset } from '../http/limitOffset.ts'
import type { Dependencies } from '../dependencies.ts'
import { listEntries, listSurplus, loadEntry, methodWords, presentEntry, type Entry } from './transactions.ts'
import { readDocument } from './documents.ts'
import { keepChosen, readExcess } from './excess.ts'
import { switchToFree } from './free.ts'
import { lockSubscription, readSubscription } from './subscriptionRecord.ts'
import { changeOf, payWithCard } from './local.ts'
import { holdingsOf } from './locks.ts'
import { takeEvent } from './paddleEvents.ts'
import { readBillingDetails } from './parties.ts'
import { termsOf } from './payments.ts'
import { offerOf, presentAddons, presentPricing, presentStatus, taxRateOf } from './present.ts'
import { NOT_SET_UP, refused, type Buy, type BillingContext } from './provider.ts'

const LATER = 'This change will take effect shortly, Kindly refresh after a short while.'
const said = (what: string) => ({ message: `${what} ${LATER}` })

export function billingRoutes(deps: Dependencies): Route[] {
  const { payments } = deps
  const contact = deps.env.contact
  const terms = termsOf(deps.env)
  const begin = async (
    context: BillingContext,
    {
      basePlanId: planId,
      billingInterval: interval,
      addonQuantity,
    }: { basePlanId: Buy['planId']; billingInterval: Buy['interval']; addonQuantity: number },
  ) => ({
    transactionId: await payments.checkout(context, { kind: 'buy', planId, interval, addonQuantity }),
  })
  const mustBeLocal = () => {
    if (payments.kind !== 'local') throw fail('PAYMENT_REFUSED', { detail: NOT_SET_UP })
  }

  return [
    handle(contract.publicPricing, async ({ now }) => presentPricing(payments, await payments.prices(), now)),
    // the list may come from the provider: no transaction is open in the meantime
    handleDetached(contract.pricing, async (c) => {
      const list = await payments.prices()
      return await c.inTenant(async ({ tx, org, now }) =>
        presentPricing(payments, list, now, await readSubscription(tx, org.orgId), await holdingsOf(tx, org.orgId)),
      )
    }),
    handle(contract.billingStatus, async ({ tx, org, now }) =>
      presentStatus(
        payments,
        await readSubscription(tx, org.orgId),
        {
          active: await holdingsOf(tx, org.orgId),
          surplus: await listSurplus(tx, org.orgId),
          billingDetails: await readBillingDetails(tx, org.orgId),
          contact,
        },
        now,
      ),
    ),

    handle(contract.transactions, async ({ tx, org, query }) => {
      const { entries, total } = await listEntries(tx, org.orgId, limitOffset(query))
      const held = await readSubscription(tx, org.orgId)
      return { transactions: entries.map((entry) => presentEntry(entry, held)), pagination: paginationOf(query, total) }
    }),
    handle(contract.paymentResult, async ({ tx, org, caller, params: { transactionId } }) => {
      const entry = await loadEntry(tx, org.orgId, transactionId)
      const { email } = await tx
        .selectFrom('person')
        .select('email')
        .where('id', '=', entry.person_id ?? caller.personId)
        .executeTakeFirstOrThrow()
      return {
        transactionId,
        transactionStatus: entry.status,
        date: entry.occurred_at.toISOString(),
        paymentMethod: methodWords(entry.payment_method),
        amount: entry.grand_total,
        currencyCode: entry.currency_code,
        email,
        contact,
        isTest: entry.provider === 'local',
      }
    }),
    handleDetached(contract.invoice, async (c) => ({ url: await payments.invoice(c, c.params.transactionId) })),
    handleBytes(contract.invoicePdf, async ({ tx, org, params: { transactionId } }) => {
      const { number, print } = await readDocument(tx, org.orgId, transactionId, terms.seller)
      return async () => {
        const bytes = await print()
        return {
          bytes,
          contentType: 'application/pdf',
          length: bytes.length,
          headers: {
            'content-disposition': `attachment; filename="${number ?? 'payment-request'}.pdf"`,
            'cache-control': 'private, no-store',
          },
        }
      }
    }),

    handleDetached(contract.checkout, (c) => begin(c, c.body)),
    handleDetached(contract.subscribe, (c) => begin(c, c.body)),

    handleDetached(contract.previewAddons, (c) =>
      payments.preview(c, { kind: 'addons', addonQuantity: c.body.addonQuantity }),
    ),
    handleDetached(contract.confirmAddons, async (c) => {
      await payments.confirm(c, 'addons', c.body)
      return said('Addons updated successfully.')
    }),
    handleDetached(contract.previewFrequency, (c) => payments.preview(c, { kind: 'annual' })),
    handleDetached(contract.confirmFrequency, async (c) => {
      await payments.confirm(c, 'annual', c.body)
      return said('Billing frequency updated successfully.')
    }),
    handleDetached(contract.previewPlan, (c) =>
      payments.preview(c, { kind: 'team', interval: c.body.billingInterval, addonQuantity: c.body.addonQuantity }),
    ),
    handleDetached(contract.confirmPlan, async (c) => {
      await payments.confirm(c, 'team', c.body)
      return said('Plan updated successfully.')
    }),

    handleDetached(contract.resumePlan, async (c) => {
      await payments.resume(c)
      return said('Subscription resumed successfully.')
    }),
    handleDetached(contract.planDowngrade, async (c) => {
      await payments.planDowngrade(c, c.body.addonQuantity)
      return { message: 'Switch to Individual scheduled.' }
    }),
    handleDetached(contract.undoDowngrade, async (c) => {
      await payments.undoDowngrade(c)
      return { message: "Your plan won't change." }
    }),
    handle(contract.updateBillingDetails, async (c) => {
      const { tx, org, body } = c
      const before = await readBillingDetails(tx, org.orgId)
      await tx
        .updateTable('organization')
        .set({ billing_details: JSON.stringify(body) })
        .where('org_id', '=', org.orgId)
        .execute()
      await c.audit({ entityId: org.orgId, detail: { before, after: body } })
      return body
    }),
    handleDetached(contract.cancelPlan, async (c) => {
      await payments.cancel(c)
      return said('Subscription canceled successfully.')
    }),
    handle(contract.switchToFree, async (c) => {
      await switchToFree(c, PRICE_LIST)
      return { message: 'Switched to free plan successfully.' }
    }),

    handleDetached(contract.addonDetails, async (c) => {
      const list = await payments.prices()
      return await c.inTenant(async ({ tx, org }) =>
        presentAddons(list, await readSubscription(tx, org.orgId), await holdingsOf(tx, org.orgId)),
      )
    }),
    handleDetached(contract.teamUpgrade, async (c) => {
      const list = await payments.prices()
      return await c.inTenant(async ({ tx, org, now }) => {
        const active = await holdingsOf(tx, org.orgId)
        const held = await readSubscription(tx, org.orgId)
        if (held.state.planId !== 'individual' || !isPaid(held.state))
          throw refused('Only an active Individual plan can be upgraded to Team.')
        return {
          plan: offerOf('team', list, now, active),
          current: presentAddons(list, held, active),
          taxRate: taxRateOf(payments, list),
        }
      })
    }),
    handleDetached(contract.updatePaymentMethod, async (c) => ({ transactionId: await payments.renewMethod(c) })),

    handle(contract.localCheckout, async ({ tx, org, now, params: { transactionId } }) => {
      mustBeLocal()
      const entry = await loadEntry(tx, org.orgId, transactionId)
      if (entry.provider !== 'local') throw fail('NOT_FOUND')
      return {
        transactionId,
        purpose: entry.kind === 'method' ? ('method' as const) : ('pay' as const),
        items: entry.items,
        totals: {
          currencyCode: entry.currency_code,
          subtotal: entry.subtotal,
          tax: entry.tax,
          credit: entry.credit,
          grandTotal: entry.grand_total,
        },
        wakes: await wakingWith(tx, org.orgId, entry, now),
        status: entry.status,
      }
    }),
    handle(contract.payLocally, async (c) => {
      mustBeLocal()
      const { transactionId } = c.params
      const before = await lockSubscription(c.tx, c.org.orgId)
      const { outcome, kind, card } = await payWithCard(c, transactionId, c.body, terms)
      const changes = changeOf(before.state, (await readSubscription(c.tx, c.org.orgId)).state)
      await c.audit({
        entityId: c.org.orgId,
        detail: {
          transactionId,
          before: { ...changes.before, card: card.before },
          after: { ...changes.after, card: card.after },
        },
        ...(outcome === 'confirm'
          ? { as: { action: 'attempted', entity: 'payment' } }
          : kind === 'method' && { as: { action: 'updated', entity: 'payment_method' } }),
      })
      return { outcome }
    }),

    handle(contract.paddleEvents, async ({ body, request }) => {
      const signature = request.headers['paddle-signature']
      await takeEvent(deps, body, typeof signature === 'string' ? signature : '')
      return {}
    }),

    handle(contract.excess, ({ tx, org, now }) => readExcess(tx, org.orgId, now)),
    handle(contract.keepActive, async (c) => {
      const locked = await keepChosen(c.tx, { orgId: c.org.orgId, personId: c.caller.personId, choice: c.body }, c.now)
      await c.audit({ entityId: c.org.orgId, detail: { locked } })
      for (const kind of ['plan', 'channel', 'member'] as const)
        await c.emit({ kind, ref: c.org.orgId, projectId: null })
      return await readExcess(c.tx, c.org.orgId, c.now)
    }),
  ]
}

/** What becomes active again when a checkout is paid; another card reactivates nothing. */
async function wakingWith(tx: Tx, orgId: string, { wanted }: Entry, now: Date): Promise<Waking> {
  if (!wanted) return { channels: 0, projects: 0, users: 0 }
  const bought = { ...wanted, status: 'ACTIVE' as const, trialEndsAt: null }
  return wakingOn(entitlements(bought, now), await holdingsOf(tx, orgId))
}
