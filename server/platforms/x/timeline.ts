import { addressesIn, addressPlaces } from '#contract/platforms/webAddresses.ts'
import { foundAs, lookBack, SKEW_MS } from '../lookBack.ts'
import type { AccountRef, Reach } from '../platform.ts'
import { isAltered, type Match } from '../alterations.ts'
import { plainText, sameText, type Found } from '../findSent.ts'
import { call, unclear } from './client.ts'
import { Posts, type Post, type XSecret } from './schemas.ts'

/*
 * X has no key of ours, so the account's own timeline tells whether a post exists. Its files have IDs that no other
 * post has; its text has shortened URLs and escaped &, < and >.
 */

export const FIELDS = 'attachments,conversation_id,created_at,entities,note_post,text'
/** The maximum per page. A search may read several pages; each post that is read costs credits. */
const PAGE = '100'
const PAGES = 8

export type Wanted = {
  text: string
  mediaIds: readonly string[]
  since: Date
  /** For a reply: the first post of its thread. */ conversation?: string
  /** Posts that are known to be others. */ known: readonly string[]
}

/**
 * The account's own post with these files or this text since then. Replies are listed too, and skipped here when
 * searching for a post: a list without them ends after 800 (X API v2, GET /2/users/:id/tweets).
 */
export async function findPost(reach: Reach, secret: XSecret, wanted: Wanted): Promise<Found> {
  const start_time = new Date(wanted.since.getTime() - SKEW_MS).toISOString()
  const found = await lookBack({
    label: 'X',
    things: 'posts',
    since: wanted.since,
    order: 'newest first',
    mostPages: PAGES,
    page: async (token) => {
      const list = await call(reach, secret, {
        path: `/2/users/${secret.userId}/tweets`,
        query: {
          max_results: PAGE,
          start_time,
          exclude: 'retweets',
          'tweet.fields': FIELDS,
          pagination_token: token ?? undefined,
        },
        reply: Posts,
      })
      return list.kind === 'ok'
        ? {
            kind: 'page',
            items: list.value.data.map((post) => ({ ...post, at: post.created_at })),
            next: list.value.meta.next_token,
          }
        : unclear(list)
    },
    isIt: (post) => isLike(post, wanted),
  })
  return foundAs(found)
}

/** A media key is the number of its kind and the file's ID: 7_1880028106020515840. */
const idOfKey = (key: string): string => key.split('_').at(-1) ?? key

function isLike(post: Post, { text, mediaIds, conversation, known }: Wanted): Match {
  if (known.includes(post.id)) return false
  if (post.conversation_id !== null && post.conversation_id !== (conversation ?? post.id)) return false
  const shown = post.attachments.media_keys.map(idOfKey)
  if (mediaIds.length > 0) return shown.some((id) => mediaIds.includes(id))
  return shown.length === 0 && saying(post, text, conversation !== undefined)
}

/**
 * Whether the post's text is the written one. X links names without a protocol too and shows them as t.co URLs, whose
 * `expanded_url` has a protocol (docs.x.com, fundamentals, t.co links; twitter/twitter-text, conformance/extract.yml).
 * Posts differ by more than protocols, so the texts are compared without them; that holds wherever X finds a link. With
 * the same words around other URLs, it may be another post, or X may have rewritten the URL.
 */
function saying(post: Post, text: string, isReply: boolean): Match {
  const own = (words: string): string => (isReply ? withoutNames(words) : words)
  const [shown, written] = [own(shownText(post)), own(text)]
  if (sameText(comparable(shown), comparable(written))) return true
  const [words, wantedWords] = [own(wordsOnly(post)), withoutAddresses(written)].map((one) => plainText(decoded(one)))
  if (words !== wantedWords)
    return isCut(post, words, wantedWords) || isAltered(words ?? '', wantedWords ?? '') || isAltered(shown, written)
      ? 'maybe'
      : false
  const [there, wanted] = [linksOf(post), addressesIn(written.normalize('NFC'), 'named').map(bare)]
  if (there.length !== wanted.length) return false
  return wanted.every((url, index) => url === there[index]) || (hasWords(written) ? 'maybe' : false)
}

/** Without `note_post`, X shows about the first 280 characters of a longer post. */
const isCut = ({ long }: Post, words = '', whole = ''): boolean =>
  long === null && words.length > 100 && words.endsWith('…') && whole.startsWith(words.slice(0, -1).trimEnd())

/** In front of a reply, X mentions whom it answers (POST /2/tweets, `exclude_reply_user_ids`). */
const withoutNames = (text: string): string => text.trimStart().replace(/^(?:@\w{1,15}(?:\s+|$))+/, '')
const comparable = (text: string): string => decoded(text).replace(/https?:\/\//gi, '')

const sourceOf = ({ text, entities, long }: Post): { text: string; urls: Post['entities']['urls'] } =>
  long ? { text: long.text, urls: long.entities.urls } : { text, urls: entities.urls }
const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
/** Unescaped to the end: X escapes texts of up to 280 characters, but not those of longer posts. */
function decoded(text: string): string {
  const once = unescaped(text)
  return once === text ? text : decoded(once)
}
/** Whether a URL is that of the post's own file. */
const isOfMedia = ({ media_key: key, expanded_url: url }: Post['entities']['urls'][number]): boolean =>
  key !== null || /\/status\/\d+\/(photo|video)\/\d+$/.test(url)

/** The text with each of its t.co URLs as `as` says; those of files are left out. */
const withUrls = (post: Post, as: (url: Post['entities']['urls'][number]) => string): string => {
  const { text, urls } = sourceOf(post)
  return urls.reduce((words, url) => words.replaceAll(url.url, () => (isOfMedia(url) ? '' : as(url))), unescaped(text))
}

/** A post's page. */
export const addressOf = ({ handle }: Pick<AccountRef, 'handle'>, id: string): string =>
  `https://x.com/${handle.replace(/^@/, '') || 'i'}/status/${id}`

/** The text as it was written: full URLs, without those of files. */
export const shownText = (post: Post): string => withUrls(post, (url) => url.expanded_url || url.url).trim()

const wordsOnly = (post: Post): string => withUrls(post, () => ' ')
function withoutAddresses(text: string): string {
  const places = addressPlaces(text.normalize('NFC'), 'named')
  return places
    .toReversed()
    .reduce((words, { start, end }) => `${words.slice(0, start)} ${words.slice(end)}`, text.normalize('NFC'))
}
const bare = (url: string): string =>
  url
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/$/, '')
const linksOf = (post: Post): string[] =>
  sourceOf(post)
    .urls.filter((url) => !isOfMedia(url))
    .map(({ expanded_url: url }) => bare(url))
const hasWords = (text: string): boolean => withoutAddresses(text).trim() !== ''
