import { noDocuments, noImages } from './none.ts'
import type { PlatformRules, PostRules } from './rules.ts'
import { findCommonSpans } from './spans.ts'

// Specification, section 9; sizes of video, hashtags and mentions: developers.facebook.com, instagram-graph-api/reference/ig-user/media
const videoTypes = ['video/mp4', 'video/quicktime'] as const
const most = { hashtags: 30, mentions: 20 }
const common = { title: null, documents: noDocuments, thread: { most: 1 }, linkCard: null, mediaRequired: true } as const satisfies Partial<PostRules>

export const instagram: PlatformRules = {
  key: 'instagram',
  label: 'Instagram',
  app: null,
  findSpans: findCommonSpans,
  posts: [
    {
      ...common,
      postType: 'post',
      label: 'Post',
      text: { limits: [{ unit: 'characters', max: 2200 }], required: false },
      images: { most: 10, bytes: 8_000_000, types: ['image/jpeg'], altText: { max: 1000 } },
      videos: { most: 10, bytes: 300_000_000, types: videoTypes, seconds: { min: 3, max: 900 }, thumbnail: 'optional' },
      mixedMedia: true,
      firstComment: { max: 2200 },
      details: [
        { field: 'peopleTags', required: false },
        { field: 'placeId', required: false },
      ],
      most,
    },
    {
      ...common,
      postType: 'reel',
      label: 'Reel',
      text: { limits: [{ unit: 'characters', max: 2200 }], required: false },
      images: noImages,
      videos: { most: 1, bytes: 300_000_000, types: videoTypes, seconds: { min: 3, max: 900 }, thumbnail: 'optional', shape: 'upright' },
      mixedMedia: false,
      firstComment: { max: 2200 },
      details: [
        { field: 'peopleTags', required: false },
        { field: 'placeId', required: false },
      ],
      most,
    },
    {
      ...common,
      postType: 'story',
      label: 'Story',
      text: { limits: [{ unit: 'characters', max: 125 }], required: false },
      images: { most: 1, bytes: 8_000_000, types: ['image/jpeg'], altText: null },
      videos: { most: 1, bytes: 100_000_000, types: videoTypes, seconds: { min: 3, max: 60 }, thumbnail: 'none' },
      mixedMedia: false,
      firstComment: null,
      details: [],
    },
  ],
}
