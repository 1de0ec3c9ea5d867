import { noDocuments } from './none.ts'
import type { PlatformRules } from './rules.ts'
import { findCommonSpans } from './spans.ts'

// Specification, section 9; content types: github.com/pinterest/api-description, v5
export const pinterest: PlatformRules = {
  key: 'pinterest',
  label: 'Pinterest',
  app: null,
  findSpans: findCommonSpans,
  posts: [
    {
      postType: 'pin',
      label: 'Pin',
      title: { max: 100, required: true },
      text: { limits: [{ unit: 'characters', max: 800 }], required: true },
      images: { most: 5, bytes: 10_000_000, types: ['image/jpeg', 'image/png'], altText: { max: 500 } },
      videos: { most: 1, bytes: 2_000_000_000, types: ['video/mp4', 'video/quicktime'], seconds: { min: 4, max: 1800 }, thumbnail: 'required' },
      documents: noDocuments,
      mixedMedia: false,
      mediaRequired: true,
      thread: { most: 1 },
      linkCard: null,
      firstComment: null,
      details: [
        { field: 'boardId', required: true },
        { field: 'link', required: false, max: 2048 },
      ],
    },
  ],
}
