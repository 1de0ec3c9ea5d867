import { noDocuments, noVideos } from './none.ts'
import type { DetailRule, PlatformRules, PostRules } from './rules.ts'
import { findCommonSpans } from './spans.ts'

// developers.google.com/my-business, LocalPost: one photo of 10 KB to 5 MB given by URL, 1,500 characters, 58 for a
// title, no action on offers
const callToAction: DetailRule = {
  field: 'callToAction',
  required: false,
  options: [
    { value: 'BOOK', label: 'Book' },
    { value: 'ORDER', label: 'Order online' },
    { value: 'SHOP', label: 'Buy' },
    { value: 'LEARN_MORE', label: 'Learn more' },
    { value: 'SIGN_UP', label: 'Sign up' },
    { value: 'CALL', label: 'Call now' },
  ],
}
const common = {
  images: { most: 1, bytes: 5_000_000, leastBytes: 10_240, types: ['image/jpeg', 'image/png'], altText: null },
  videos: noVideos,
  documents: noDocuments,
  mixedMedia: false,
  mediaRequired: false,
  thread: { most: 1 },
  linkCard: null,
  firstComment: null,
} as const satisfies Partial<PostRules>

export const googlemybusiness: PlatformRules = {
  key: 'googlemybusiness',
  label: 'Google Business Profile',
  app: {
    register: { label: 'Google Cloud console', url: 'https://console.cloud.google.com/apis/credentials' },
    steps: [
      "Create a project and request access to the Business Profile APIs with Google's form. Until it's granted, the quota is 0.",
      'Enable "Google My Business API", "My Business Account Management API" and "My Business Business Information API" in the library.',
      'Set up the OAuth consent screen for external users and add the scope listed below.',
      'Create an OAuth client ID of type "Web application" and enter {redirect} under "Authorized redirect URIs".',
      'Copy the Client ID and the Client secret.',
      'While the consent screen is in testing, add each person as a test user; their sign-ins expire after 7 days.',
    ],
    clientId: 'Client ID',
    clientSecret: 'Client secret',
    scopes: ['https://www.googleapis.com/auth/business.manage'],
    rights: {
      'https://www.googleapis.com/auth/business.manage':
        'list locations, publish, change and delete posts, and read and answer reviews',
      LOCAL_POSTS: "publish to this location because Google doesn't let it post through its API",
    },
    publicHttps: true,
  },
  findSpans: findCommonSpans,
  posts: [
    {
      ...common,
      postType: 'update',
      label: 'Update',
      title: null,
      text: { limits: [{ unit: 'characters', max: 1500 }], required: true },
      details: [callToAction],
    },
    {
      ...common,
      postType: 'offers',
      label: 'Offer',
      title: { max: 58, required: true },
      text: { limits: [{ unit: 'characters', max: 1500 }], required: false },
      details: [
        { field: 'event', required: true },
        { field: 'offer', required: false },
      ],
    },
    {
      ...common,
      postType: 'events',
      label: 'Event',
      title: { max: 58, required: true },
      text: { limits: [{ unit: 'characters', max: 1500 }], required: false },
      details: [{ field: 'event', required: true }, callToAction],
    },
  ],
}
