import { noDocuments } from './none.ts'
import type { PlatformRules } from './rules.ts'
import { findCommonSpans } from './spans.ts'

// Specification, section 9; content types: github.com/pinterest/api-description, v5; encoding: help.pinterest.com, video
// Pins
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
      "With trial access an app can't create Pins for real: Pinterest refuses them. Turn on the sandbox below and record signing in and publishing there; only you see those Pins. The sandbox takes no videos.",
      'Request standard access with that recording. Once Pinterest grants it, turn the sandbox off and reconnect the channels.',
    ],
    clientId: 'App ID',
    clientSecret: 'App secret key',
    scopes: ['boards:read', 'boards:write', 'pins:read', 'pins:write', 'user_accounts:read'],
    rights: {
      'boards:read': 'list the boards',
      'boards:write': 'add Pins to boards',
      'pins:read': 'confirm that Pins were published, and show their metrics',
      'pins:write': 'publish, change and delete Pins',
      'user_accounts:read': 'see the account',
    },
    publicHttps: false,
    sandbox:
      "For apps with trial access. Channels are connected to Pinterest's sandbox, where only you can see your Pins.",
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
        codecs: { video: ['avc', 'hevc'] },
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
