import { noDocuments } from './none.ts'
import type { PlatformRules } from './rules.ts'
import { findCommonSpans } from './spans.ts'

// Decisions (Threads 500 and 20); counting and links: developers.facebook.com/docs/threads/posts
export const threads: PlatformRules = {
  key: 'threads',
  label: 'Threads',
  app: null,
  findSpans: findCommonSpans,
  posts: [
    {
      postType: 'post',
      label: 'Post',
      title: null,
      text: { limits: [{ unit: 'emojibytes', max: 500 }], required: false },
      images: { most: 20, bytes: 8_000_000, types: ['image/jpeg', 'image/png'], altText: { max: 1000 } },
      videos: { most: 20, bytes: 1_000_000_000, types: ['video/mp4', 'video/quicktime'], seconds: { min: 1, max: 300 }, thumbnail: 'none' },
      documents: noDocuments,
      mixedMedia: true,
      mediaRequired: false,
      thread: { most: 25 },
      linkCard: null,
      firstComment: { max: 500 },
      details: [{ field: 'link', required: false, max: 2048 }],
      most: { links: 5 },
    },
  ],
}
