import { because } from '../failures/catalog.ts'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { describeNotification, kindsOf, notificationKinds, type NotificationFacts } from './catalog.ts'
import { conversationKinds } from '../inbox/terms.ts'
import { noticeTopics } from '../notices.ts'

const failure = {
  class: 'reconnect',
  action: 'reconnect',
  ...because('channel-signed-out', { handle: '@rook', platform: 'Bluesky', minutes: 60 }),
} as const
const post = { postId: 'p1', platform: 'bluesky', excerpt: 'Rye is back' } as const
const channel = { handle: '@rook', platform: 'bluesky' } as const
const instant = '2026-11-22T17:42:00Z'
const report = { reportId: 'r1', reportName: 'Month' } as const
const viaProjectId = 'p'
const usd = (amount: number) => ({ amount, currencyCode: 'USD' })

/** At least one example of every kind; several if the wording varies. */
const examples: { [Kind in NotificationFacts['kind']]: Extract<NotificationFacts, { kind: Kind }>['params'][] } = {
  'post-failed': [
    { ...post, failure },
    { ...post, excerpt: '', failure, canReconnect: false },
  ],
  'post-unconfirmed': [{ ...post, failure }],
  'follow-up-failed': [
    { ...post, followUp: { kind: 'item', item: 1 } },
    { ...post, followUp: { kind: 'comment', item: null } },
    { ...post, followUp: { kind: 'playlist', item: null } },
  ],
  'follow-up-unconfirmed': [{ ...post, followUp: { kind: 'comment', item: null } }],
  'post-overdue': [
    { count: 1, postId: 'p1' },
    { count: 3, postId: null },
  ],
  'boost-trouble': [
    { postId: 'p1', platform: 'facebook', state: 'FAILED', problem: because('ads-no-payment-method') },
    { postId: 'p1', platform: null, state: 'REJECTED', problem: null },
    { postId: 'p1', platform: 'facebook', state: 'HELD', problem: null },
  ],
  'boost-unstopped': [{ postId: 'p1', platform: 'facebook' }],
  'figures-unusual': [
    {
      day: '2026-11-20',
      count: 1,
      figures: [{ ...channel, figure: 'engagements', value: 2310, low: 1200, high: 1900, standing: 'above' }],
    },
    {
      day: '2026-11-20',
      count: 4,
      figures: [{ ...channel, figure: 'viewsAndImpressions', value: 10, low: 1200, high: 1900, standing: 'below' }],
    },
  ],
  'report-failed': (['tooLarge', 'tooSlow', 'broken', 'noRecipients'] as const).map((reason) => ({
    ...report,
    reason,
  })),
  'report-paused': (['plan', 'owner'] as const).map((why) => ({ ...report, why })),
  'report-undelivered': [
    { ...report, refused: 1, failed: 0, unconfirmed: 0 },
    { ...report, refused: 2, failed: 1, unconfirmed: 3 },
    { ...report, refused: 0, failed: 2, unconfirmed: 1 },
  ],
  'publishing-held': [{}],
  'zones-changed': [
    { count: 1, zone: 'Europe/London' },
    { count: 4, zone: 'Europe/London' },
  ],
  'channel-signed-out': [true, false].map((canReconnect) => ({
    ...channel,
    reason: because('sign-in-expired', { platform: 'Bluesky' }),
    latenessMinutes: 60,
    canReconnect,
  })),
  'channel-sign-in-ends': [0, 1, 5].map((posts) => ({
    ...channel,
    endsAt: instant,
    zone: 'Europe/London',
    posts,
    canReconnect: posts > 0,
  })),
  'approval-requested': [
    { ...post, sender: 'Kim' },
    { ...post, excerpt: '', sender: 'Kim' },
  ],
  'approvals-requested': [
    { sender: 'Kim', count: 1 },
    { sender: 'Kim', count: 2 },
  ],
  'approval-reminder': [
    { ...post, sender: 'Kim' },
    { ...post, sender: null },
  ],
  'approval-due-soon': [{ ...post, dueAt: instant, zone: 'Europe/London' }],
  'approval-decided': [
    { ...post, decider: 'Kim', decision: 'approved', comment: '', failure: null },
    { ...post, decider: 'Kim', decision: 'approved', comment: '', failure },
    { ...post, decider: 'Kim', decision: 'rejected', comment: 'Wrong logo', failure: null },
  ],
  'post-edited': [{ ...post, editor: 'Kim' }],
  'note-mention': [{ author: 'Kim', postId: 'p1', excerpt: 'Is the date right?' }],
  'note-reply': [{ author: 'Kim', postId: 'p1', excerpt: 'It is' }],
  'inbox-new-assigned': conversationKinds.map((conversation) => ({ ...channel, conversationId: 'c1', conversation })),
  'inbox-new-assigned-many': [{}],
  'inbox-new-unassigned': conversationKinds.map((conversation) => ({ ...channel, conversationId: 'c1', conversation })),
  'inbox-new-unassigned-many': [{}],
  'inbox-low-review': [1, 2].map((rating) => ({
    ...channel,
    conversationId: 'c1',
    conversation: 'review' as const,
    rating,
  })),
  'inbox-low-review-many': [{}],
  'inbox-assigned': [
    { ...channel, assigner: 'Kim', conversationId: 'c1', conversation: 'comment' },
    { ...channel, assigner: 'Kim', conversationId: 'c1', conversation: 'message' },
  ],
  'inbox-assigned-many': [{ assigner: 'Kim', count: 12 }],
  'inbox-follow-up': [{ ...channel, conversationId: 'c1', conversation: 'mention' }],
  'inbox-overdue': [
    { count: 1, hours: 1, conversationId: 'c1' },
    { count: 3, hours: 4, conversationId: null },
  ],
  'inbox-late': [
    { ...channel, reason: because('inbox-quota-used-up', { platform: 'Bluesky' }), stopped: false },
    { ...channel, reason: because('inbox-permission-missing', { platform: 'Bluesky' }), stopped: true },
  ],
  'inbox-reply-failed': [{ ...channel, conversationId: 'c1', conversation: 'comment' }],
  'inbox-reply-unconfirmed': [{ ...channel, conversationId: 'c1', conversation: 'message' }],
  'inbox-mention': [{ author: 'Kim', conversationId: 'c1', excerpt: 'Is this a refund?' }],
  'discussion-mention': [{ author: 'Kim', discussionId: 'd1', discussion: 'Launch', excerpt: 'Is the date right?' }],
  'discussion-message': [{ author: 'Kim', discussionId: 'd1', discussion: 'Launch', excerpt: 'It is' }],
  'discussion-added': [{ author: 'Kim', discussionId: 'd1', discussion: 'Launch' }],
  'discussion-resolved': [{ author: 'Kim', discussionId: 'd1', discussion: 'Launch' }],
  'inbox-note-reply': [{ author: 'Kim', conversationId: 'c1', excerpt: 'It is' }],
  'trial-ends': [1, 3].map((days) => ({ viaProjectId, orgName: 'Rye', days, endsAt: instant, zone: 'UTC' })),
  'trial-ended': [{ viaProjectId, orgName: 'Rye' }],
  'payment-failed': [
    { viaProjectId, owed: usd(1500), nextAttemptAt: instant, endsAt: instant },
    { viaProjectId, owed: usd(0), nextAttemptAt: null, endsAt: instant },
  ],
  'payment-received': [
    {
      viaProjectId,
      paid: usd(1500),
      items: [
        { name: 'Individual', quantity: 1 },
        { name: 'Channels', quantity: 2 },
      ],
      invoiceNumber: 'TEST-000001',
    },
  ],
  'plan-renews': [true, false].map((plusTax) => ({ viaProjectId, renewsAt: instant, price: usd(15000), plusTax })),
  'card-ends': [{ viaProjectId, last4: '4242', expiresAt: instant, renewsAt: instant }],
  'plan-ended': [true, false].map((unpaid) => ({ viaProjectId, unpaid })),
  'plan-shrank': [
    { viaProjectId, channels: 2, projects: 1, users: 1 },
    { viaProjectId, channels: 1, projects: 0, users: 0 },
    { viaProjectId, channels: 0, projects: 0, users: 2 },
  ],
  'paid-twice': [{ viaProjectId, transactionId: 'txn_1' }],
  'charged-back': [{ viaProjectId, transactionId: 'txn_1' }],
  'plan-reader': [
    { orgName: 'Rye', members: 1 },
    { orgName: 'Rye', members: null },
  ],
  'plan-member': [{ orgName: 'Rye', members: 3 }],
  other: [{ title: 'A notification', body: 'As it was.', quote: null, link: null }],
}
const place = { orgId: 'o', projectId: 'p' }
const all = notificationKinds.flatMap((kind) => examples[kind].map((params) => ({ kind, params })))

it.each(all)('words $kind in full sentences with nothing left out', ({ kind, params }) => {
  const { title, body, quote, link } = describeNotification(kind, params, place)
  expect(title).toMatch(/^\S(.*\S)?$/)
  expect(title).not.toMatch(/[.]$/)
  expect(body).toMatch(/\S/)
  for (const text of [title, body, quote ?? ''])
    expect(text).not.toMatch(/undefined|null|NaN|Invalid Date|\[object|\$\{|[{}]|  | \.|\.\./)
  if (kind !== 'other' && !kind.startsWith('plan-m') && kind !== 'plan-reader')
    expect(link).toMatch(/^\/o\/project\/p\/\S+$/)
})

it('words what is new in the inbox by its kind, its channel and its stars', () => {
  const titles = (['inbox-new-assigned', 'inbox-new-unassigned', 'inbox-low-review'] as const).map((kind) =>
    examples[kind].map((params) => describeNotification(kind, params, place).title),
  )
  expect(titles).toEqual([
    ['New comment', 'New direct message', 'New mention', 'New review'].map(
      (news) => `${news} in a conversation assigned to you`,
    ),
    ['New comment', 'New direct message', 'New mention', 'New review'].map((news) => `${news} for @rook on Bluesky`),
    ['A review with 1 star for @rook on Bluesky', 'A review with 2 stars for @rook on Bluesky'],
  ])
})

it('shows what someone wrote as a quote and not within the body', () => {
  const [, , rejected] = examples['approval-decided']
  expect(describeNotification('approval-decided', rejected, place)).toMatchObject({
    body: 'Rye is back',
    quote: 'Wrong logo',
  })
})

it('gives every topic but invitations at least one kind', () => {
  // open invitations come from the home answer
  for (const topic of noticeTopics) expect(kindsOf(topic).length > 0).toBe(topic !== 'invitations')
})

it('words a kind or facts that only a newer version knows', () => {
  const unknown = [
    describeNotification('moon-landed', { crew: 3 }, place),
    describeNotification('post-failed', { crew: 3 }, place),
  ]
  for (const { title, link } of unknown) expect([title, link]).toEqual(['You have a new notification', null])
})

it('stores no field with a finished title or body', () => {
  const named = z.record(z.string(), z.unknown())
  for (const { kind, params } of all.filter((one) => one.kind !== 'other'))
    expect([
      kind,
      Object.keys(named.parse(params)).filter((key) => /title|body|text|message|words/i.test(key)),
    ]).toEqual([kind, []])
})
