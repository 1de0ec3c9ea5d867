import { z } from 'zod'
import { Done, Id, PageQuery, Pagination, ProjectParams } from './common.ts'
import type { Action, Resource } from './permissions.ts'
import { anyInProject, anyUser, endpoint, everybody } from './endpoint.ts'

/**
 * The topics that people choose to be notified about, in the order of the preferences. Every kind of notification
 * belongs to one topic.
 */
export const noticeTopics = [
  'failed_posts',
  'channels',
  'approvals',
  'notes',
  'discussions',
  'inbox',
  'inbox_assigned',
  'inbox_unassigned',
  'low_reviews',
  'insights',
  'reports',
  'invitations',
  'publishing',
  'plan',
] as const
export const NoticeTopic = z.enum(noticeTopics)
export type NoticeTopic = z.infer<typeof NoticeTopic>

/** A topic's name and description. */
export const topicWords: Record<NoticeTopic, { label: string; about: string }> = {
  failed_posts: { label: 'Failed posts', about: "A post wasn't published, or we couldn't confirm that it was." },
  channels: { label: 'Channels', about: 'A channel needs to be reconnected, or will soon.' },
  approvals: {
    label: 'Approvals',
    about: 'A post is waiting for your approval, or yours was edited, approved or rejected.',
  },
  notes: { label: 'Notes', about: 'Someone mentions you in a note on a post or replies to yours.' },
  discussions: {
    label: 'Discussions',
    about: 'Someone writes in a discussion that you take part in, mentions or adds you, or resolves it.',
  },
  inbox: {
    label: 'Inbox',
    about:
      'A conversation is assigned to you, waits too long for an answer, or has a note that mentions you. New messages arrive late.',
  },
  inbox_assigned: {
    label: 'Your conversations',
    about: 'A comment, message, mention or review comes in for a conversation assigned to you.',
  },
  inbox_unassigned: {
    label: 'Unassigned conversations',
    about: "A comment, message, mention or review comes in that isn't assigned to anyone, and you can answer it.",
  },
  low_reviews: {
    label: 'Low reviews',
    about: 'Someone leaves a review with 1 or 2 stars, no matter who it is assigned to.',
  },
  insights: {
    label: 'Insights',
    about: "Followers lost, views or engagements of a channel aren't what is usual on that weekday.",
  },
  reports: { label: 'Reports', about: "A report that you scheduled wasn't sent, didn't reach everyone, or is paused." },
  invitations: { label: 'Invitations', about: 'Someone invites you to their organization.' },
  publishing: { label: 'Publishing', about: 'Publishing is paused, or a time zone changed its clocks.' },
  plan: {
    label: 'Plan',
    about: 'Your trial or plan ends, renews or is downgraded. Receipts, failed payments and expiring cards.',
  },
}
/**
 * What a role needs to see the notifications of a topic, which may name posts, notes or conversations. Someone who lost it
 * no longer sees old ones.
 */
export const topicNeeds: Partial<Record<NoticeTopic, readonly [Resource, Action]>> = {
  failed_posts: ['post', 'view'],
  approvals: ['post', 'view'],
  notes: ['note', 'view'],
  discussions: ['note', 'view'],
  inbox: ['inbox', 'view'],
  inbox_assigned: ['inbox', 'view'],
  inbox_unassigned: ['inbox', 'view'],
  low_reviews: ['inbox', 'view'],
  insights: ['insights', 'view'],
  reports: ['insights', 'view'],
}
/** Emailed only to people who choose that: others see them in the app. */
const notMailedUnlessChosen: readonly NoticeTopic[] = ['inbox_unassigned', 'low_reviews', 'insights']

/** How people are notified about a topic until they choose. */
export const defaultWays = (topic: NoticeTopic): { inApp: boolean; mail: boolean } => ({
  inApp: true,
  mail: !notMailedUnlessChosen.includes(topic),
})
/** Always emailed: people who are invited may not have an account yet. */
export const alwaysMailed: readonly NoticeTopic[] = ['invitations']

export const Notice = z.object({
  noticeId: Id,
  kind: z.string(),
  topic: NoticeTopic,
  title: z.string(),
  body: z.string(),
  /** What someone said, such as the reason for a rejection. */
  quote: z.string().nullable(),
  link: z.string().nullable(),
  createdAt: z.string(),
  /** How often it came up. */
  count: z.int(),
  read: z.boolean(),
})
export type Notice = z.infer<typeof Notice>

export const listNotices = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/notices',
  summary: 'List your notifications in the project, newest first (paginated)',
  access: anyInProject,
  cost: 'list',
  reads: ['notice', 'conversation'],
  params: ProjectParams,
  query: PageQuery.extend({ unread: z.stringbool().optional(), topic: NoticeTopic.optional() }),
  reply: z.object({
    notices: z.array(Notice),
    /** All of the person's in the project, whatever the filter. */
    unread: z.int(),
    /** Open conversations of the inbox with something that the person hasn't seen; 0 for someone without the inbox. */
    unreadInbox: z.int(),
    /** Whether the person wants open invitations (see home) to be shown too. */
    showsInvites: z.boolean(),
    pagination: Pagination,
  }),
  audit: null,
})
export const readNotice = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/notices/:noticeId/read',
  summary: 'Mark a notification as read',
  access: anyInProject,
  cost: 'light',
  changes: ['notice'],
  params: ProjectParams.extend({ noticeId: Id }),
  reply: z.object({}),
  errors: ['NOT_FOUND'],
  audit: { none: "a person's own mark" },
})
export const readAllNotices = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/notices/read-all',
  summary: 'Mark all your notifications in the project as read',
  access: anyInProject,
  cost: 'light',
  changes: ['notice'],
  params: ProjectParams,
  reply: Done,
  audit: { none: "a person's own mark" },
})

export const NoticePreferences = z.object({
  topics: z.array(z.object({ topic: NoticeTopic, inApp: z.boolean(), mail: z.boolean() })),
})
export type NoticePreferences = z.infer<typeof NoticePreferences>

export const noticePreferences = endpoint({
  method: 'GET',
  path: '/api/user/notice-preferences',
  summary: 'Get your notification settings for the app and email',
  access: anyUser,
  cost: 'light',
  reads: ['preference'],
  reply: NoticePreferences,
  audit: null,
})
export const setNoticePreference = endpoint({
  method: 'PUT',
  path: '/api/user/notice-preferences',
  summary: 'Choose how you get notifications about a topic. Invitations are always emailed',
  access: anyUser,
  cost: 'light',
  changes: ['preference'],
  body: z.object({ topic: NoticeTopic, inApp: z.boolean(), mail: z.boolean() }),
  reply: NoticePreferences,
  audit: { none: 'belongs to the person, not to an organization' },
})

/** What an email's `List-Unsubscribe` names (RFC 8058): email programs post to it, people open it. */
const UnsubscribeQuery = z.object({ token: z.string().max(200) })

export const unsubscribe = endpoint({
  method: 'POST',
  path: '/api/public/notices/unsubscribe',
  summary: 'Unsubscribe from the topics of an email with the signed link in its header, without logging in',
  access: everybody,
  cost: 'light',
  changes: ['preference'],
  query: UnsubscribeQuery,
  reply: z.object({ topics: z.array(NoticeTopic) }),
  errors: ['NOT_FOUND'],
  audit: { none: 'belongs to the person, not to an organization' },
})
export const unsubscribePage = endpoint({
  method: 'GET',
  path: '/api/public/notices/unsubscribe',
  summary: 'Redirect that link to the page that asks for confirmation. Opening it changes nothing',
  access: everybody,
  cost: 'light',
  reads: [],
  query: UnsubscribeQuery,
  reply: 'bytes',
  audit: null,
})
