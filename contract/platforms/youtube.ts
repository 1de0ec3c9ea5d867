import { noDocuments, noImages } from './none.ts'
import type { DetailRule, PlatformRules, PostRules, VideoRules } from './rules.ts'
import { findCommonSpans } from './spans.ts'

// Specification, sections 2 and 9; Shorts, and < and > in title and description: developers.google.com/youtube/v3/docs/videos/insert
const details: readonly DetailRule[] = [
  {
    field: 'privacy',
    required: true,
    preset: 'public',
    options: [
      { value: 'public', label: 'Public' },
      { value: 'unlisted', label: 'Unlisted' },
      { value: 'private', label: 'Private' },
    ],
  },
  { field: 'categoryId', required: false },
  { field: 'playlistId', required: false },
  { field: 'madeForKids', required: true },
]
const videos: VideoRules = {
  most: 1,
  bytes: 8_000_000_000,
  types: [
    'video/mp4',
    'video/quicktime',
    'video/x-msvideo',
    'video/mpeg',
    'video/webm',
    'video/x-ms-wmv',
    'video/3gpp',
  ],
  seconds: { min: 1, max: 12 * 3600 },
  thumbnail: 'optional',
}
const common = {
  // it doesn't define a character, so this uses the reading that counts the most
  title: { max: 100, required: true, unit: 'utf16' },
  without: ['<', '>'],
  text: { limits: [{ unit: 'utf8bytes', max: 5000 }], required: false },
  images: noImages,
  documents: noDocuments,
  mixedMedia: false,
  mediaRequired: true,
  thread: { most: 1 },
  linkCard: null,
  firstComment: { max: 10_000 },
  details,
} as const satisfies Partial<PostRules>

export const youtube: PlatformRules = {
  key: 'youtube',
  label: 'YouTube',
  app: {
    register: { label: 'Google Cloud console', url: 'https://console.cloud.google.com/apis/credentials' },
    steps: [
      'Create a project and enable "YouTube Data API v3" and "YouTube Analytics API".',
      'Set up the OAuth consent screen for external users and add the scopes listed below.',
      'Create an OAuth client ID of type "Web application" and enter {redirect} under "Authorized redirect URIs".',
      'Copy the Client ID and the Client secret.',
      'While the consent screen is in testing, add each person as a test user; their sign-ins expire after 7 days.',
      "Videos from projects that Google hasn't audited stay private. Request the YouTube API Services audit.",
    ],
    clientId: 'Client ID',
    clientSecret: 'Client secret',
    scopes: [
      'https://www.googleapis.com/auth/youtube.upload',
      'https://www.googleapis.com/auth/youtube',
      'https://www.googleapis.com/auth/youtube.force-ssl',
      'https://www.googleapis.com/auth/yt-analytics.readonly',
    ],
    rights: {
      'https://www.googleapis.com/auth/youtube.upload': 'publish videos and set their thumbnails',
      'https://www.googleapis.com/auth/youtube': 'see the channel, add playlists and put videos into them',
      'https://www.googleapis.com/auth/youtube.force-ssl':
        'publish first comments, change and delete videos, and read, answer and moderate comments',
      'https://www.googleapis.com/auth/yt-analytics.readonly': 'show analytics',
    },
    publicHttps: false,
  },
  findSpans: findCommonSpans,
  posts: [
    { ...common, postType: 'video', label: 'Video', videos },
    {
      ...common,
      postType: 'shorts',
      label: 'Shorts',
      videos: { ...videos, seconds: { min: 1, max: 180 }, shape: 'upright' },
    },
  ],
}
