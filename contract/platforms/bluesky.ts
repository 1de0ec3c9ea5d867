import { findSpans } from './blueskySpans.ts'
import { noDocuments } from './none.ts'
import type { PlatformRules } from './rules.ts'

export const bluesky: PlatformRules = {
  key: 'bluesky',
  label: 'Bluesky',
  app: null,
  server: {
    label: 'Handle or server',
    placeholder: 'name.bsky.social',
    hint: 'Leave empty for an account on bsky.social.',
    wanted: null,
  },
  findSpans,
  posts: [
    {
      postType: 'post',
      label: 'Post',
      title: null,
      text: {
        limits: [
          { unit: 'shortened', max: 300 },
          { unit: 'shortenedbytes', max: 3000 },
        ],
        required: false,
      },
      images: { most: 4, bytes: 2_000_000, types: ['image/jpeg', 'image/png'], altText: { max: 2000 } },
      // its video service doesn't say which codecs it reads
      videos: {
        most: 1,
        bytes: 50_000_000,
        types: ['video/mp4'],
        seconds: { min: 0, max: 90 },
        thumbnail: 'none',
        codecs: { video: ['avc'], audio: ['aac'], unsure: true },
      },
      documents: noDocuments,
      mixedMedia: false,
      mediaRequired: false,
      thread: { most: 25 },
      linkCard: { title: 100, description: 300 },
      firstComment: 'post',
      details: [],
    },
  ],
}
