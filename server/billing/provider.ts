import type { ChangePreview, PaymentProvider } from '#contract/billing.ts'
import type { PriceList } from '#contract/priceList.ts'
import type { Wish } from '#contract/subscription.ts'
import { fail } from '../errors.ts'
import type { OrgContext } from '../http/route.ts'

/** An admin's calls: short transactions in the organization, around calls to the provider. */
export type BillingContext = {
  caller: { personId: string }
  org: { orgId: string }
  inTenant<T>(fn: (t: OrgContext) => Promise<T>): Promise<T>
}

export type Buy = Extract<Wish, { kind: 'buy' }>
const changeKinds = ['addons', 'annual', 'team'] as const
export type Change = Extract<Wish, { kind: (typeof changeKinds)[number] }>

/** What a person agrees to: a change of the subscription, and which preview of it; undefined means their last one. */
export type Agreed = { subscriptionId: string; previewId?: string | undefined }

/**
 * Who takes the money. Each call checks with contract/subscription.ts what the plan offers and throws
 * PLAN_ACTION_REFUSED with the reason; PAYMENT_DECLINED if the payment failed; PAYMENT_REFUSED if the provider can't be
 * used.
 */
export type Payments = {
  kind: PaymentProvider
  /** What Paddle's overlay opens with. */
  overlay: { clientToken: string; environment: 'sandbox' | 'production' } | null
  /** The price list in effect: ours, or with the provider's amounts. */
  prices(): Promise<PriceList>
  /** Starts buying a plan; returns the transaction for the overlay. */
  checkout(context: BillingContext, wanted: Buy): Promise<string>
  /** What a change would cost now; stored for the person until they confirm or ask again. */
  preview(context: BillingContext, wanted: Change): Promise<ChangePreview>
  /**
   * Applies the person's last preview of the kind. STALE_VERSION if the subscription has changed since, or if another
   * one is named.
   */
  confirm(context: BillingContext, kind: Change['kind'], agreed: Agreed): Promise<void>
  cancel(context: BillingContext): Promise<void>
  resume(context: BillingContext): Promise<void>
  /** Schedules Individual for the period after a Team plan's. */
  planDowngrade(context: BillingContext, addonQuantity: number): Promise<void>
  undoDowngrade(context: BillingContext): Promise<void>
  /** Starts changing how the plan is paid, along with what is overdue. Returns the transaction for the overlay. */
  renewMethod(context: BillingContext): Promise<string>
  /** The download URL of a paid transaction's invoice. */
  invoice(context: BillingContext, transactionId: string): Promise<string>
}

export const NOT_SET_UP = "Payments aren't set up. Ask your Rookery administrator to set them up."
const refuse = async (): Promise<never> => {
  throw fail('PAYMENT_REFUSED', { detail: NOT_SET_UP })
}

/** Payments are off: everything that costs money is refused with the reason. */
export const noPayments = (list: PriceList): Payments => ({
  kind: 'none',
  overlay: null,
  prices: async () => list,
  checkout: refuse,
  preview: refuse,
  confirm: refuse,
  cancel: refuse,
  resume: refuse,
  planDowngrade: refuse,
  undoDowngrade: refuse,
  renewMethod: refuse,
  invoice: refuse,
})

/** The refusal of a change that the plan's state doesn't allow; `reason` is for people. */
export const refused = (reason: string) => fail('PLAN_ACTION_REFUSED', { detail: reason })
