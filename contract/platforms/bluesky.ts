import { trimEndWhere } from '../trimEnd.ts'
import { isKnownDomain } from './domains.ts'
import { noDocuments } from './none.ts'
import { countText } from './countText.ts'
import type { InboxRules } from './inboxRules.ts'
import type { PlatformRules, Span } from './rules.ts'
import { inOrder } from './spans.ts'

// What the official app finds in a text (bluesky-social/atproto, packages/api/src/rich-text), so that a post looks the
// same wherever it was written: links with or without https://, mentions, hashtags and cashtags after a space, a line
// break or "(". A test compares it with the newest @atproto/api.

/** A handle: at least two labels, the last one not starting with a digit (atproto.com/specs/handle), after an ASCII @ as in the official app. */
const mention =
  /(^|[\s(])@((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)(?![\w-]|\.[a-z0-9])/giu
const link =
  /(^|[\s(])((?:https?:\/\/[^\s<>"]+)|(?:((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63})(?![\w@-]|\.[a-z0-9])(?::\d{1,5})?(?:[/?#][^\s<>"]*)?))/giu
const tag =
  /(^|\s)[#＃]((?!\ufe0f)[^\u20e2\s\u00ad\u2060\u200a-\u200d]*[^\u20e2\d\s\p{P}\u00ad\u2060\u200a-\u200d][^\u20e2\s\u00ad\u2060\u200a-\u200d]*)/gu

/** A cashtag is a tag that keeps its sign, in upper case. */
const cashtag = /(^|\s|\()\$([A-Za-z][A-Za-z0-9]{0,4})(?=\s|$|[.,;:!?)"'\u2019])/gu

const MAX_TAG = 64

/** Punctuation that ends a sentence isn't part of a link; a closing parenthesis is if one was opened in it. */
function trimLink(text: string): string {
  const opens = text.includes('(')
  return trimEndWhere(text, (char) => (char === ')' ? !opens : ENDS.includes(char)))
}
const ENDS = '.,;:!?\'"’”…*'

function findLinks(text: string): Span[] {
  return [...text.matchAll(link)].flatMap((match): Span[] => {
    const domain = match[3]
    if (domain && !isKnownDomain(domain)) return []
    const start = match.index + (match[1]?.length ?? 0)
    const whole = trimLink(match[2] ?? '')
    // a bracket can end an address, but not a name
    const isName = !/[^/:]\/|[?#]/.test(whole)
    const written = isName ? trimEndWhere(whole, (char) => ']}'.includes(char)) : whole
    const value = domain ? `https://${written}` : written
    return URL.canParse(value) ? [{ kind: 'link', start, end: start + written.length, value }] : []
  })
}

function findMentions(text: string): Span[] {
  return [...text.matchAll(mention)].flatMap((match) => {
    const value = match[2] ?? ''
    const start = match.index + (match[1]?.length ?? 0)
    // a name ends in a real domain, or in the one for tests
    return isKnownDomain(value) || /\.test$/i.test(value)
      ? [{ kind: 'mention', start, end: start + value.length + 1, value: value.toLowerCase() }]
      : []
  })
}

function findTags(text: string): Span[] {
  return [...text.matchAll(tag)].flatMap((match) => {
    const value = trimEndWhere(match[2] ?? '', (char) => /\p{P}/u.test(char))
    const start = match.index + (match[1]?.length ?? 0)
    return value && countText(value, 'graphemes') <= MAX_TAG
      ? [{ kind: 'tag', start, end: start + value.length + 1, value }]
      : []
  })
}

function findCashtags(text: string): Span[] {
  return [...text.matchAll(cashtag)].map((match) => {
    const value = `$${match[2] ?? ''}`
    const start = match.index + (match[1]?.length ?? 0)
    return { kind: 'tag', start, end: start + value.length, value: value.toUpperCase() }
  })
}

/** The links, mentions, hashtags and cashtags of a text, in order and without overlaps. */
export function findSpans(text: string): Span[] {
  return inOrder([...findLinks(text), ...findMentions(text), ...findTags(text), ...findCashtags(text)])
}

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
          { unit: 'graphemes', max: 300 },
          { unit: 'utf8bytes', max: 3000 },
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
const blueskyReply = { limit: { unit: 'graphemes', max: 300 }, pictures: 4, edit: false, delete: true } as const
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
