import { x as rules } from '#contract/platforms/x.ts'
import { foundAs, lookBack, SKEW_MS } from '../lookBack.ts'
import type { Reach } from '../platform.ts'
import { sameText, type Found } from '../findSent.ts'
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
  const { conversation, known } = wanted
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
    isIt: (post) =>
      !known.includes(post.id) &&
      (post.conversation_id === null || post.conversation_id === (conversation ?? post.id)) &&
      isIt(post, wanted),
  })
  return foundAs(found)
}

/** A media key is the number of its kind and the file's ID: 7_1880028106020515840. */
const idOfKey = (key: string): string => key.split('_').at(-1) ?? key

function isIt(post: Post, { text, mediaIds }: Wanted): boolean {
  const shown = post.attachments.media_keys.map(idOfKey)
  if (mediaIds.length > 0) return shown.some((id) => mediaIds.includes(id))
  return shown.length === 0 && sameText(shownText(post), text)
    ? true
    : shown.length === 0 && sameText(wordsOnly(post), withoutLinks(text)) && sameLinks(post, text)
}

const sourceOf = ({ text, entities, long }: Post): { text: string; urls: Post['entities']['urls'] } =>
  long ? { text: long.text, urls: long.entities.urls } : { text, urls: entities.urls }
const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
/** Whether a URL is that of the post's own file. */
const isOfMedia = ({ media_key: key, expanded_url: url }: Post['entities']['urls'][number]): boolean =>
  key !== null || /\/status\/\d+\/(photo|video)\/\d+$/.test(url)

/** The text as it was written: full URLs, without those of files. */
export function shownText(post: Post): string {
  const { text, urls } = sourceOf(post)
  const written = urls.reduce(
    (words, url) => words.replaceAll(url.url, isOfMedia(url) ? '' : url.expanded_url || url.url),
    text,
  )
  return unescaped(written).trim()
}

/** URLs are counted, not compared: X rewrites them, such as by adding http:// to a bare name. */
const wordsOnly = (post: Post): string => {
  const { text, urls } = sourceOf(post)
  return unescaped(urls.reduce((words, { url }) => words.replaceAll(url, ' '), text))
}
function withoutLinks(text: string): string {
  const links = rules.findSpans(text).filter(({ kind }) => kind === 'link')
  return links.toReversed().reduce((words, { start, end }) => `${words.slice(0, start)} ${words.slice(end)}`, text)
}
const bare = (url: string): string =>
  url
    .toLowerCase()
    .replace(/^https?:\/\/(www\.)?/, '')
    .replace(/\/$/, '')
function sameLinks(post: Post, text: string): boolean {
  const wanted = rules.findSpans(text).flatMap(({ kind, value }) => (kind === 'link' ? [bare(value)] : []))
  const there = sourceOf(post)
    .urls.filter((url) => !isOfMedia(url))
    .map(({ expanded_url: url }) => bare(url))
  // equal text is enough; a post with only a URL needs the same URL
  return withoutLinks(text).trim() !== ''
    ? there.length === wanted.length
    : wanted.every((url, index) => url === there[index])
}
