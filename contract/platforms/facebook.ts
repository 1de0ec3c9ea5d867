import { noDocuments, noImages } from './none.ts'
import type { PlatformRules, PostRules } from './rules.ts'
import { findCommonSpans } from './spans.ts'

// Specification, section 9; sizes of reels: developers.facebook.com, video-api/guides/reels-publishing
const GB = 1_000_000_000
const videoTypes = ['video/mp4', 'video/quicktime'] as const
const common = { title: null, documents: noDocuments, mixedMedia: false, thread: { most: 1 }, linkCard: null } as const satisfies Partial<PostRules>

export const facebook: PlatformRules = {
  key: 'facebook',
  label: 'Facebook',
  app: null,
  findSpans: findCommonSpans,
  posts: [
    {
      ...common,
      postType: 'post',
      label: 'Post',
      text: { limits: [{ unit: 'characters', max: 60_000 }], required: false },
      images: { most: 30, bytes: 8_000_000, types: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'], altText: { max: 1000 } },
      videos: { most: 1, bytes: 4 * GB, types: videoTypes, seconds: { min: 1, max: 4 * 3600 }, thumbnail: 'optional' },
      mediaRequired: false,
      firstComment: { max: 8000 },
      details: [
        { field: 'link', required: false, max: 2048 },
        { field: 'placeId', required: false },
      ],
    },
    {
      ...common,
      postType: 'reel',
      label: 'Reel',
      text: { limits: [{ unit: 'characters', max: 5000 }], required: false },
      images: noImages,
      videos: { most: 1, bytes: 4 * GB, types: videoTypes, seconds: { min: 3, max: 90 }, least: { width: 540, height: 960 }, thumbnail: 'optional', shape: 'upright' },
      mediaRequired: true,
      firstComment: { max: 8000 },
      details: [],
    },
    {
      ...common,
      postType: 'story',
      label: 'Story',
      text: { limits: [{ unit: 'characters', max: 255 }], required: false },
      images: { most: 1, bytes: 8_000_000, types: ['image/jpeg', 'image/png'], altText: null },
      videos: { most: 1, bytes: 4 * GB, types: videoTypes, seconds: { min: 3, max: 60 }, thumbnail: 'none' },
      mediaRequired: true,
      firstComment: null,
      details: [],
    },
  ],
}
