import type { ChangePreview, PaymentProvider } from '#contract/billing.ts'
import type { PriceList } from '#contract/priceList.ts'
import type { Wish } from '#contract/subscription.ts'
import { fail } from '../errors.ts'
import type { OrgContext } from '../http/route.ts'

/** The calls of an admin: short transactions in the organization, opened around what reaches the provider. */
export type BillingContext = {
  caller: { personId: string }
  org: { orgId: string }
  inTenant<T>(fn: (t: OrgContext) => Promise<T>): Promise<T>
}

export type Buy = Extract<Wish, { kind: 'buy' }>
const changeKinds = ['addons', 'annual', 'team'] as const
export type Change = Extract<Wish, { kind: (typeof changeKinds)[number] }>

/** What a person agrees to: the change of a subscription, and which preview of it; undefined means their last one. */
export type Agreed = { subscriptionId: string; previewId?: string | undefined }

/**
 * Who takes the money. Each call checks by the same rules of contract/subscription.ts what the plan offers and throws
 * PLAN_ACTION_REFUSED with the reason; PAYMENT_DECLINED when the money didn't come; PAYMENT_REFUSED when the provider
 * can't be used.
 */
export type Payments = {
  kind: PaymentProvider
  /** What Paddle's overlay is opened with. */
  overlay: { clientToken: string; environment: 'sandbox' | 'production' } | null
  /** The list that counts: ours, or with the provider's amounts. */
  prices(): Promise<PriceList>
  /** Begins to buy a plan; returns the transaction that the overlay pays. */
  checkout(context: BillingContext, wanted: Buy): Promise<string>
  /** What a change would cost now; kept for the person until they confirm or ask again. */
  preview(context: BillingContext, wanted: Change): Promise<ChangePreview>
  /**
   * Applies the person's last preview of the kind. STALE_VERSION when the subscription changed since, or when it isn't
   * the one that is named.
   */
  confirm(context: BillingContext, kind: Change['kind'], agreed: Agreed): Promise<void>
  cancel(context: BillingContext): Promise<void>
  resume(context: BillingContext): Promise<void>
  /** Plans Individual for the next period of a Team plan. */
  planDowngrade(context: BillingContext, addonQuantity: number): Promise<void>
  undoDowngrade(context: BillingContext): Promise<void>
  /**
   * Begins to change how the plan is paid; what is overdue is paid with it. Returns the transaction for the overlay.
   */
  renewMethod(context: BillingContext): Promise<string>
  /** Where the invoice of a paid transaction is downloaded. */
  invoice(context: BillingContext, transactionId: string): Promise<string>
}

export const NOT_SET_UP = "Payments aren't set up. Ask your Rookery administrator to set them up."
const refuse = async (): Promise<never> => {
  throw fail('PAYMENT_REFUSED', { detail: NOT_SET_UP })
}

/** Where nobody takes money: everything that costs is refused with the reason. */
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

/** The refusal of a change that the state of the plan doesn't allow; `reason` is for people. */
export const refused = (reason: string) => fail('PLAN_ACTION_REFUSED', { detail: reason })
