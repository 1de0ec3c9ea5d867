import { findSpans } from './blueskySpans.ts'
import { noDocuments } from './none.ts'
import type { InboxRules } from './inboxRules.ts'
import type { PlatformRules } from './rules.ts'

export const bluesky: PlatformRules = {
  key: 'bluesky',
  label: 'Bluesky',
  app: null,
  server: {
    label: 'Handle or server',
    placeholder: 'name.bsky.social',
    hint: 'Leave empty for an account on bsky.social.',
    wanted: null,
  },
  findSpans,
  posts: [
    {
      postType: 'post',
      label: 'Post',
      title: null,
      text: {
        limits: [
          { unit: 'shortened', max: 300 },
          { unit: 'shortenedbytes', max: 3000 },
        ],
        required: false,
      },
      images: { most: 4, bytes: 2_000_000, types: ['image/jpeg', 'image/png'], altText: { max: 2000 } },
      // its video service doesn't say which codecs it reads
      videos: {
        most: 1,
        bytes: 50_000_000,
        types: ['video/mp4'],
        seconds: { min: 0, max: 90 },
        thumbnail: 'none',
        codecs: { video: ['avc'], audio: ['aac'], unsure: true },
      },
      documents: noDocuments,
      mixedMedia: false,
      mediaRequired: false,
      thread: { most: 25 },
      linkCard: { title: 100, description: 300 },
      firstComment: 'post',
      details: [],
    },
  ],
}

// Lexicons app.bsky.notification.listNotifications, chat.bsky.convo.defs (1,000 graphemes)
const blueskyReply = { limit: { unit: 'shortened', max: 300 }, pictures: 4, edit: false, delete: true } as const
const blueskyClosed = {
  hide: "We can't hide replies on Bluesky. You can hide them for everyone in the Bluesky app.",
  delete: 'Only its author can delete this post on Bluesky.',
}
export const blueskyInbox: InboxRules = {
  kinds: {
    comment: {
      label: 'Replies',
      reply: blueskyReply,
      reactions: ['DEFAULT'],
      hide: false,
      delete: false,
      closed: blueskyClosed,
    },
    message: {
      label: 'Chat',
      reply: { limit: { unit: 'graphemes', max: 1000 }, pictures: 0, edit: false, delete: false },
      reactions: ['DEFAULT'],
      hide: false,
      delete: false,
      closed: {
        hide: "Bluesky can't hide messages.",
        delete: 'Bluesky deletes a message only for the person who deletes it.',
      },
      needs: ['transition:chat.bsky'],
    },
    mention: {
      label: 'Mentions and quotes',
      reply: blueskyReply,
      reactions: ['DEFAULT'],
      hide: false,
      delete: false,
      closed: blueskyClosed,
    },
  },
  closed: { review: 'Bluesky has no reviews.' },
}
