import { z } from 'zod'
import { Instant } from '../common.ts'
import { dateText, money } from '../format.ts'
import { onlyMembers } from '../plans.ts'
import { webLinks } from '../webLinks.ts'
import { count, notification, type Place } from './define.ts'

/* About the organization's plan and its payments. */

const billing = z.object({
  /** The project that leads to the organization's settings; null if there is none. */
  viaProjectId: z.string().nullable(),
})
type Billing = z.output<typeof billing>

const inSettings =
  (link: (project: { orgId: string; projectId: string }) => string) =>
  ({ viaProjectId: projectId }: Billing, { orgId }: Place): string | null =>
    projectId === null ? null : link({ orgId, projectId })
const toBilling = inSettings(webLinks.billing)

/** Billing counts its days by UTC. */
const billingDay = (instant: string) => dateText(new Date(instant), 'UTC')
const listed = (items: readonly string[]) => new Intl.ListFormat('en').format(items)
const Money = z.object({ amount: z.int(), currencyCode: z.string() })
const moneyText = ({ amount, currencyCode }: z.output<typeof Money>) => money(amount, currencyCode)

const limit = (n: number, noun: string) => `${n} ${n === 1 ? noun : `${noun}s`}`

const membership = z.object({
  orgName: z.string(),
  /** How many members the plan includes; null for no limit. */
  members: z.int().nullable(),
})

export const planNotifications = {
  'trial-ends': notification({
    topic: 'plan',
    params: billing.extend({ orgName: z.string(), days: z.int(), endsAt: Instant, zone: z.string() }),
    title: ({ orgName, days }) => `The trial for ${orgName} ends ${days === 1 ? 'within a day' : `in ${days} days`}`,
    body: ({ endsAt, zone }) =>
      `It ends on ${dateText(new Date(endsAt), zone)}. Choose a plan to keep publishing. Without one, scheduled posts wait and you can't connect channels. Nothing is deleted, and you can still read everything.`,
    link: toBilling,
  }),
  'trial-ended': notification({
    topic: 'plan',
    params: billing.extend({ orgName: z.string() }),
    title: ({ orgName }) => `The trial for ${orgName} has ended`,
    body: () =>
      'Choose a plan to publish and connect channels again. Until then, scheduled posts wait. Nothing is deleted, and you can still read everything.',
    link: toBilling,
  }),
  'payment-failed': notification({
    topic: 'plan',
    params: billing.extend({ owed: Money, nextAttemptAt: Instant.nullable(), endsAt: Instant }),
    title: () => 'A payment for your plan failed',
    body: ({ owed, nextAttemptAt, endsAt }) =>
      [
        'To avoid interruptions to your account, please complete your payment as soon as possible.',
        ...(owed.amount > 0 ? [`You owe ${moneyText(owed)}.`] : []),
        ...(nextAttemptAt === null ? [] : [`We'll try the card again on ${billingDay(nextAttemptAt)}.`]),
        `Without a payment your plan ends on ${billingDay(endsAt)}.`,
      ].join(' '),
    link: toBilling,
  }),
  'payment-received': notification({
    topic: 'plan',
    params: billing.extend({
      paid: Money,
      items: z.array(z.object({ name: z.string(), quantity: z.int() })),
      invoiceNumber: z.string(),
    }),
    title: ({ paid }) => `Receipt for ${moneyText(paid)}`,
    body: ({ paid, items, invoiceNumber }) =>
      `We received ${moneyText(paid)} for ${listed(items.map(({ name, quantity }) => (quantity > 1 ? `${name} × ${quantity}` : name)))}. You can download invoice ${invoiceNumber} in your organization settings. This was a test payment: no money moved.`,
    link: toBilling,
  }),
  'plan-renews': notification({
    topic: 'plan',
    params: billing.extend({ renewsAt: Instant, price: Money, plusTax: z.boolean() }),
    title: ({ renewsAt }) => `Your plan renews on ${billingDay(renewsAt)}`,
    body: ({ price, plusTax }) =>
      `We'll charge ${moneyText(price)}${plusTax ? ' plus tax' : ''} for another year. To change or cancel your plan before then, open Billing & Invoice in your organization settings.`,
    link: toBilling,
  }),
  'card-ends': notification({
    topic: 'plan',
    params: billing.extend({ last4: z.string(), /** Its last day. */ expiresAt: Instant, renewsAt: Instant }),
    title: ({ last4, expiresAt }) => `Your card ending in ${last4} expires on ${billingDay(expiresAt)}`,
    body: ({ renewsAt }) =>
      `It won't pay the renewal on ${billingDay(renewsAt)}. Update the payment method in your organization settings to keep your plan.`,
    link: toBilling,
  }),
  'plan-ended': notification({
    topic: 'plan',
    params: billing.extend({ unpaid: z.boolean() }),
    title: () => 'Your plan has ended',
    body: ({ unpaid }) =>
      `${unpaid ? "Its payment didn't go through. " : ''}Nothing is published or connected until you choose a plan, such as Free. Scheduled posts wait, nothing is deleted, and you can still read everything.`,
    link: toBilling,
  }),
  'plan-shrank': notification({
    topic: 'plan',
    params: billing.extend({ /** What was paused. */ channels: count, projects: count, users: count }),
    title: () => 'Your new plan is smaller than what you use',
    body: ({ channels, projects, users }) => {
      const paused = [
        ...(channels > 0 ? [limit(channels, 'channel')] : []),
        ...(projects > 0 ? [limit(projects, 'project')] : []),
      ]
      return [
        "Your new plan doesn't have room for everything.",
        ...(paused.length > 0 ? [`${listed(paused)} ${channels + projects === 1 ? 'is' : 'are'} paused.`] : []),
        ...(users > 0 ? [`${limit(users, 'user')} can only read now.`] : []),
        'Nothing was deleted. Choose what stays active, or upgrade.',
      ].join(' ')
    },
    link: inSettings(webLinks.chooseActive),
  }),
  'paid-twice': notification({
    topic: 'plan',
    params: billing.extend({ transactionId: z.string() }),
    title: () => 'Your plan was paid for twice',
    body: ({ transactionId }) =>
      `Your plan stays as it was, and we canceled the second one right away. Billing & Invoice explains how to get its payment (${transactionId}) refunded.`,
    link: toBilling,
  }),
  'charged-back': notification({
    topic: 'plan',
    params: billing.extend({ transactionId: z.string() }),
    title: () => 'A payment was reversed',
    body: ({ transactionId }) =>
      `The bank reversed payment ${transactionId}. Your plan stays active while your Rookery administrator looks into it. If nobody on your team asked the bank for this, let them know.`,
    link: toBilling,
  }),
  'plan-reader': notification({
    topic: 'plan',
    params: membership,
    title: ({ orgName }) => `You can only view ${orgName} now`,
    body: ({ orgName, members }) =>
      `${members === null ? `An admin of ${orgName} chose who stays active.` : `The plan of ${orgName} includes ${onlyMembers(members)}.`} You keep your role, and your scheduled posts will still be published. To work here again, ask an admin of the organization.`,
    link: () => null,
  }),
  'plan-member': notification({
    topic: 'plan',
    params: membership,
    title: ({ orgName }) => `You can work in ${orgName} again`,
    body: ({ orgName }) => `The plan of ${orgName} has room for you again, so your role is back.`,
    link: () => null,
  }),
}
