import type { InboxRules } from '../inboxRules.ts'

// X API v2: users/:id/mentions, tweets/:id/hidden; replies since 2026-02-23 only where the author mentions or quotes the
// account; prices of August 2026: $0.005 for a post, $0.010 for its author and for whom it answers
export const xInbox: InboxRules = {
  kinds: {
    comment: {
      label: 'Replies',
      reply: {
        limit: { unit: 'weighted', max: 280, verified: 25_000 },
        pictures: 0,
        edit: false,
        delete: true,
        price: 0.01,
      },
      reactions: [],
      hide: true,
      delete: false,
      closed: {
        react: "X doesn't let tools like posts.",
        delete: 'Only its author can delete a reply on X. You can hide it.',
      },
    },
    mention: {
      label: 'Mentions',
      reply: {
        limit: { unit: 'weighted', max: 280, verified: 25_000 },
        pictures: 0,
        edit: false,
        delete: true,
        price: 0.01,
      },
      reactions: [],
      hide: false,
      delete: false,
      closed: {
        react: "X doesn't let tools like posts.",
        hide: 'You can only hide replies to your own posts.',
        delete: 'Only its author can delete this post on X.',
      },
    },
    // docs.x.com, direct messages: what is sent costs $0.015
    message: {
      label: 'Direct messages',
      reply: {
        limit: { unit: 'characters', max: 10_000 },
        pictures: 0,
        edit: false,
        delete: false,
        price: 0.015,
      },
      reactions: [],
      hide: false,
      delete: false,
      closed: {
        react: "X doesn't let tools react to messages.",
        hide: "Messages can't be hidden on X.",
        delete: "X doesn't let tools delete messages of others.",
      },
      needs: ['dm.read'],
    },
  },
  closed: {
    review: 'X has no reviews.',
  },
  readPrice: 0.025,
}
