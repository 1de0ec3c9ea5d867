import { z } from 'zod'
import type { Inbox, InboxChange, ReadAnswer, ReadAsk, RemoteItem, RemoteSubject } from '../inbox.ts'
import type { Refusal } from '../platform.ts'
import { actions } from './moderate.ts'
import { call, withSecret } from './client.ts'
import { readMessages } from './messages.ts'
import { replies } from './replies.ts'
import { inboxRefusalOf } from './refusals.ts'
import { Mentions, type Mention, type MentionUser, type XSecret } from './schemas.ts'
import { FIELDS, shownText } from './timeline.ts'

/*
 * Posts that mention the account, which replies to it do too. X charges for each post and each person that it shows, and
 * nothing for an empty answer: only what is newer than the newest known is asked for, in small pages, and nothing is read
 * to learn what an answer belongs to.
 */

/** The fewest that X takes, and what a page asks for. */
const LEAST = 5
const PAGE = 10
/** The first reading goes back so far, because it is paid for. */
const FIRST_MS = 7 * 24 * 3_600_000

const Cursor = z.object({
  /** The newest post that was read. */
  newest: z.string().nullable().catch(null),
  /** The newest of the reading that is on its way, and where it goes on. */
  next: z.object({ newest: z.string(), token: z.string() }).nullable().catch(null),
})
type Cursor = z.infer<typeof Cursor>

const readMentions: Inbox['read'] = withSecret(
  async (reach, own, _account, { cursor, since, now, posts, most = PAGE }): Promise<ReadAnswer | Refusal> => {
    const at = Cursor.parse(cursor ?? {})
    const from = new Date(Math.max(since.getTime(), now.getTime() - FIRST_MS))
    const list = await call(reach, own, {
      path: `/2/users/${own.userId}/mentions`,
      query: {
        max_results: String(Math.max(LEAST, Math.min(PAGE, most))),
        ...(at.newest === null ? { start_time: from.toISOString() } : { since_id: at.newest }),
        pagination_token: at.next?.token,
        'tweet.fields': FIELDS,
        // brings their ids with the posts
        expansions: 'author_id,in_reply_to_user_id',
        'user.fields': 'name,username,profile_image_url',
      },
      reply: Mentions,
    })
    if (list.kind !== 'ok') return inboxRefusalOf(list)
    const { data, includes, meta } = list.value
    const people = new Map(includes.users.map((user) => [user.id, user]))
    const changes = data.flatMap((post): InboxChange[] =>
      post.author_id === own.userId ? [] : [itemOf(post, people.get(post.author_id ?? ''), { own, now, posts })],
    )
    const newest = at.next?.newest ?? data[0]?.id ?? at.newest ?? '0'
    const token = data.length > 0 ? meta.next_token : null
    const next: Cursor =
      token === null || token === at.next?.token
        ? { newest, next: null }
        : { newest: at.newest, next: { newest, token } }
    return { kind: 'read', changes, cursor: next, more: next.next !== null, charged: data.length }
  },
)

/** Replies to the account are comments, one conversation for each person in each thread; everything else mentions it. */
function itemOf(
  post: Mention,
  author: MentionUser | undefined,
  { own, now, posts }: { own: XSecret; now: Date; posts: ReadAsk['posts'] },
): RemoteItem {
  const [id = post.id] = post.edit_history_tweet_ids
  const thread = post.conversation_id ?? id
  const authorId = post.author_id ?? ''
  const isReply = post.in_reply_to_user_id === own.userId
  const at = post.created_at ?? now
  const edits = post.edit_history_tweet_ids.length - 1
  return {
    change: 'item',
    remoteId: id,
    threadKey: `${thread}:${authorId}`,
    conversation: isReply ? 'comment' : 'mention',
    type: isReply ? 'REPLY' : post.in_reply_to_user_id === null ? 'MENTION_POST' : 'MENTION_COMMENT',
    parentRemoteId: null,
    author: {
      remoteId: authorId || `author of ${id}`,
      name: author?.name ?? '',
      handle: author ? `@${author.username}` : '',
      pictureUrl: author?.profile_image_url ?? null,
      url: author ? `https://x.com/${author.username}` : null,
    },
    isOurs: false,
    counterpart: null,
    text: shownText(post),
    media: [],
    at,
    // each edit is a post of its own
    version: Math.max(0, edits),
    editedAt: edits > 0 ? at : null,
    hidden: false,
    url: `https://x.com/${author?.username ?? 'i'}/status/${post.id}`,
    rating: null,
    subject: isReply && posts.some(({ remoteId }) => remoteId === thread) ? ours(thread) : null,
  }
}

const ours = (remoteId: string): RemoteSubject => ({
  remoteId,
  text: '',
  at: null,
  url: `https://x.com/i/status/${remoteId}`,
  isOurs: true,
  person: null,
})

export const inbox: Inbox = {
  reads: [['mention', 'comment'], ['message']],
  pays: { most: PAGE, least: LEAST },
  leastMinutes: 5,
  read: (reach, secret, account, ask) =>
    (ask.kind === 'message' ? readMessages : readMentions)(reach, secret, account, ask),
  replies,
  actions,
}
