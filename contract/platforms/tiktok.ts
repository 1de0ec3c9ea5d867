import { noDocuments } from './none.ts'
import type { PlatformRules } from './rules.ts'
import { findCommonSpans } from './spans.ts'

// Specification, section 9; privacy and interactions: developers.tiktok.com, content sharing guidelines (nothing is chosen for the person)
export const tiktok: PlatformRules = {
  key: 'tiktok',
  label: 'TikTok',
  app: null,
  findSpans: findCommonSpans,
  posts: [
    {
      postType: 'post',
      label: 'Post',
      title: { max: 90, required: false },
      text: { limits: [{ unit: 'utf16', max: 2200 }], required: false },
      images: { most: 35, bytes: 20_000_000, types: ['image/jpeg', 'image/webp'], altText: null },
      videos: {
        most: 1,
        bytes: 1_000_000_000,
        types: ['video/mp4', 'video/quicktime', 'video/webm'],
        seconds: { min: 3, max: 600 },
        least: { width: 360, height: 360 },
        thumbnail: 'required',
      },
      documents: noDocuments,
      mixedMedia: false,
      mediaRequired: true,
      thread: { most: 1 },
      linkCard: null,
      firstComment: null,
      details: [
        {
          field: 'privacy',
          required: true,
          options: [
            { value: 'PUBLIC_TO_EVERYONE', label: 'Everyone' },
            { value: 'MUTUAL_FOLLOW_FRIENDS', label: 'Friends' },
            { value: 'FOLLOWER_OF_CREATOR', label: 'Followers' },
            { value: 'SELF_ONLY', label: 'Only me' },
          ],
        },
        { field: 'interactions', required: false },
      ],
    },
  ],
}
