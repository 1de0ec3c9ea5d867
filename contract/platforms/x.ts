import { noDocuments } from './none.ts'
import type { PlatformRules } from './rules.ts'
import { findXSpans } from './spans.ts'

// Specification, section 9; video length, codecs, chroma and frames, animated GIFs, and 4 photos or 1 GIF or 1 video:
// docs.x.com, media best practices; the API's own message names the sides of an image; cashtags: docs.x.com, changelog
export const x: PlatformRules = {
  key: 'x',
  label: 'X',
  app: {
    register: { label: 'X Developer Portal', url: 'https://developer.x.com/en/portal/dashboard' },
    steps: [
      'Create an app in a project and choose a plan or buy credits. X charges for each post, more for posts with a link, and for each reply, mention and direct message that is read. Organizations set how much reading may cost.',
      'Under "User authentication settings", choose "Web App, Automated App or Bot" and the permission "Read and write and Direct message".',
      'Enter {redirect} under "Callback URI / Redirect URL".',
      'Copy the Client ID and the Client Secret of OAuth 2.0 under "Keys and tokens". You don\'t need the API key.',
    ],
    clientId: 'Client ID',
    clientSecret: 'Client Secret',
    scopes: [
      'tweet.read',
      'tweet.write',
      'tweet.moderate.write',
      'users.read',
      'media.write',
      'dm.read',
      'dm.write',
      'offline.access',
    ],
    rights: {
      'tweet.read': 'confirm that posts were published, show their metrics, and read mentions and replies',
      'tweet.write': 'publish and delete posts and replies',
      'tweet.moderate.write': 'hide replies',
      'users.read': 'see the profile',
      'media.write': 'publish images and videos',
      'dm.read': 'read direct messages',
      'dm.write': 'answer direct messages',
      'offline.access': 'stay signed in for more than two hours',
    },
    publicHttps: false,
  },
  findSpans: findXSpans,
  addresses: 'named',
  posts: [
    {
      postType: 'post',
      label: 'Post',
      title: null,
      text: { limits: [{ unit: 'weighted', max: 280, verified: 25_000 }], required: false },
      images: {
        most: 4,
        bytes: 5_000_000,
        types: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
        altText: { max: 1000 },
        alone: ['image/gif'],
        largest: { longer: 8192, shorter: 8192 },
        moves: { types: ['image/gif'], bytes: 15_000_000, frames: 350, unsure: true },
      },
      videos: {
        most: 1,
        bytes: 512_000_000,
        types: ['video/mp4', 'video/quicktime'],
        seconds: { min: 0.5, max: 140 },
        thumbnail: 'none',
        codecs: { video: ['avc'], audio: ['aac'] },
        chroma: ['4:2:0'],
        frameRate: { max: 60 },
      },
      documents: noDocuments,
      mixedMedia: false,
      mediaRequired: false,
      thread: { most: 25 },
      linkCard: null,
      firstComment: 'post',
      details: [],
      most: { cashtags: 1 },
    },
  ],
}
