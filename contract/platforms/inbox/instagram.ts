import { META_MESSAGE_WINDOWS, type InboxRules } from '../inboxRules.ts'

// Instagram API: comments with hide and replies, conversations, mentioned_media; messages: 1,000 bytes of UTF-8
export const instagramInbox: InboxRules = {
  kinds: {
    comment: {
      label: 'Comments',
      reply: { limit: { unit: 'utf16', max: 2200 }, pictures: 0, edit: false, delete: true },
      reactions: [],
      hide: true,
      delete: true,
      closed: { react: "Instagram doesn't let tools like comments." },
    },
    message: {
      label: 'Direct messages',
      reply: {
        limit: { unit: 'utf8bytes', max: 1000 },
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
        hide: "Instagram can't hide messages.",
        delete: "Instagram doesn't let tools delete messages.",
      },
      // by Instagram's own sign-in; by Facebook's
      needs: ['instagram_business_manage_messages', 'instagram_manage_messages', 'pages_manage_metadata'],
    },
    mention: {
      label: 'Mentions',
      // comments on posts of others can't be read back, and only their owners delete them by the API
      reply: { limit: { unit: 'utf16', max: 2200 }, pictures: 0, mostPerItem: 1, edit: false, delete: false },
      reactions: [],
      hide: false,
      delete: false,
      closed: {
        react: "Instagram doesn't let tools like posts or comments.",
        hide: 'You can only hide comments on your own posts.',
        delete: 'Only its author can delete this on Instagram.',
      },
    },
  },
  closed: { review: 'Instagram has no reviews.' },
}
