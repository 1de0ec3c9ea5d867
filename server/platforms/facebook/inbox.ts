import type { z } from 'zod'
import { atPlace, isGone, placeIn, type GraphFailed } from '../graph.ts'
import { readComments, type CommentedPost, type CommentSource, type Stopped } from '../graphComments.ts'
import { closedOr, lackingOf } from '../graphInboxParts.ts'
import type { Listed } from '../graphMemory.ts'
import { CONVERSATIONS, conversationFields, Conversations, readMessages, type MessageSource } from '../graphMessages.ts'
import type { Inbox, ReadAsk, RemoteMedia, RemotePerson, RemoteSubject } from '../inbox.ts'
import type { Reach } from '../platform.ts'
import { LABEL, read, refusalOf, withSecret } from './client.ts'
import { actions, replies } from './replies.ts'
import { CommentedPosts, Comments, Thing, type Comment, type FacebookSecret } from './schemas.ts'

/*
 * What people write to a Page: comments on its posts, posts of visitors and posts that tag it, and Messenger. README.md
 * says what Facebook shows and what it doesn't.
 */

/** Posts of one page and newest comments of each: more makes Facebook answer that there is too much. */
const POSTS = '10'
const COMMENTS = 25
/** Of a page of one post's comments. */
const OLDER = '50'
const COMMENT =
  'id,message,from,created_time,is_hidden,permalink_url,comment_count,attachment{type,url,title,media},parent{id,parent{id}}'
const POST = `id,message,story,created_time,permalink_url,from,attachments{media_type,title,target{id},unshimmed_url},comments.filter(stream).order(reverse_chronological).limit(${COMMENTS}){${COMMENT}}`

const stopped = (failed: GraphFailed): Stopped => closedOr(failed, LABEL, refusalOf(failed, 'show-inbox'))

/** The Page's posts, or what visitors and others wrote that concerns it. */
type Edge = 'published_posts' | 'visitor_posts' | 'tagged'

/** Reads what one kind's edges list, one after the other. */
function sourceOf(reach: Reach, secret: FacebookSecret, edges: readonly Edge[], ours: ReadAsk['posts']): CommentSource {
  const place = (edge: Edge | undefined, at: string): string | null => (edge ? `${edge}?${at}` : null)
  return {
    posts: async (after) => {
      const [, named = edges[0], at = ''] = /^(\w+)\?(.*)$/.exec(after ?? '') ?? []
      const edge = edges.find((one) => one === named) ?? 'published_posts'
      const query = { fields: POST, limit: POSTS, ...atPlace(at) }
      const list = await read(reach, secret, `/${secret.pageId}/${edge}`, query, CommentedPosts)
      if (list.kind !== 'ok') return stopped(list)
      const next = placeIn(list.value.paging.next)
      return {
        kind: 'posts',
        posts: list.value.data.flatMap((post) => commentedPost(post, edge, secret, ours)),
        next: next === null ? place(edges[edges.indexOf(edge) + 1], '') : place(edge, next),
        ...(at === '' && { list: { name: edge, isWhole: next === null } }),
      }
    },
    comments: async (post, subject, after) => {
      const query = {
        fields: COMMENT,
        filter: 'stream',
        order: 'reverse_chronological',
        limit: OLDER,
        ...atPlace(after),
      }
      const list = await read(reach, secret, `/${post}/comments`, query, Comments)
      if (list.kind !== 'ok') return isGone(list) ? { kind: 'comments', comments: [], older: null } : stopped(list)
      const about: About = subject ? { post, subject } : { post, subject: null, mention: true }
      return {
        kind: 'comments',
        comments: list.value.data.flatMap((one) => commentOf(one, about, secret)),
        older: placeIn(list.value.paging.next),
      }
    },
    isThere: async (id) => {
      const found = await read(reach, secret, `/${id}`, { fields: 'id' }, Thing)
      return found.kind === 'ok' ? true : isGone(found) ? false : stopped(found)
    },
  }
}

/** What a comment stands under: a post of the Page's, or one that is itself in the inbox. */
type About = { post: string; subject: RemoteSubject | null; mention?: true }

function commentedPost(
  post: z.output<typeof CommentedPosts>['data'][number],
  edge: Edge,
  secret: FacebookSecret,
  ours: ReadAsk['posts'],
): CommentedPost[] {
  const isOurs = post.from === null ? edge === 'published_posts' : post.from.id === secret.pageId
  const older = placeIn(post.comments.paging.next)
  const at = post.created_time
  if (edge === 'published_posts') {
    const subject: RemoteSubject = {
      remoteId: knownAs(post, ours),
      text: post.message || post.story,
      at,
      url: addressOf(post.permalink_url),
      isOurs: true,
      person: null,
    }
    const comments = post.comments.data.flatMap((one) => commentOf(one, { post: post.id, subject }, secret))
    return [{ id: post.id, at, subject, comments, older }]
  }
  // what the Page itself wrote is no mention of it
  if (isOurs) return []
  const about: About = { post: post.id, subject: null, mention: true }
  const item: Listed = {
    list: edge,
    item: {
      change: 'item',
      remoteId: post.id,
      threadKey: post.id,
      conversation: 'mention',
      type: edge === 'tagged' ? 'MENTION_POST' : 'POST',
      parentRemoteId: null,
      author: personOf(post.from),
      isOurs: false,
      counterpart: null,
      text: post.message || post.story,
      media: post.attachments.data.map((one) => ({
        kind: kinds[one.media_type] ?? 'link',
        url: one.unshimmed_url || null,
        name: one.title || null,
        altText: null,
      })),
      at: at ?? new Date(0),
      hidden: false,
      url: addressOf(post.permalink_url),
      rating: null,
      subject: null,
    },
  }
  return [
    {
      id: post.id,
      at,
      subject: null,
      comments: [item, ...post.comments.data.flatMap((one) => commentOf(one, about, secret))],
      older,
    },
  ]
}

/** A video is published under its own id, and listed as the post that shows it. */
function knownAs(post: z.output<typeof CommentedPosts>['data'][number], ours: ReadAsk['posts']): string {
  const targets = new Set(post.attachments.data.flatMap(({ target }) => target?.id ?? []))
  return ours.find(({ remoteId }) => remoteId === post.id || targets.has(remoteId))?.remoteId ?? post.id
}

/** A comment of the Page's own that nobody answered begins no conversation. */
function commentOf(comment: Comment, { post, subject, mention }: About, { pageId }: FacebookSecret): Listed[] {
  const isOurs = comment.from?.id === pageId
  const isReply = comment.parent !== null
  if (isOurs && !isReply && !mention && comment.comment_count === 0) return []
  const root = comment.parent?.parent?.id ?? comment.parent?.id ?? comment.id
  return [
    {
      list: post,
      item: {
        change: 'item',
        remoteId: comment.id,
        threadKey: mention ? post : root,
        conversation: mention ? 'mention' : 'comment',
        type: isReply || mention ? 'REPLY' : 'COMMENT',
        parentRemoteId: comment.parent?.id ?? (mention ? post : null),
        author: isOurs ? null : personOf(comment.from),
        isOurs,
        counterpart: null,
        text: comment.message,
        media: mediaOf(comment),
        at: comment.created_time ?? new Date(0),
        hidden: comment.is_hidden,
        url: addressOf(comment.permalink_url),
        rating: null,
        subject,
      },
    },
  ]
}

const kinds: Partial<Record<string, RemoteMedia['kind']>> = {
  photo: 'image',
  album: 'image',
  sticker: 'image',
  animated_image_share: 'image',
  video: 'video',
  video_inline: 'video',
}
function mediaOf({ attachment }: Comment): RemoteMedia[] {
  if (!attachment) return []
  const kind = kinds[attachment.type] ?? 'link'
  const url = kind === 'image' ? (attachment.media?.image?.src ?? attachment.url) : attachment.url
  return [{ kind, url: url || null, name: attachment.title || null, altText: null }]
}

/** Names only: Facebook gives Pages no address and no handle of those who write. */
const personOf = (from: { id: string; name: string } | null): RemotePerson | null =>
  from && { remoteId: from.id, name: from.name, handle: '', pictureUrl: null, url: null }

const addressOf = (address: string): string | null =>
  address.startsWith('/') ? `https://www.facebook.com${address}` : address || null

/** Conversations of Messenger. */
const messagesOf = (reach: Reach, secret: FacebookSecret): MessageSource => ({
  page: async (after) => {
    const query = {
      platform: 'messenger',
      fields: conversationFields(',link'),
      limit: String(CONVERSATIONS),
      ...atPlace(after),
    }
    const list = await read(reach, secret, `/${secret.pageId}/conversations`, query, Conversations)
    return list.kind === 'ok'
      ? { kind: 'conversations', conversations: list.value.data, next: placeIn(list.value.paging.next) }
      : stopped(list)
  },
  isUs: ({ id }) => id === secret.pageId,
  person: ({ id, name }) => ({ remoteId: id, name, handle: '', pictureUrl: null, url: null }),
  url: ({ link }) => addressOf(link),
})

const readKind: Inbox['read'] = withSecret(async (reach, own, _account, ask) => {
  if (ask.kind === 'message')
    return (
      lackingOf(LABEL, own.scopes, ['pages_messaging', 'pages_manage_metadata']) ??
      (await readMessages(messagesOf(reach, own), ask))
    )
  const edges: readonly Edge[] = ask.kind === 'mention' ? ['visitor_posts', 'tagged'] : ['published_posts']
  return (
    lackingOf(LABEL, own.scopes, ['pages_read_user_content', 'pages_read_engagement']) ??
    (await readComments(sourceOf(reach, own, edges, ask.posts), ask))
  )
})

export const inbox: Inbox = { reads: [['comment'], ['message'], ['mention']], read: readKind, replies, actions }
