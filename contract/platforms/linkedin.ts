import type { AppSetup, PlatformRules } from './rules.ts'
import { findCommonSpans } from './spans.ts'

// Specification, section 9; video sizes: learn.microsoft.com, community-management/shares/videos-api, which doesn't say
// which codecs; pixels of images and frames of GIFs: images-api
const register = { label: 'LinkedIn Developers', url: 'https://www.linkedin.com/developers/apps' }
const createApp = 'Create an app, link it to a LinkedIn Page, and have an admin of that Page verify the app.'
const allowRedirect = 'Under Auth, enter {redirect} under "Authorized redirect URLs for your app".'
const copyValues = 'Copy the Client ID and the Primary Client Secret from the same page.'
const rights = {
  openid: 'see who you are',
  profile: 'see your name and picture',
  r_basicprofile: 'see your name and picture',
  w_member_social: 'publish to your profile',
  w_organization_social: 'publish to Pages',
  r_organization_social: 'confirm that Page posts were published, and show their metrics',
  r_organization_social_feed: 'read comments on Pages, and confirm that first comments were published',
  rw_organization_admin: 'list your Pages, and see where someone commented or mentioned them',
  w_member_social_feed: 'publish first comments on your profile',
  w_organization_social_feed: 'publish first comments on Pages, and answer, react to and delete comments',
  r_member_postAnalytics: 'show metrics of posts on your profile',
}

// Which product grants what: learn.microsoft.com, linkedin/shared/authentication/getting-access and
// linkedin/marketing/increasing-access. Asking for one permission that an app doesn't have makes LinkedIn refuse the
// whole sign-in.
const profileApp: AppSetup = {
  label: 'LinkedIn profiles',
  register,
  steps: [
    createApp,
    'Under Products, add "Share on LinkedIn" and "Sign In with LinkedIn using OpenID Connect". LinkedIn grants both immediately.',
    allowRedirect,
    copyValues,
    'Pages need a second app because LinkedIn doesn\'t allow other products alongside the Community Management API. See "LinkedIn Pages" in this list.',
  ],
  clientId: 'Client ID',
  clientSecret: 'Primary Client Secret',
  scopes: ['openid', 'profile', 'w_member_social'],
  variants: [
    { value: 'profile', label: 'Profile', description: 'Publish to your own profile.' },
    {
      value: 'pages',
      label: 'Pages',
      description: 'Publish to Pages that you administer, and to your profile with its figures.',
      appOf: 'linkedin_pages',
    },
  ],
  rights,
  publicHttps: false,
}
const pagesApp: AppSetup = {
  label: 'LinkedIn Pages',
  register,
  steps: [
    `${createApp} Don't reuse the app for LinkedIn profiles.`,
    'Under Products, request the "Community Management API" and nothing else: LinkedIn grants it only to an app without other products. LinkedIn reviews the request.',
    allowRedirect,
    copyValues,
  ],
  clientId: 'Client ID',
  clientSecret: 'Primary Client Secret',
  scopes: [
    'r_basicprofile',
    'w_member_social',
    'w_member_social_feed',
    'r_member_postAnalytics',
    'rw_organization_admin',
    'r_organization_social',
    'r_organization_social_feed',
    'w_organization_social',
    'w_organization_social_feed',
  ],
  rights,
  publicHttps: false,
}

export const linkedin: PlatformRules = {
  key: 'linkedin',
  label: 'LinkedIn',
  app: profileApp,
  otherApps: [{ key: 'linkedin_pages', setup: pagesApp }],
  findSpans: findCommonSpans,
  posts: [
    {
      postType: 'post',
      label: 'Post',
      title: null,
      text: { limits: [{ unit: 'characters', max: 3000 }], required: false },
      images: {
        most: 20,
        bytes: 8_000_000,
        types: ['image/jpeg', 'image/png', 'image/gif'],
        altText: { max: 4086 },
        // fewer than 36,152,320
        pixels: 36_152_319,
        moves: { types: ['image/gif'], frames: 250 },
      },
      videos: {
        most: 1,
        bytes: 500_000_000,
        types: ['video/mp4'],
        seconds: { min: 3, max: 1800 },
        thumbnail: 'optional',
        codecs: { video: ['avc'], audio: ['aac'], unsure: true },
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
