import { noDocuments } from './none.ts'
import type { PlatformRules } from './rules.ts'
import { findSpans } from './fediverse.ts'

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
  addresses: 'known',
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
