import type { InboxRules } from '../inboxRules.ts'

// Lexicons app.bsky.notification.listNotifications, chat.bsky.convo.defs (1,000 graphemes)
const blueskyReply = { limit: { unit: 'shortened', max: 300 }, pictures: 4, edit: false, delete: true } as const
const blueskyClosed = {
  hide: "We can't hide replies on Bluesky. You can hide them for everyone in the Bluesky app.",
  delete: 'Only its author can delete this post on Bluesky.',
}
export const blueskyInbox: InboxRules = {
  kinds: {
    comment: {
      label: 'Replies',
      reply: blueskyReply,
      reactions: ['DEFAULT'],
      hide: false,
      delete: false,
      closed: blueskyClosed,
    },
    message: {
      label: 'Chat',
      reply: { limit: { unit: 'graphemes', max: 1000 }, pictures: 0, edit: false, delete: false },
      reactions: ['DEFAULT'],
      hide: false,
      delete: false,
      closed: {
        hide: "Bluesky can't hide messages.",
        delete: 'Bluesky deletes a message only for the person who deletes it.',
      },
      needs: ['transition:chat.bsky'],
    },
    mention: {
      label: 'Mentions and quotes',
      reply: blueskyReply,
      reactions: ['DEFAULT'],
      hide: false,
      delete: false,
      closed: blueskyClosed,
    },
  },
  closed: { review: 'Bluesky has no reviews.' },
}
