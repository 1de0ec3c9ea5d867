import { noDocuments, noImages } from './none.ts'
import type { PlatformRules, PostRules } from './rules.ts'
import { findCommonSpans } from './spans.ts'

// Specification, section 9; sizes and frames of reels: developers.facebook.com, video-api/guides/reels-publishing. It
// doesn't say which codecs it refuses.
const GB = 1_000_000_000
const film = {
  types: ['video/mp4', 'video/quicktime'],
  codecs: { video: ['avc', 'hevc'], audio: ['aac'], unsure: true },
} as const
const common = {
  title: null,
  documents: noDocuments,
  mixedMedia: false,
  thread: { most: 1 },
  linkCard: null,
} as const satisfies Partial<PostRules>

export const facebook: PlatformRules = {
  key: 'facebook',
  label: 'Facebook',
  app: {
    register: { label: 'Meta for Developers', url: 'https://developers.facebook.com/apps' },
    steps: [
      'Create an app with the use case "Manage everything on your Page".',
      'Add the permissions listed below to the use case. For Ad Manager, add the use case "Create & manage ads" as well.',
      'Under Facebook Login for Business, Settings, enter {redirect} as a "Valid OAuth Redirect URI".',
      'To let people search for places to tag, request the feature "Page Public Metadata Access" in App Review. Without it, they have to enter a place\'s ID.',
      'Leave "Require app secret" off in the advanced settings.',
      'Copy the App ID and the App secret from App settings, Basic.',
      "While the app is in development, only people with a role in it can connect their Pages. For everyone else, the app has to pass Meta's app review.",
    ],
    clientId: 'App ID',
    clientSecret: 'App secret',
    scopes: [
      'pages_show_list',
      'pages_read_engagement',
      'pages_manage_posts',
      'pages_manage_engagement',
      'pages_read_user_content',
      'read_insights',
      'business_management',
      'pages_messaging',
      'pages_manage_metadata',
    ],
    variants: [
      { value: 'page', label: 'Facebook Page', description: 'Publish to Pages that you manage.' },
      {
        value: 'ads',
        label: 'Ad Manager',
        description: 'Publish to Pages that you manage, and promote their posts from your ad accounts.',
      },
    ],
    rights: {
      pages_show_list: 'list your Pages',
      pages_read_engagement: 'confirm that posts were published',
      pages_manage_posts: 'publish posts, videos and reels',
      pages_manage_engagement: 'publish first comments',
      pages_read_user_content: 'show comments, and confirm that first comments were published',
      pages_messaging: 'show and answer messages',
      pages_manage_metadata: 'get notified about new comments and messages',
      read_insights: 'show post metrics',
      business_management: 'list Pages that belong to a business portfolio',
      ads_management: 'promote posts',
      ads_read: 'show your ad accounts',
      CREATE_CONTENT: "publish to this Page because your role on it doesn't allow it",
    },
    publicHttps: true,
  },
  promotion: { variant: 'ads' },
  findSpans: findCommonSpans,
  posts: [
    {
      ...common,
      postType: 'post',
      label: 'Post',
      text: { limits: [{ unit: 'characters', max: 60_000, includes: 'link' }], required: false },
      images: {
        most: 30,
        bytes: 8_000_000,
        types: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
        altText: { max: 1000 },
      },
      videos: { ...film, most: 1, bytes: 4 * GB, seconds: { min: 1, max: 4 * 3600 }, thumbnail: 'optional' },
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
      videos: {
        ...film,
        most: 1,
        bytes: 4 * GB,
        seconds: { min: 3, max: 90 },
        frameRate: { min: 24, max: 60 },
        least: { width: 540, height: 960 },
        thumbnail: 'optional',
        shape: 'upright',
      },
      mediaRequired: true,
      firstComment: { max: 8000 },
      details: [],
    },
    {
      ...common,
      postType: 'story',
      label: 'Story',
      text: { limits: [{ unit: 'characters', max: 255 }], required: false, unseen: true },
      images: { most: 1, bytes: 8_000_000, types: ['image/jpeg', 'image/png'], altText: null },
      videos: { ...film, most: 1, bytes: 4 * GB, seconds: { min: 3, max: 60 }, thumbnail: 'none' },
      mediaRequired: true,
      firstComment: null,
      details: [],
    },
  ],
}
