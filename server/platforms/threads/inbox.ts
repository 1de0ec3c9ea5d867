import { atPlace, isGone, placeIn, type GraphFailed } from '../graph.ts'
import { NEWEST, readComments, type CommentSource, type Stopped } from '../graphComments.ts'
import { closedOr, lackingOf } from '../graphInboxParts.ts'
import type { Listed } from '../graphMemory.ts'
import type { Inbox, ReadAsk, RemoteMedia, RemotePerson, RemoteSubject } from '../inbox.ts'
import type { AccountRef, Reach } from '../platform.ts'
import { placeInChain } from '../replyChain.ts'
import { read, withSecret } from './client.ts'
import { LABEL, refusalOf } from './refusals.ts'
import { actions, replies } from './replies.ts'
import { Said, SaidList, Thing, type ThreadsSecret } from './schemas.ts'

/*
 * What people write to a Threads profile: replies to its posts, however deep, and mentions. A reply says what it answers;
 * where it belongs follows from that.
 */

const POSTS = '25'
const FIELDS =
  'id,text,timestamp,username,permalink,media_type,media_url,alt_text,is_reply,replied_to,root_post,is_reply_owned_by_me,hide_status'
/** Answers that are followed up to the post where they began. */
const DEEPEST = 20

const stopped = (failed: GraphFailed): Stopped =>
  closedOr(failed, LABEL, refusalOf(failed, { doing: 'show-inbox', irreversible: false }))

type Own = { reach: Reach; secret: ThreadsSecret; account: AccountRef }
const isUs = ({ account }: Own, said: Pick<Said, 'username' | 'is_reply_owned_by_me'>): boolean =>
  said.is_reply_owned_by_me || `@${said.username}` === account.handle

function repliesOf(own: Own): CommentSource {
  const { reach, secret } = own
  return {
    posts: async (after) => {
      const query = { limit: POSTS, ...atPlace(after) }
      const fields = 'id,text,timestamp,permalink,has_replies'
      const list = await read(reach, secret, `/${secret.userId}/threads`, fields, SaidList, query)
      if (list.kind !== 'ok') return stopped(list)
      return {
        kind: 'posts',
        posts: list.value.data.map((post) => ({
          id: post.id,
          at: post.timestamp,
          subject: subjectOf(post),
          comments: [],
          older: post.has_replies ? NEWEST : null,
        })),
        next: placeIn(list.value.paging.next),
      }
    },
    comments: async (post, subject, after) => {
      const query = { reverse: 'true', ...atPlace(after) }
      const list = await read(reach, secret, `/${post}/conversation`, FIELDS, SaidList, query)
      if (list.kind !== 'ok') return isGone(list) ? { kind: 'comments', comments: [], older: null } : stopped(list)
      const known = new Map(list.value.data.map((said) => [said.id, said]))
      const comments: Listed[] = []
      for (const said of list.value.data) {
        const chain = await chainOf(said, post, known, own)
        if (!Array.isArray(chain)) return chain
        const item = replyIn(chain, post, subject, own)
        if (item) comments.push(item)
      }
      return { kind: 'comments', comments, older: placeIn(list.value.paging.next) }
    },
    isThere: isThere(own),
  }
}

const isThere =
  ({ reach, secret }: Own): CommentSource['isThere'] =>
  async (id) => {
    const found = await read(reach, secret, `/${id}`, 'id', Thing)
    return found.kind === 'ok' ? true : isGone(found) ? false : stopped(found)
  }

const subjectOf = ({ id, text, timestamp, permalink }: Said): RemoteSubject => ({
  remoteId: id,
  text,
  at: timestamp,
  url: permalink || null,
  isOurs: true,
  person: null,
})

/** What a reply answers, from below the post on. What isn't on the page is read, once. */
async function chainOf(said: Said, post: string, known: Map<string, Said>, own: Own): Promise<Said[] | Stopped> {
  const chain = [said]
  for (let up = said.replied_to?.id; up !== undefined && up !== post && chain.length < DEEPEST;) {
    let above = known.get(up)
    if (!above) {
      const found = await read(own.reach, own.secret, `/${up}`, FIELDS, Said)
      if (found.kind !== 'ok') return isGone(found) ? chain : stopped(found)
      above = found.value
      known.set(up, above)
    }
    chain.unshift(above)
    up = above.replied_to?.id
  }
  return chain
}

/** The rest of our own thread is part of the post, and no comment. */
function replyIn(chain: readonly Said[], post: string, subject: RemoteSubject | null, own: Own): Listed | undefined {
  const said = chain.at(-1)
  const links = chain.map((one) => ({ id: one.id, isOurs: isUs(own, one), mentionsUs: false }))
  const place = placeInChain([{ id: post, isOurs: true, mentionsUs: false }, ...links])
  if (!said || !place) return undefined
  const { conversation, type, threadKey } = place
  return { list: post, item: { ...itemOf(said, own), conversation, type, threadKey, subject } }
}

/** Where the profile was mentioned, under its own posts only as a reply. */
const mentionsOf = (own: Own, ours: ReadAsk['posts']): CommentSource => ({
  posts: async (after) => {
    const { reach, secret } = own
    const query = { limit: POSTS, ...atPlace(after) }
    const list = await read(reach, secret, `/${secret.userId}/mentions`, FIELDS, SaidList, query)
    if (list.kind !== 'ok') return stopped(list)
    const next = placeIn(list.value.paging.next)
    const others = list.value.data.filter(
      (said) => !isUs(own, said) && !ours.some(({ remoteId }) => remoteId === said.root_post?.id),
    )
    return {
      kind: 'posts',
      posts: others.map((said) => ({
        id: said.id,
        at: said.timestamp,
        subject: null,
        comments: [
          {
            list: 'mentions',
            item: {
              ...itemOf(said, own),
              conversation: 'mention' as const,
              type: said.is_reply ? ('MENTION_COMMENT' as const) : ('MENTION_POST' as const),
              threadKey: said.id,
              subject: null,
            },
          },
        ],
        older: null,
      })),
      next,
      ...(after === null && { list: { name: 'mentions', isWhole: next === null } }),
    }
  },
  comments: async () => ({ kind: 'comments', comments: [], older: null }),
  isThere: isThere(own),
})

const SHOWN = new Set(['', 'NOT_HUSHED', 'UNHUSHED'])
function itemOf(said: Said, own: Own): Omit<Listed['item'], 'conversation' | 'type' | 'threadKey' | 'subject'> {
  const isOurs = isUs(own, said)
  return {
    change: 'item',
    remoteId: said.id,
    parentRemoteId: said.replied_to?.id ?? null,
    author: isOurs ? null : personOf(said.username),
    isOurs,
    counterpart: null,
    text: said.text,
    media: mediaOf(said),
    at: said.timestamp ?? new Date(0),
    hidden: !SHOWN.has(said.hide_status),
    url: said.permalink || null,
    rating: null,
  }
}

/** Threads shows names of others, and no ids. */
const personOf = (username: string): RemotePerson | null =>
  username === ''
    ? null
    : {
        remoteId: `@${username}`,
        name: username,
        handle: `@${username}`,
        pictureUrl: null,
        url: `https://www.threads.com/@${username}`,
      }

const kinds: Partial<Record<string, RemoteMedia['kind']>> = {
  IMAGE: 'image',
  CAROUSEL_ALBUM: 'image',
  VIDEO: 'video',
  AUDIO: 'audio',
}
function mediaOf({ media_type: type, media_url: url, alt_text: altText }: Said): RemoteMedia[] {
  const kind = kinds[type]
  return kind ? [{ kind, url: url || null, name: null, altText }] : []
}

const readKind: Inbox['read'] = withSecret(async (reach, secret, account, ask) => {
  const own = { reach, secret, account }
  if (ask.kind === 'mention')
    return (
      lackingOf(LABEL, secret.scopes, ['threads_manage_mentions']) ??
      (await readComments(mentionsOf(own, ask.posts), ask))
    )
  return lackingOf(LABEL, secret.scopes, ['threads_read_replies']) ?? (await readComments(repliesOf(own), ask))
})

export const inbox: Inbox = { reads: [['comment'], ['mention']], read: readKind, replies, actions }
