import { noDocuments } from './none.ts'
import type { PlatformRules } from './rules.ts'
import { findCommonSpans } from './spans.ts'

// Commercial content and consent: developers.tiktok.com, content-sharing-guidelines, "Required UX Implementation in Your App"
// Specification, section 9; "maximum 1080p" of pictures: developers.tiktok.com, content-posting-api-media-transfer-guide; privacy and interactions: developers.tiktok.com, content sharing guidelines (nothing is chosen for the person)
export const tiktok: PlatformRules = {
  key: 'tiktok',
  label: 'TikTok',
  app: {
    register: { label: 'TikTok for Developers', url: 'https://developers.tiktok.com/apps' },
    steps: [
      'Choose "Connect an app" and fill in its description, terms and privacy policy.',
      'Add the products "Login Kit" and "Content Posting API", and switch on "Direct Post".',
      'Enter {redirect} as the redirect URI of Login Kit for the web.',
      'Add the scopes listed below.',
      'Under "URL properties", verify the URL of this Rookery installation. TikTok only fetches images from verified URLs.',
      'Copy the Client key and the Client secret from the top of the page, and submit the app for review.',
      "Then apply for the audit of the Content Posting API with a recording of the composer. It has what TikTok's Content Sharing Guidelines require: the account, who can see the post, interactions, commercial content and the consent. Until the audit is passed, the app may post for 5 private accounts a day, and only they can see the posts.",
    ],
    clientId: 'Client key',
    clientSecret: 'Client secret',
    scopes: ['user.info.basic', 'user.info.stats', 'video.publish', 'video.list'],
    rights: {
      'user.info.basic': 'see the account',
      'user.info.stats': 'show analytics',
      'video.publish': 'publish posts',
      'video.list': 'confirm that posts were published, and show their metrics',
    },
    publicHttps: true,
  },
  findSpans: findCommonSpans,
  posts: [
    {
      postType: 'post',
      label: 'Post',
      title: { max: 90, required: false, unit: 'utf16' },
      text: { limits: [{ unit: 'utf16', max: 2200, includes: 'title' }], required: false },
      images: {
        most: 35,
        bytes: 20_000_000,
        types: ['image/jpeg', 'image/webp'],
        altText: null,
        largest: { longer: 1920, shorter: 1080 },
      },
      videos: {
        most: 1,
        bytes: 1_000_000_000,
        types: ['video/mp4', 'video/quicktime', 'video/webm'],
        seconds: { min: 3, max: 600 },
        least: { width: 360, height: 360 },
        thumbnail: 'required',
        // content-posting-api-media-transfer-guide
        codecs: { video: ['avc', 'hevc', 'vp8', 'vp9'] },
        frameRate: { min: 23, max: 60 },
        largest: { longer: 4096, shorter: 4096 },
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
          narrowedBy: 'creator',
          options: [
            { value: 'PUBLIC_TO_EVERYONE', label: 'Everyone' },
            { value: 'MUTUAL_FOLLOW_FRIENDS', label: 'Friends' },
            { value: 'FOLLOWER_OF_CREATOR', label: 'Followers' },
            {
              value: 'SELF_ONLY',
              label: 'Only me',
              barredBy: {
                disclosure: 'brandedContent',
                problem: 'branded-content-private',
              },
            },
          ],
        },
        // photos support neither (content-posting-api-reference-photo-post); what the account has turned off can't be
        // chosen
        {
          field: 'interactions',
          required: false,
          narrowedBy: 'creator',
          options: [
            { value: 'comment', label: 'Comment' },
            { value: 'duet', label: 'Duet', with: 'video' },
            { value: 'stitch', label: 'Stitch', with: 'video' },
          ],
        },
        {
          field: 'disclosure',
          required: false,
          options: [
            {
              value: 'yourBrand',
              label: 'Your brand',
              hint: 'You are promoting yourself or your own business.',
              shownAs: 'Promotional content',
            },
            {
              value: 'brandedContent',
              label: 'Branded content',
              hint: 'You are promoting another brand or a third party.',
              shownAs: 'Paid partnership',
            },
          ],
        },
      ],
      consent: [
        {
          label: 'Branded Content Policy',
          url: 'https://www.tiktok.com/legal/page/global/bc-policy/en',
          with: 'brandedContent',
        },
        {
          label: 'Music Usage Confirmation',
          url: 'https://www.tiktok.com/legal/page/global/music-usage-confirmation/en',
        },
      ],
    },
  ],
}
