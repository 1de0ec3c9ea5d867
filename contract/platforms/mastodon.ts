import { noDocuments } from './none.ts'
import type { PlatformRules } from './rules.ts'
import { findSpans } from './fediverse.ts'
import type { InboxRules } from './inboxRules.ts'

// Decisions (500 and 4 unless the instance says otherwise); docs.joinmastodon.org, statuses, instance configuration, and
// the size of GIFs, also of still ones (user/posting);
// a content warning counts towards the text (mastodon/mastodon, status_length_validator.rb)
export const mastodon: PlatformRules = {
  key: 'mastodon',
  label: 'Mastodon',
  app: null,
  server: {
    label: 'Server',
    placeholder: 'mastodon.social',
    hint: 'The part after the last @ of your address.',
    wanted: 'Enter the server of your account, such as mastodon.social',
  },
  findSpans,
  addresses: 'written',
  posts: [
    {
      postType: 'post',
      label: 'Post',
      title: null,
      text: { limits: [{ unit: 'links23', max: 500, includes: 'contentWarning' }], required: false },
      images: {
        most: 4,
        bytes: 8_000_000,
        types: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
        altText: { max: 1500 },
        pixelsOf: { 'image/gif': 1280 * 720 },
        moves: { types: ['image/gif'] },
      },
      videos: {
        most: 1,
        bytes: 40_000_000,
        types: ['video/mp4', 'video/quicktime', 'video/webm'],
        seconds: { min: 0, max: 36_000 },
        thumbnail: 'none',
      },
      documents: noDocuments,
      mixedMedia: false,
      mediaRequired: false,
      thread: { most: 25 },
      linkCard: null,
      firstComment: 'post',
      details: [
        {
          field: 'privacy',
          required: true,
          preset: 'public',
          options: [
            { value: 'public', label: 'Public' },
            { value: 'unlisted', label: 'Quiet public' },
            { value: 'private', label: 'Followers' },
          ],
        },
        { field: 'contentWarning', required: false, max: 200 },
        { field: 'languages', required: false },
      ],
    },
  ],
}

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
