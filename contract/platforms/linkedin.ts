import type { PlatformRules } from './rules.ts'
import { findCommonSpans } from './spans.ts'

// Specification, section 9; video sizes: learn.microsoft.com, community-management/shares/videos-api
export const linkedin: PlatformRules = {
  key: 'linkedin',
  label: 'LinkedIn',
  app: null,
  findSpans: findCommonSpans,
  posts: [
    {
      postType: 'post',
      label: 'Post',
      title: null,
      text: { limits: [{ unit: 'characters', max: 3000 }], required: false },
      images: { most: 20, bytes: 8_000_000, types: ['image/jpeg', 'image/png', 'image/gif'], altText: { max: 4086 } },
      videos: { most: 1, bytes: 500_000_000, types: ['video/mp4'], seconds: { min: 3, max: 1800 }, thumbnail: 'optional' },
      documents: { most: 1, bytes: 100_000_000, types: ['application/pdf'], pages: 300 },
      mixedMedia: false,
      mediaRequired: false,
      thread: { most: 1 },
      linkCard: { title: 400, description: 4086 },
      firstComment: { max: 1250 },
      details: [],
    },
  ],
}
