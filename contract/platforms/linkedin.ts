import type { PlatformRules } from './rules.ts'
import { findCommonSpans } from './spans.ts'

// Specification, section 9; video sizes: learn.microsoft.com, community-management/shares/videos-api
export const linkedin: PlatformRules = {
  key: 'linkedin',
  label: 'LinkedIn',
  app: {
    register: { label: 'LinkedIn Developers', url: 'https://www.linkedin.com/developers/apps' },
    steps: [
      'Create an app, name a LinkedIn Page for it, and let an admin of that Page verify it.',
      'Under Products, request "Share on LinkedIn" and "Sign In with LinkedIn using OpenID Connect". With these two, profiles can be connected.',
      'To connect Pages as well, request the "Community Management API". LinkedIn reviews that.',
      'Under Auth, enter {redirect} as an "Authorized redirect URL for your app".',
      'Copy the Client ID and the Primary Client Secret from the same page.',
    ],
    clientId: 'Client ID',
    clientSecret: 'Primary Client Secret',
    scopes: [
      'openid',
      'profile',
      'w_member_social',
      'w_organization_social',
      'r_organization_social',
      'rw_organization_admin',
      'w_member_social_feed',
      'w_organization_social_feed',
      'r_member_postAnalytics',
    ],
    variants: [
      {
        value: 'pages',
        label: 'Profile and Pages',
        description:
          'Publish to your profile and to Pages that you administer. The app needs the Community Management API.',
      },
      { value: 'profile', label: 'Profile only', description: 'Publish to your own profile. Any app can do that.' },
    ],
    rights: {
      openid: 'see who you are',
      profile: 'see your name and picture',
      w_member_social: 'publish to your profile',
      w_organization_social: 'publish to Pages',
      r_organization_social: 'check that posts of Pages have arrived, and show their figures',
      rw_organization_admin: 'list your Pages',
      w_member_social_feed: 'publish first comments on your profile',
      w_organization_social_feed: 'publish first comments on Pages',
      r_member_postAnalytics: 'show the figures of posts on your profile',
    },
    publicHttps: false,
  },
  findSpans: findCommonSpans,
  posts: [
    {
      postType: 'post',
      label: 'Post',
      title: null,
      text: { limits: [{ unit: 'characters', max: 3000 }], required: false },
      images: { most: 20, bytes: 8_000_000, types: ['image/jpeg', 'image/png', 'image/gif'], altText: { max: 4086 } },
      videos: {
        most: 1,
        bytes: 500_000_000,
        types: ['video/mp4'],
        seconds: { min: 3, max: 1800 },
        thumbnail: 'optional',
      },
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
