import { noDocuments } from './none.ts'
import type { PlatformRules } from './rules.ts'
import { findCommonSpans } from './spans.ts'

// Specification, section 9; content types: github.com/pinterest/api-description, v5
export const pinterest: PlatformRules = {
  key: 'pinterest',
  label: 'Pinterest',
  app: {
    register: { label: 'Pinterest Developers', url: 'https://developers.pinterest.com/apps/' },
    steps: [
      'Use a business account. Choose "Connect app" and describe what the app is for.',
      'Wait for trial access, then open the app and choose "Configure".',
      'Enter {redirect} under "Redirect URIs".',
      'Copy the App ID and the App secret key from the same page.',
      'While the app has trial access, its Pins are seen by their maker only. Ask for standard access with a video of signing in and publishing.',
    ],
    clientId: 'App ID',
    clientSecret: 'App secret key',
    scopes: ['boards:read', 'boards:write', 'pins:read', 'pins:write', 'user_accounts:read'],
    rights: {
      'boards:read': 'list the boards',
      'boards:write': 'add Pins to boards',
      'pins:read': 'check that Pins have arrived, and show their figures',
      'pins:write': 'publish, change and delete Pins',
      'user_accounts:read': 'see the account',
    },
    publicHttps: false,
  },
  findSpans: findCommonSpans,
  posts: [
    {
      postType: 'pin',
      label: 'Pin',
      title: { max: 100, required: true },
      text: { limits: [{ unit: 'characters', max: 800 }], required: true },
      images: { most: 5, bytes: 10_000_000, types: ['image/jpeg', 'image/png'], altText: { max: 500 } },
      videos: {
        most: 1,
        bytes: 2_000_000_000,
        types: ['video/mp4', 'video/quicktime'],
        seconds: { min: 4, max: 1800 },
        thumbnail: 'required',
      },
      documents: noDocuments,
      mixedMedia: false,
      mediaRequired: true,
      thread: { most: 1 },
      linkCard: null,
      firstComment: null,
      details: [
        { field: 'boardId', required: true },
        { field: 'link', required: false, max: 2048 },
      ],
    },
  ],
}
