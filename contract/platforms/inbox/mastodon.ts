import type { InboxRules } from '../inboxRules.ts'

// docs.joinmastodon.org: notifications, statuses, favourites; a direct message is a status that only those mentioned see
const mastodonReply = {
  limit: { unit: 'links23', max: 500 },
  pictures: 4,
  mentionsAnswered: true,
  edit: true,
  delete: true,
} as const
const mastodonClosed = {
  hide: "Mastodon can't hide replies. You can mute or block the account there.",
  delete: 'Only its author can delete this post on Mastodon.',
}
export const mastodonInbox: InboxRules = {
  kinds: {
    comment: {
      label: 'Replies',
      reply: mastodonReply,
      reactions: ['DEFAULT'],
      hide: false,
      delete: false,
      closed: mastodonClosed,
      needs: ['read:notifications'],
    },
    message: {
      label: 'Private mentions',
      reply: mastodonReply,
      reactions: ['DEFAULT'],
      hide: false,
      delete: false,
      closed: mastodonClosed,
      needs: ['read:notifications'],
    },
    mention: {
      label: 'Mentions',
      reply: mastodonReply,
      reactions: ['DEFAULT'],
      hide: false,
      delete: false,
      closed: mastodonClosed,
      needs: ['read:notifications'],
    },
  },
  closed: { review: 'Mastodon has no reviews.' },
}
