/* In a module of their own: the router of every page needs them, and nothing else of the inbox. */
export const inboxViews = [
  'open',
  'unread',
  'mine',
  'unassigned',
  'waiting',
  'follow-up',
  'not-sent',
  'closed',
  'all',
] as const
export type InboxView = (typeof inboxViews)[number]
