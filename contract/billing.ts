import { z } from 'zod'
import { Day, Done, Id, Instant, OrgParams, pageQuery, Pagination } from './common.ts'
import { PAGE_SIZE } from './constants.ts'
import { anyMember, endpoint, everybody, orgAdmins } from './endpoint.ts'
import { PlanId, PlanStatus } from './plans.ts'
import { PlatformKey } from './platforms/rules.ts'

/* Amounts are in minor units of `currencyCode` everywhere; for display, divide them by 100. */

export const billingIntervals = ['monthly', 'annual'] as const
export const BillingInterval = z.enum(billingIntervals)
export type BillingInterval = z.infer<typeof BillingInterval>

/** Who takes the money: nobody (not set up), test cards in the app, or Paddle. */
export const PaymentProvider = z.enum(['none', 'local', 'paddle'])
export type PaymentProvider = z.infer<typeof PaymentProvider>

const Money = z.int()
const Amount = z.object({ currencyCode: z.string(), amount: Money })
export type Amount = z.infer<typeof Amount>
/** A calendar day, in UTC as everything on invoices. */
const PlanPrice = z.object({
  billingInterval: BillingInterval,
  price: Money,
  /** Price of one more channel per interval. */
  addonPrice: Money,
  /** What the organization has beyond this plan with the maximum of add-ons; 0 if it fits. */
  excessChannels: z.int(),
  excessProjects: z.int(),
})
export const PlanOffer = z.object({
  planId: PlanId,
  planName: z.string(),
  /** Short lines, the most important first. */
  features: z.array(z.string()),
  baseChannels: z.int(),
  maxAddons: z.int(),
  /** The fewest add-ons with which what is active fits; what is paused doesn't count. */
  leastAddons: z.int(),
  /** What it would pause: users who become view-only, and accounts on platforms it doesn't include. */
  rests: z.object({ users: z.int(), accounts: z.int() }),
  prices: z.array(PlanPrice),
})
export type PlanOffer = z.infer<typeof PlanOffer>

/** A fraction: 0.19 is 19%. Null: it depends on the buyer, and is added at checkout. */
const TaxRate = z.number().nullable()
/** What is active and what is paused: `wakingOn` (plans.ts) says what a plan would reactivate. */
const Held = z.object({
  channels: z.int(),
  projects: z.int(),
  users: z.int(),
  accounts: z.record(z.string(), z.int()),
  resting: z.object({ channels: z.record(z.string(), z.int()), projects: z.int(), users: z.int() }),
})
/** How much of what is paused becomes active again. */
const Waking = z.object({ channels: z.int(), projects: z.int(), users: z.int() })
export const Pricing = z.object({
  plans: z.array(PlanOffer),
  currentPlan: z.object({ planId: PlanId.nullable(), billingInterval: BillingInterval.nullable() }),
  /** Null if nobody is logged in. */
  holdings: Held.nullable(),
  currencyCode: z.string(),
  taxRate: TaxRate,
  provider: PaymentProvider,
  /** What Paddle's overlay opens with; null with another provider. */
  paddle: z.object({ clientToken: z.string(), environment: z.enum(['sandbox', 'production']) }).nullable(),
})
export type Pricing = z.infer<typeof Pricing>
export const pricing = endpoint({
  method: 'GET',
  path: '/api/:orgId/pricing',
  summary: "List plans and prices, and what the organization has beyond each plan's limits",
  access: anyMember,
  cost: 'light',
  reads: ['plan', 'channel', 'member', 'project'],
  params: OrgParams,
  reply: Pricing,
  audit: null,
})
export const publicPricing = endpoint({
  method: 'GET',
  path: '/api/public/pricing',
  summary: 'List plans and prices (public)',
  access: everybody,
  cost: 'light',
  reads: [],
  reply: Pricing,
  audit: null,
})

/** The recipient on invoices; empty lines mean the organization's name and the person who pays. */
export const BillingDetails = z.object({
  name: z.string().trim().max(200),
  email: z.union([z.literal(''), z.email('Enter an email address')]),
  address: z.string().trim().max(500),
  taxId: z.string().trim().max(50),
})
export type BillingDetails = z.infer<typeof BillingDetails>

export const PaymentMethod = z.object({
  type: z.string(),
  card: z
    .object({
      type: z.string(),
      last4: z.string(),
      expiryMonth: z.int(),
      expiryYear: z.int(),
      cardholderName: z.string(),
    })
    .nullable(),
})
export type PaymentMethod = z.infer<typeof PaymentMethod>
/** The plan as its card shows it. */
export const BillingStatus = z.object({
  planId: PlanId,
  planName: z.string(),
  planStatus: PlanStatus,
  billingPeriod: BillingInterval.nullable(),
  currentStartDate: Instant.nullable(),
  currentEndDate: Instant.nullable(),
  nextBillingDate: Instant.nullable(),
  trialExpiresAt: Instant.nullable(),
  canceledAt: Instant.nullable(),
  /** Active ones: what the plan pauses doesn't count. */
  currentChannels: z.int(),
  restingChannels: z.int(),
  maxChannels: z.int(),
  addonQuantity: z.int(),
  lastPaymentMethod: PaymentMethod.nullable(),
  /** Null for a free plan and a trial. */
  subscriptionId: z.string().nullable(),
  /** Credit for later invoices, by currency. */
  credits: z.array(Amount),
  /** The next charge, after credit; null if nothing renews. Paddle's amounts are before tax, which it adds. */
  nextPayment: Amount.extend({ date: Instant, beforeTax: z.boolean() }).nullable(),
  /** The smaller plan of the next period; null if none is scheduled. */
  plannedChange: z
    .object({ planId: PlanId, planName: z.string(), addonQuantity: z.int(), startsAt: Instant })
    .nullable(),
  /** Whether a smaller plan can be scheduled for the next period: not with Paddle. */
  canPlanChange: z.boolean(),
  /** While a payment is overdue: the amount, when it's retried, and when the plan ends otherwise. */
  pastDue: z
    .object({
      nextAttemptAt: Instant.nullable(),
      endsAt: Instant,
      /** Null if only the provider knows it. */ owed: Amount.nullable(),
      /** Its payment request as a PDF; null where there is none. */ requestId: z.string().nullable(),
    })
    .nullable(),
  billingDetails: BillingDetails.nullable(),
  /** Payments for a second subscription, which was ended immediately, that weren't refunded yet. */
  surplus: z.array(z.object({ transactionId: z.string(), date: Instant, amount: Money, currencyCode: z.string() })),
  /** An email address for questions about payments; null if the installation has none. */
  contact: z.string().nullable(),
  provider: PaymentProvider,
})
export type BillingStatus = z.infer<typeof BillingStatus>
export const billingStatus = endpoint({
  method: 'GET',
  path: '/api/:orgId/billing/status',
  summary: 'Get the plan, its dates and its payment method',
  access: orgAdmins,
  cost: 'light',
  reads: ['plan', 'channel', 'member', 'project'],
  params: OrgParams,
  reply: BillingStatus,
  audit: null,
})

export const transactionStatuses = ['pending', 'paid', 'failed', 'refunded'] as const
export const Transaction = z.object({
  transactionId: z.string(),
  /** A credit note refunds the unused time of what `refersTo` names; its amounts are negative. */
  kind: z.enum(['invoice', 'credit_note']),
  invoiceNumber: z.string().nullable(),
  /** Whether there's a PDF: for an overdue amount, a payment request. */
  document: z.enum(['invoice', 'credit_note', 'payment_request']).nullable(),
  refersTo: z.array(z.string()),
  /** The date on the document. */
  billedOn: Day,
  /** The period it covers; null if the provider doesn't say. */
  servicePeriod: z.object({ from: Day, to: Day }).nullable(),
  transactionOccurredAt: Instant,
  transactionItems: z.array(z.object({ name: z.string(), quantity: z.int(), subtotal: Money })),
  transactionStatus: z.enum(transactionStatuses),
  /**
   * `total` is subtotal + tax; `grandTotal` is what was or has to be paid: total - credit. A negative credit was added
   * for later.
   */
  lastTransactionTotals: z.object({
    currencyCode: z.string(),
    subtotal: Money,
    tax: Money,
    total: Money,
    credit: Money,
    grandTotal: Money,
  }),
})
export type Transaction = z.infer<typeof Transaction>
export const transactions = endpoint({
  method: 'GET',
  path: '/api/:orgId/billing/transactions',
  summary: 'List payments and their invoices, newest first',
  access: orgAdmins,
  cost: 'light',
  reads: ['plan'],
  params: OrgParams,
  query: pageQuery(PAGE_SIZE.transactions),
  reply: z.object({ transactions: z.array(Transaction), pagination: Pagination }),
  audit: null,
})
export const TransactionParams = OrgParams.extend({ transactionId: z.string().min(1).max(100) })
export const invoice = endpoint({
  method: 'GET',
  path: '/api/:orgId/billing/invoice/:transactionId',
  summary: "Get the download link for a payment's invoice",
  access: orgAdmins,
  cost: 'light',
  reads: ['plan'],
  params: TransactionParams,
  reply: z.object({ url: z.string() }),
  errors: ['NOT_FOUND', 'PAYMENT_REFUSED'],
  audit: null,
})
export const invoicePdf = endpoint({
  method: 'GET',
  path: '/api/:orgId/billing/invoice/:transactionId/pdf',
  summary: 'Download the invoice of a test payment as a PDF',
  access: orgAdmins,
  cost: 'export',
  reads: ['plan'],
  params: TransactionParams,
  reply: 'bytes',
  errors: ['NOT_FOUND'],
  audit: null,
})
/** What the success page shows. */
export const PaymentResult = z.object({
  transactionId: z.string(),
  transactionStatus: z.enum(transactionStatuses),
  date: Instant,
  paymentMethod: z.string().nullable(),
  amount: Money,
  currencyCode: z.string(),
  email: z.string(),
  /** An email address for questions; null if the installation has none. */
  contact: z.string().nullable(),
  isTest: z.boolean(),
})
export type PaymentResult = z.infer<typeof PaymentResult>
export const paymentResult = endpoint({
  method: 'GET',
  path: '/api/:orgId/billing/transactions/:transactionId',
  summary: 'Get the result of a checkout',
  access: orgAdmins,
  cost: 'light',
  reads: ['plan'],
  params: TransactionParams,
  reply: PaymentResult,
  errors: ['NOT_FOUND'],
  audit: null,
})

export const PaidPlanId = PlanId.exclude(['free'])
const CheckoutBody = z.object({
  addonQuantity: z.int().min(0).max(100),
  basePlanId: PaidPlanId,
  billingInterval: BillingInterval,
})
const beginsCheckout = {
  method: 'POST',
  summary: 'Start buying a plan. Returns the transaction for the checkout overlay',
  access: orgAdmins,
  cost: 'light',
  changes: [],
  params: OrgParams,
  body: CheckoutBody,
  reply: z.object({ transactionId: z.string() }),
  errors: ['PAYMENT_REFUSED', 'PLAN_ACTION_REFUSED'],
  audit: { action: 'started', entity: 'checkout' },
} as const
export const checkout = endpoint({ ...beginsCheckout, path: '/api/:orgId/billing/checkout' })
export const subscribe = endpoint({ ...beginsCheckout, path: '/api/:orgId/billing/subscribe' })

/** What a change will cost, before anyone agrees to it. Negative items are credits. */
export const ChangePreview = z.object({
  subscriptionId: z.string(),
  /** Names this preview: a confirmation with this name agrees to no other. */
  previewId: z.string(),
  planName: z.string(),
  items: z.array(z.object({ name: z.string(), quantity: z.int(), total: z.object({ subtotal: Money }) })),
  /** `grandTotal` is what the confirmation charges: subtotal + tax - existing credit, never negative. */
  total: z.object({
    currencyCode: z.string(),
    subtotal: Money,
    tax: Money,
    taxRate: z.number(),
    credit: Money,
    grandTotal: Money,
  }),
  /** Credit balances after the change, for later invoices. */
  creditsLeft: z.array(Amount),
  wakes: Waking,
  nextBillingDate: Instant,
})
export type ChangePreview = z.infer<typeof ChangePreview>
const previews = {
  method: 'POST',
  access: orgAdmins,
  cost: 'light',
  reads: ['plan'],
  params: OrgParams,
  reply: ChangePreview,
  errors: ['PLAN_ACTION_REFUSED', 'PAYMENT_REFUSED'],
  audit: { none: 'nothing changes before the confirmation' },
} as const
const confirms = {
  method: 'POST',
  access: orgAdmins,
  cost: 'light',
  changes: ['plan'],
  params: OrgParams,
  /** Without `previewId`, the last preview of the kind is meant. */
  body: z.object({ subscriptionId: z.string().min(1).max(100), previewId: z.string().max(100).optional() }),
  reply: z.object({ message: z.string() }),
  errors: ['PLAN_ACTION_REFUSED', 'PAYMENT_REFUSED', 'PAYMENT_DECLINED', 'STALE_VERSION'],
  audit: { action: 'changed', entity: 'plan' },
} as const
export const previewAddons = endpoint({
  ...previews,
  path: '/api/:orgId/billing/addon/preview',
  summary: 'Preview a different number of add-ons',
  body: z.object({ addonQuantity: z.int().min(0).max(100) }),
})
export const confirmAddons = endpoint({
  ...confirms,
  path: '/api/:orgId/billing/addon/confirm',
  summary: 'Confirm the previewed number of add-ons',
})
export const previewFrequency = endpoint({
  ...previews,
  path: '/api/:orgId/billing/frequency/preview',
  summary: 'Preview the switch to annual billing',
  body: z.object({}),
})
export const confirmFrequency = endpoint({
  ...confirms,
  path: '/api/:orgId/billing/frequency/confirm',
  summary: 'Confirm the previewed switch to annual billing',
})
export const previewPlan = endpoint({
  ...previews,
  path: '/api/:orgId/billing/plan/preview',
  summary: 'Preview the upgrade to Team',
  body: z.object({ addonQuantity: z.int().min(0).max(100), billingInterval: BillingInterval }),
})
export const confirmPlan = endpoint({
  ...confirms,
  path: '/api/:orgId/billing/plan/confirm',
  summary: 'Confirm the previewed upgrade to Team',
})

const act = {
  method: 'POST',
  access: orgAdmins,
  cost: 'light',
  changes: ['plan'],
  params: OrgParams,
  body: z.object({}),
  reply: z.object({ message: z.string() }),
  errors: ['PLAN_ACTION_REFUSED', 'PAYMENT_REFUSED'],
} as const
export const resumePlan = endpoint({
  ...act,
  path: '/api/:orgId/billing/resume',
  summary: 'Undo a scheduled cancellation',
  audit: { action: 'resumed', entity: 'plan' },
})
export const cancelPlan = endpoint({
  ...act,
  path: '/api/:orgId/billing/cancel',
  summary: 'Cancel the plan at the end of its period. A plan with an overdue payment ends immediately',
  audit: { action: 'canceled', entity: 'plan' },
})
export const planDowngrade = endpoint({
  ...act,
  path: '/api/:orgId/billing/downgrade',
  summary: 'Schedule a switch from Team to Individual when the period ends',
  body: z.object({ addonQuantity: z.int().min(0).max(100) }),
  audit: { action: 'planned', entity: 'plan' },
})
export const undoDowngrade = endpoint({
  ...act,
  path: '/api/:orgId/billing/downgrade/undo',
  summary: 'Undo the scheduled switch and keep Team',
  audit: { action: 'kept', entity: 'plan' },
})
export const updateBillingDetails = endpoint({
  method: 'PUT',
  path: '/api/:orgId/billing/details',
  summary: 'Update the billing details on future invoices',
  cost: 'light',
  changes: ['plan'],
  access: orgAdmins,
  params: OrgParams,
  body: BillingDetails,
  reply: BillingDetails,
  audit: { action: 'updated', entity: 'billing_details' },
})
export const switchToFree = endpoint({
  ...act,
  path: '/api/:orgId/billing/free',
  summary: 'Switch to the free plan',
  audit: { action: 'changed', entity: 'plan' },
})

export const AddonDetails = z.object({
  planId: PlanId,
  planName: z.string(),
  billingPeriod: BillingInterval,
  currentAddons: z.int(),
  /** Active ones. */
  currentChannels: z.int(),
  basePlanLimit: z.int(),
  addonPrice: Money,
  maxAddonLimit: z.int(),
  currencyCode: z.string(),
})
export type AddonDetails = z.infer<typeof AddonDetails>
export const addonDetails = endpoint({
  method: 'GET',
  path: '/api/:orgId/billing/addon/details',
  summary: 'Get add-on details',
  access: orgAdmins,
  cost: 'light',
  reads: ['plan', 'channel', 'member', 'project'],
  params: OrgParams,
  reply: AddonDetails,
  errors: ['PLAN_ACTION_REFUSED'],
  audit: null,
})
export const teamUpgrade = endpoint({
  method: 'GET',
  path: '/api/:orgId/billing/upgrade/team',
  summary: 'Get details of the upgrade to Team',
  access: orgAdmins,
  cost: 'light',
  reads: ['plan', 'channel', 'member', 'project'],
  params: OrgParams,
  reply: z.object({ plan: PlanOffer, current: AddonDetails, taxRate: TaxRate }),
  errors: ['PLAN_ACTION_REFUSED'],
  audit: null,
})
export const updatePaymentMethod = endpoint({
  method: 'GET',
  path: '/api/:orgId/billing/payment-method-update',
  summary:
    'Start updating the payment method. Returns the transaction for the checkout overlay, and pays any overdue amount',
  access: orgAdmins,
  cost: 'light',
  changes: [],
  params: OrgParams,
  reply: z.object({ transactionId: z.string() }),
  errors: ['PLAN_ACTION_REFUSED', 'PAYMENT_REFUSED'],
  audit: { action: 'started', entity: 'payment_method' },
})

/** What the test payments' overlay shows and sends. Only available with test payments. */
export const LocalCheckout = z.object({
  transactionId: z.string(),
  /** `method`: only the card changes, nothing is paid now. */
  purpose: z.enum(['pay', 'method']),
  items: z.array(z.object({ name: z.string(), quantity: z.int(), subtotal: Money })),
  totals: z.object({ currencyCode: z.string(), subtotal: Money, tax: Money, credit: Money, grandTotal: Money }),
  wakes: Waking,
  status: z.enum(transactionStatuses),
})
export type LocalCheckout = z.infer<typeof LocalCheckout>
export const localCheckout = endpoint({
  method: 'GET',
  path: '/api/:orgId/billing/local/:transactionId',
  summary: 'Get the details of a test checkout',
  access: orgAdmins,
  cost: 'light',
  reads: ['plan'],
  params: TransactionParams,
  reply: LocalCheckout,
  errors: ['NOT_FOUND', 'PAYMENT_REFUSED'],
  audit: null,
})
export const payLocally = endpoint({
  method: 'POST',
  path: '/api/:orgId/billing/local/:transactionId/pay',
  summary: 'Pay a test checkout with a test card',
  access: orgAdmins,
  cost: 'light',
  changes: ['plan'],
  params: TransactionParams,
  body: z.object({
    cardNumber: z
      .string()
      .transform((number) => number.replaceAll(/[\s-]/g, ''))
      .pipe(z.string().regex(/^\d{16}$/, 'Enter the 16 digits of a test card')),
    expiryMonth: z.int().min(1).max(12),
    expiryYear: z.int().min(2000).max(2100),
    securityCode: z.string().regex(/^\d{3,4}$/, 'Enter the 3 digits on the back'),
    cardholderName: z.string().trim().min(1, 'Enter the name on the card').max(100),
    /** The holder agreed in the second step that some cards require. */
    confirmed: z.boolean().default(false),
  }),
  reply: z.object({ outcome: z.enum(['paid', 'confirm']) }),
  errors: ['NOT_FOUND', 'PAYMENT_REFUSED', 'PAYMENT_DECLINED', 'PLAN_ACTION_REFUSED'],
  audit: { action: 'paid', entity: 'plan' },
})

/** Paddle's events. The signature authenticates them; the body is read raw. */
export const paddleEvents = endpoint({
  method: 'POST',
  path: '/api/public/billing/paddle',
  summary: "Receive Paddle's signed notifications. Each is stored and applied once",
  access: everybody,
  cost: 'light',
  changes: ['plan'],
  // unchanged: the signature covers its bytes
  body: z.string(),
  rawBody: 'text',
  bodyLimit: 256_000,
  reply: Done,
  errors: ['SIGNATURE_REFUSED', 'PAYMENT_REFUSED'],
  audit: { none: 'what it changes is audited as the change of the plan' },
})

/** List what's over the plan's limits after it shrank without anyone's choice, and what stays active. */
export const Excess = z.object({
  channels: z.object({
    allowed: z.int(),
    /** How many accounts these platforms may have. */ platforms: z.array(
      z.object({ platform: PlatformKey, allowed: z.int() }),
    ),
    items: z.array(
      z.object({
        channelId: Id,
        name: z.string(),
        platform: PlatformKey,
        projectId: Id,
        projectName: z.string(),
        locked: z.boolean(),
      }),
    ),
  }),
  users: z.object({
    allowed: z.int(),
    items: z.array(z.object({ userId: Id, name: z.string(), isOrgAdmin: z.boolean(), locked: z.boolean() })),
  }),
  projects: z.object({
    allowed: z.int(),
    items: z.array(z.object({ projectId: Id, name: z.string(), locked: z.boolean() })),
  }),
})
export type Excess = z.infer<typeof Excess>
export const excess = endpoint({
  method: 'GET',
  path: '/api/:orgId/billing/excess',
  summary: "List what's over the plan's limits",
  access: orgAdmins,
  cost: 'light',
  reads: ['plan', 'channel', 'member', 'project'],
  params: OrgParams,
  reply: Excess,
  audit: null,
})
/** More than anyone has; it limits what one call may request. */
const Chosen = z.array(Id).max(2000)
export const keepActive = endpoint({
  method: 'PUT',
  path: '/api/:orgId/billing/excess',
  summary: 'Choose what stays active. The rest is paused, and nothing is deleted',
  access: orgAdmins,
  cost: 'light',
  changes: ['plan', 'channel', 'member'],
  params: OrgParams,
  body: z.object({ channelIds: Chosen, userIds: Chosen, projectIds: Chosen }),
  reply: Excess,
  errors: ['PLAN_LIMIT', 'BAD_INPUT'],
  audit: { action: 'chosen', entity: 'plan' },
})
