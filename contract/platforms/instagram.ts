import { metaFilm } from './metaFilm.ts'
import { noDocuments, noImages } from './none.ts'
import type { PlatformRules, PostRules, Span } from './rules.ts'
import { TAG_LETTERS, TAG_OTHERS, TAG_SIGNS } from '../hashtag.ts'
import { findSpansWith } from './spans.ts'

// Specification, section 9; aspect ratios in the feed, video sizes, codecs and frames, hashtags and mentions: developers.facebook.com,
// instagram-graph-api/reference/ig-user/media. It doesn't define a character, so we use the reading that counts the
// most.
/** Instagram has hashtags of emoji and of digits alone, too. */
const tag = new RegExp(
  String.raw`(?<=^|[\ufe0e\ufe0f]|[^${TAG_LETTERS}${TAG_OTHERS}&])[${TAG_SIGNS}](?![\ufe0f\u20e3])((?:[${TAG_LETTERS}${TAG_OTHERS}]|\p{Extended_Pictographic}|\p{RI}|\p{Emoji_Modifier})+)`,
  'gu',
)
const findTags = (text: string): Span[] =>
  [...text.matchAll(tag)].map(({ 0: whole, 1: value = '', index }) => ({
    kind: 'tag',
    start: index,
    end: index + whole.length,
    value,
  }))

const videoTypes = ['video/mp4', 'video/quicktime'] as const
const film = { types: videoTypes, ...metaFilm } as const
const most = { hashtags: 30, mentions: 20 }
const common = {
  title: null,
  documents: noDocuments,
  thread: { most: 1 },
  linkCard: null,
  mediaRequired: true,
} as const satisfies Partial<PostRules>

export const instagram: PlatformRules = {
  key: 'instagram',
  label: 'Instagram',
  app: {
    register: { label: 'Meta for Developers', url: 'https://developers.facebook.com/apps' },
    steps: [
      'Create an app with the use case "Manage messaging & content on Instagram".',
      'Choose "API setup with Instagram login" and add the permissions listed below.',
      'Under "Set up Instagram business login", enter {redirect} as an OAuth redirect URI.',
      "Copy the Instagram App ID and the Instagram App secret from the same page. They aren't the same as those of the app itself.",
      'To connect through Facebook instead, set up the Facebook app, add instagram_basic, instagram_content_publish, instagram_manage_comments, instagram_manage_insights, instagram_manage_messages and pages_manage_metadata to it, and enter {redirect} there as a redirect URI as well.',
      "While the app is in development, invite each account as an Instagram tester. For all other accounts, the app has to pass Meta's app review.",
    ],
    clientId: 'Instagram App ID',
    clientSecret: 'Instagram App secret',
    scopes: [
      'instagram_business_basic',
      'instagram_business_content_publish',
      'instagram_business_manage_comments',
      'instagram_business_manage_insights',
      'instagram_business_manage_messages',
    ],
    variants: [
      { value: 'instagram', label: 'Instagram', description: 'Sign in with an Instagram professional account.' },
      {
        value: 'facebook',
        label: 'Through Facebook',
        description: 'For accounts linked to a Facebook Page. Lets you delete posts and search for people to tag, too.',
        appOf: 'facebook',
      },
    ],
    rights: {
      instagram_business_basic: 'see the account',
      instagram_business_content_publish: 'publish posts',
      instagram_business_manage_comments: 'show and answer comments, and publish first comments',
      instagram_business_manage_messages: 'show and answer direct messages',
      instagram_business_manage_insights: 'show post metrics',
      instagram_basic: 'see the account',
      instagram_content_publish: 'publish posts',
      instagram_manage_comments: 'show and answer comments, and publish first comments',
      instagram_manage_messages: 'show and answer direct messages',
      pages_manage_metadata: 'get notified about new comments and messages',
      instagram_manage_insights: 'show post metrics',
      pages_show_list: 'list the Pages that accounts are linked to',
      pages_read_engagement: 'reach the account by its Page',
      business_management: 'list Pages that belong to a business portfolio',
    },
    publicHttps: true,
  },
  findSpans: findSpansWith(findTags),
  posts: [
    {
      ...common,
      postType: 'post',
      label: 'Post',
      text: { limits: [{ unit: 'utf16', max: 2200 }], required: false },
      images: {
        most: 10,
        bytes: 8_000_000,
        types: ['image/jpeg'],
        altText: { max: 1000 },
        shape: { narrowest: { label: '4:5', value: 4 / 5 }, widest: { label: '1.91:1', value: 1.91 } },
      },
      videos: { ...film, most: 10, bytes: 300_000_000, seconds: { min: 3, max: 900 }, thumbnail: 'optional' },
      mixedMedia: true,
      firstComment: { max: 2200 },
      details: [
        { field: 'peopleTags', required: false },
        { field: 'placeId', required: false },
      ],
      most,
    },
    {
      ...common,
      postType: 'reel',
      label: 'Reel',
      text: { limits: [{ unit: 'utf16', max: 2200 }], required: false },
      images: noImages,
      videos: {
        ...film,
        most: 1,
        bytes: 300_000_000,
        seconds: { min: 3, max: 900 },
        thumbnail: 'optional',
        shape: 'upright',
      },
      mixedMedia: false,
      firstComment: { max: 2200 },
      details: [
        { field: 'peopleTags', required: false },
        { field: 'placeId', required: false },
      ],
      most,
    },
    {
      ...common,
      postType: 'story',
      label: 'Story',
      text: { limits: [{ unit: 'characters', max: 125 }], required: false, unseen: true },
      images: { most: 1, bytes: 8_000_000, types: ['image/jpeg'], altText: null },
      videos: { ...film, most: 1, bytes: 100_000_000, seconds: { min: 3, max: 60 }, thumbnail: 'none' },
      mixedMedia: false,
      firstComment: null,
      details: [],
    },
  ],
}
