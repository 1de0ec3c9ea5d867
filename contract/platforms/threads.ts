import { metaFilm } from './metaFilm.ts'
import { noDocuments } from './none.ts'
import type { PlatformRules } from './rules.ts'
import { findCommonSpans } from './spans.ts'

// Decisions (Threads 500 and 20); counting and links: developers.facebook.com/docs/threads/posts
export const threads: PlatformRules = {
  key: 'threads',
  label: 'Threads',
  app: {
    register: { label: 'Meta for Developers', url: 'https://developers.facebook.com/apps' },
    steps: [
      'Create an app with the use case "Access the Threads API".',
      'Add the permissions listed below to the use case.',
      'In the settings of the use case, enter {redirect} under "Redirect Callback URLs".',
      "Copy the Threads App ID and the Threads App secret from the same page. They aren't the same as those of the app itself.",
      "While the app is in development, invite each account as a Threads tester. For all other accounts, the app has to pass Meta's app review.",
    ],
    clientId: 'Threads App ID',
    clientSecret: 'Threads App secret',
    scopes: [
      'threads_basic',
      'threads_content_publish',
      'threads_delete',
      'threads_manage_replies',
      'threads_read_replies',
      'threads_manage_insights',
      'threads_manage_mentions',
      'threads_profile_discovery',
    ],
    rights: {
      threads_basic: 'see the profile',
      threads_content_publish: 'publish posts',
      threads_delete: 'delete posts',
      threads_manage_replies: 'answer and hide replies, and publish the rest of a thread and first comments',
      threads_read_replies: 'show replies, and confirm that the rest of a thread was published',
      threads_manage_mentions: 'show mentions',
      threads_manage_insights: 'show post metrics',
      threads_profile_discovery: 'compare with other accounts',
    },
    publicHttps: true,
  },
  findSpans: findCommonSpans,
  posts: [
    {
      postType: 'post',
      label: 'Post',
      title: null,
      text: { limits: [{ unit: 'emojibytes', max: 500, includes: 'link' }], required: false },
      images: {
        most: 20,
        bytes: 8_000_000,
        types: ['image/jpeg', 'image/png'],
        altText: { max: 1000 },
        shape: { narrowest: { label: '1:10', value: 1 / 10 }, widest: { label: '10:1', value: 10 } },
      },
      videos: {
        ...metaFilm,
        most: 20,
        bytes: 1_000_000_000,
        types: ['video/mp4', 'video/quicktime'],
        seconds: { min: 1, max: 300 },
        thumbnail: 'none',
      },
      documents: noDocuments,
      mixedMedia: true,
      mediaRequired: false,
      thread: { most: 25 },
      linkCard: null,
      firstComment: 'post',
      details: [{ field: 'link', required: false, max: 2048 }],
      most: { links: 5 },
    },
  ],
}
