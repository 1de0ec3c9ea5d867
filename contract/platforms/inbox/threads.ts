import type { InboxRules } from '../inboxRules.ts'

// Threads API: replies, manage_reply (top level only), mentions
export const threadsInbox: InboxRules = {
  kinds: {
    comment: {
      label: 'Replies',
      reply: { limit: { unit: 'emojibytes', max: 500 }, pictures: 10, edit: false, delete: true },
      reactions: [],
      hide: true,
      delete: false,
      closed: {
        react: "Threads doesn't let tools like replies.",
        delete: 'Only its author can delete a reply on Threads. You can hide it.',
      },
    },
    mention: {
      label: 'Mentions',
      reply: { limit: { unit: 'emojibytes', max: 500 }, pictures: 10, edit: false, delete: true },
      reactions: [],
      hide: false,
      delete: false,
      closed: {
        react: "Threads doesn't let tools like posts.",
        hide: 'You can only hide replies to your own posts.',
        delete: 'Only its author can delete this post on Threads.',
      },
      needs: ['threads_manage_mentions'],
    },
  },
  closed: { message: "Threads doesn't let tools read messages.", review: 'Threads has no reviews.' },
}
