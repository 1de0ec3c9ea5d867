import { META_MESSAGE_WINDOWS, type InboxRules } from '../inboxRules.ts'

// Graph API: comments with is_hidden, conversations of a Page, /tagged; Send API: 2,000 characters
export const facebookInbox: InboxRules = {
  kinds: {
    comment: {
      label: 'Comments',
      reply: { limit: { unit: 'characters', max: 8000 }, pictures: 1, edit: true, delete: true },
      reactions: ['LIKE'],
      hide: true,
      delete: true,
    },
    message: {
      label: 'Messenger',
      reply: {
        limit: { unit: 'characters', max: 2000 },
        // a message holds text or a picture: both would be two sends
        pictures: 0,
        windows: META_MESSAGE_WINDOWS,
        edit: false,
        delete: false,
      },
      reactions: ['DEFAULT'],
      hide: false,
      delete: false,
      closed: {
        hide: "Facebook can't hide messages.",
        delete: "Facebook doesn't let Pages delete messages from another tool.",
      },
      needs: ['pages_messaging', 'pages_manage_metadata'],
    },
    mention: {
      label: 'Mentions',
      reply: { limit: { unit: 'characters', max: 8000 }, pictures: 1, edit: true, delete: true },
      reactions: ['LIKE'],
      hide: false,
      delete: false,
      closed: {
        hide: 'You can only hide comments on your own posts.',
        delete: 'Only its author can delete this post on Facebook.',
      },
    },
  },
  closed: { review: "Facebook doesn't let tools read recommendations." },
}
