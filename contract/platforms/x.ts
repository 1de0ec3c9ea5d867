import { noDocuments } from './none.ts'
import type { PlatformRules } from './rules.ts'
import { findCommonSpans } from './spans.ts'

// Specification, section 9; video length: docs.x.com, media best practices
export const x: PlatformRules = {
  key: 'x',
  label: 'X',
  app: null,
  findSpans: findCommonSpans,
  posts: [
    {
      postType: 'post',
      label: 'Post',
      title: null,
      text: { limits: [{ unit: 'weighted', max: 280, verified: 25_000 }], required: false },
      images: { most: 4, bytes: 5_000_000, types: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'], altText: { max: 1000 } },
      videos: { most: 1, bytes: 512_000_000, types: ['video/mp4', 'video/quicktime'], seconds: { min: 0.5, max: 140 }, thumbnail: 'none' },
      documents: noDocuments,
      mixedMedia: true,
      mediaRequired: false,
      thread: { most: 25 },
      linkCard: null,
      firstComment: { max: 280 },
      details: [],
    },
  ],
}
