import type { z } from 'zod'
import { atPlace, isGone, placeIn, type GraphFailed } from '../graph.ts'
import { readComments, type CommentSource, type Stopped } from '../graphComments.ts'
import { closedOr, lackingOf } from '../graphInboxParts.ts'
import type { Listed } from '../graphMemory.ts'
import { CONVERSATIONS, conversationFields, Conversations, readMessages, type MessageSource } from '../graphMessages.ts'
import type { Inbox, RemotePerson, RemoteSubject } from '../inbox.ts'
import type { AccountRef, Reach } from '../platform.ts'
import { read, withSecret } from './client.ts'
import { LABEL, refusalOf } from './refusals.ts'
import { actions, replies } from './replies.ts'
import { CommentedMedia, type Comment, Comments, TaggedMedia, Thing, type InstagramSecret } from './schemas.ts'

/*
 * What people write to a professional account: comments on its posts, posts that tag it, and direct messages. The calls are
 * the same for both ways of signing in; README.md says what Instagram doesn't show.
 */

const POSTS = '10'
const COMMENTS = 25
const OLDER = '50'
/** Replies to one comment: a level below it there is none. */
const REPLIES = 50
const SAID = 'id,text,timestamp,username,hidden,from{id,username},parent_id'
const COMMENT = `${SAID},replies.limit(${REPLIES}){${SAID}}`
const POST = 'id,caption,timestamp,permalink'

/** What each kind needs, by the way of signing in. */
const rights = {
  instagram: {
    comment: ['instagram_business_manage_comments'],
    message: ['instagram_business_manage_messages'],
  },
  facebook: {
    comment: ['instagram_manage_comments'],
    message: ['instagram_manage_messages', 'pages_manage_metadata'],
  },
} as const

const stopped = (failed: GraphFailed): Stopped =>
  closedOr(failed, LABEL, refusalOf(failed, { doing: 'show-inbox', irreversible: false }))

type Own = { secret: InstagramSecret; account: AccountRef }

/** Ours by id or by name: Instagram withholds `from` of some comments. */
const isUs = ({ secret, account }: Own, who: { id: string; username: string }): boolean =>
  who.id === secret.userId || (who.username !== '' && `@${who.username}` === account.handle)

function commentsOf(reach: Reach, own: Own): CommentSource {
  const { secret } = own
  return {
    posts: async (after) => {
      const query = { fields: `${POST},comments.limit(${COMMENTS}){${COMMENT}}`, limit: POSTS, ...atPlace(after) }
      const list = await read(reach, secret, `/${secret.userId}/media`, query, CommentedMedia)
      if (list.kind !== 'ok') return stopped(list)
      const posts = list.value.data.map(({ comments, ...post }) => {
        const subject: RemoteSubject = {
          remoteId: post.id,
          text: post.caption,
          at: post.timestamp,
          url: post.permalink || null,
          isOurs: true,
          person: null,
        }
        return {
          id: post.id,
          at: post.timestamp,
          subject,
          comments: comments.data.flatMap((one) => threadOf(one, post.id, subject, own)),
          older: placeIn(comments.paging.next),
        }
      })
      return { kind: 'posts', posts, next: placeIn(list.value.paging.next) }
    },
    comments: async (post, subject, after) => {
      const query = { fields: COMMENT, limit: OLDER, ...atPlace(after) }
      const list = await read(reach, secret, `/${post}/comments`, query, Comments)
      if (list.kind !== 'ok') return isGone(list) ? { kind: 'comments', comments: [], older: null } : stopped(list)
      return {
        kind: 'comments',
        comments: list.value.data.flatMap((one) => threadOf(one, post, subject, own)),
        older: placeIn(list.value.paging.next),
      }
    },
    isThere: isThere(reach, secret),
  }
}

const isThere =
  (reach: Reach, secret: InstagramSecret): CommentSource['isThere'] =>
  async (id) => {
    const found = await read(reach, secret, `/${id}`, { fields: 'id' }, Thing)
    return found.kind === 'ok' ? true : isGone(found) ? false : stopped(found)
  }

/** A comment and what was answered to it. One of our own that nobody answered begins no conversation. */
function threadOf(root: z.output<typeof Comment>, post: string, subject: RemoteSubject | null, own: Own): Listed[] {
  const replies = root.replies.data
  if (isUs(own, writerOf(root)) && replies.length === 0) return []
  return [
    { list: post, item: itemOf(root, root.id, subject, own) },
    ...replies.map((reply) => ({ list: post, item: itemOf(reply, root.id, subject, own) })),
  ]
}

type Said = Pick<z.output<typeof Comment>, 'id' | 'text' | 'timestamp' | 'username' | 'hidden' | 'from' | 'parent_id'>
const writerOf = ({ from, username }: Said): { id: string; username: string } => ({
  id: from?.id ?? '',
  username: from?.username || username,
})

function itemOf(said: Said, root: string, subject: RemoteSubject | null, own: Own): Listed['item'] {
  const writer = writerOf(said)
  const isOurs = isUs(own, writer)
  return {
    change: 'item',
    remoteId: said.id,
    threadKey: root,
    conversation: 'comment',
    type: said.id === root ? 'COMMENT' : 'REPLY',
    parentRemoteId: said.id === root ? null : (said.parent_id ?? root),
    author: isOurs ? null : personOf(writer),
    isOurs,
    counterpart: null,
    text: said.text,
    media: [],
    at: said.timestamp ?? new Date(0),
    hidden: said.hidden,
    url: subject?.url ?? null,
    rating: null,
    subject,
  }
}

/** Known by name alone where the id is withheld; nobody where both are. */
function personOf({ id, username }: { id: string; username: string }): RemotePerson | null {
  if (id === '' && username === '') return null
  return {
    remoteId: id || `@${username}`,
    name: username,
    handle: username && `@${username}`,
    pictureUrl: null,
    url: username === '' ? null : `https://www.instagram.com/${username}/`,
  }
}

/** Posts of others that tag the account. Instagram lists no mentions in captions and comments, it only notifies of them. */
const tagsOf = (reach: Reach, own: Own): CommentSource => ({
  posts: async (after) => {
    const query = { fields: `${POST},username,media_type,media_url`, limit: '25', ...atPlace(after) }
    const list = await read(reach, own.secret, `/${own.secret.userId}/tags`, query, TaggedMedia)
    if (list.kind !== 'ok') return stopped(list)
    const next = placeIn(list.value.paging.next)
    return {
      kind: 'posts',
      posts: list.value.data.map((post) => ({
        id: post.id,
        at: post.timestamp,
        subject: null,
        comments: [{ list: 'tags', item: tagOf(post, own) }],
        older: null,
      })),
      next,
      ...(after === null && { list: { name: 'tags', isWhole: next === null } }),
    }
  },
  comments: async () => ({ kind: 'comments', comments: [], older: null }),
  isThere: isThere(reach, own.secret),
})

const tagOf = (post: z.output<typeof TaggedMedia>['data'][number], own: Own): Listed['item'] => {
  const writer = { id: '', username: post.username }
  return {
    change: 'item',
    remoteId: post.id,
    threadKey: post.id,
    conversation: 'mention',
    type: 'MENTION_POST',
    parentRemoteId: null,
    author: personOf(writer),
    isOurs: isUs(own, writer),
    counterpart: null,
    text: post.caption,
    media: [
      { kind: post.media_type === 'VIDEO' ? 'video' : 'image', url: post.media_url || null, name: null, altText: null },
    ],
    at: post.timestamp ?? new Date(0),
    hidden: false,
    url: post.permalink || null,
    rating: null,
    subject: null,
  }
}

/** By Facebook's sign-in the token is a Page's, which is `me` then. */
const messagesOf = (reach: Reach, own: Own): MessageSource => ({
  page: async (after) => {
    const query = {
      platform: 'instagram',
      fields: conversationFields(''),
      limit: String(CONVERSATIONS),
      ...atPlace(after),
    }
    const list = await read(reach, own.secret, '/me/conversations', query, Conversations)
    return list.kind === 'ok'
      ? { kind: 'conversations', conversations: list.value.data, next: placeIn(list.value.paging.next) }
      : stopped(list)
  },
  isUs: (who) => isUs(own, who),
  person: ({ id, name, username }) => ({
    remoteId: id,
    name: name || username,
    handle: username && `@${username}`,
    pictureUrl: null,
    url: username === '' ? null : `https://www.instagram.com/${username}/`,
  }),
  url: () => 'https://www.instagram.com/direct/inbox/',
})

const readKind: Inbox['read'] = withSecret(async (reach, secret, account, ask) => {
  const own = { secret, account }
  const { comment, message } = rights[secret.login]
  if (ask.kind === 'message')
    return lackingOf(LABEL, secret.scopes, message) ?? (await readMessages(messagesOf(reach, own), ask))
  const source = ask.kind === 'mention' ? tagsOf(reach, own) : commentsOf(reach, own)
  return lackingOf(LABEL, secret.scopes, comment) ?? (await readComments(source, ask))
})

export const inbox: Inbox = { reads: [['comment'], ['message'], ['mention']], read: readKind, replies, actions }
