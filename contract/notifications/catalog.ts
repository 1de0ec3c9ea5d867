import { z } from 'zod'
import type { NoticeTopic } from '../notices.ts'
import { approvalNotifications } from './approvals.ts'
import { channelNotifications } from './channels.ts'
import { notification, type Place, type Wording } from './define.ts'
import { discussionNotifications } from './discussions.ts'
import { inboxNotifications } from './inbox.ts'
import { insightNotifications } from './insights.ts'
import { planNotifications } from './plan.ts'
import { postNotifications } from './posts.ts'

/**
 * Every kind of notification: its stored facts, and the one place that words them, for the app, the API and emails
 * alike.
 */
const catalog = {
  ...postNotifications,
  ...channelNotifications,
  ...approvalNotifications,
  ...discussionNotifications,
  ...inboxNotifications,
  ...insightNotifications,
  ...planNotifications,
  /** From before notifications were stored as facts. */
  other: notification({
    topic: 'publishing',
    params: z.object({
      title: z.string(),
      body: z.string(),
      quote: z.string().nullable(),
      link: z.string().nullable(),
    }),
    title: ({ title }) => title,
    body: ({ body }) => body,
    quote: ({ quote }) => quote,
    link: ({ link }) => link,
  }),
}

export type NotificationKind = keyof typeof catalog

/** A kind with its facts, as callers create it. */
export type NotificationFacts = {
  [Kind in NotificationKind]: { kind: Kind; params: z.input<(typeof catalog)[Kind]['params']> }
}[NotificationKind]

// keys of a const object are its literal union
export const notificationKinds = Object.keys(catalog) as NotificationKind[]

const isKnown = (kind: string): kind is NotificationKind => Object.hasOwn(catalog, kind)

/** A stored kind's topic. One that only a newer node knows counts as publishing until this one is updated too. */
export const topicOf = (kind: string): NoticeTopic => (isKnown(kind) ? catalog[kind].topic : 'publishing')

export const kindsOf = (topic: NoticeTopic): NotificationKind[] =>
  notificationKinds.filter((kind) => catalog[kind].topic === topic)

/** Whether the wording depends on the reader's permission to reconnect the channel (`canReconnect`). */
export const asksToReconnect = (kind: NotificationKind): boolean => 'canReconnect' in catalog[kind].params.shape

/** A kind's facts as text. What only a newer node can word says so. */
export function describeNotification(kind: string, params: unknown, place: Place): Wording {
  const described = isKnown(kind) ? catalog[kind].describe(params, place) : undefined
  return (
    described ?? { title: 'You have a new notification', body: 'Reload this page to see it.', quote: null, link: null }
  )
}
