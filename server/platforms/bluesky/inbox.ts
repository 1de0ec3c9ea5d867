import { z } from 'zod'
import type { Inbox, InboxChange, ReadAnswer, ReadAsk, RemoteItem, RemoteMedia } from '../inbox.ts'
import type { Reach, Refusal } from '../platform.ts'
import { placeInChain } from '../replyChain.ts'
import { readChat } from './chat.ts'
import { personOf } from './profile.ts'
import { READ_TIMEOUT_MS } from './records.ts'
import { refusalOf } from './refusals.ts'
import { actions, repliesBy } from './replies.ts'
import { Notified, OwnPosts, SpokenViews, Thread, type Author, type BlueskySecret, type SpokenView } from './schemas.ts'
import { tokenOf, withSecret } from './secret.ts'
import type { VideoServiceFor } from './video.ts'
import { xrpc, type Call } from './xrpc.ts'
import { timeOf } from './tid.ts'

/*
 * Replies to an account, mentions and quotes of it, from its notifications, and its own replies, from its repository. A
 * reply that also mentions the account comes as a mention: what it is follows from what it answers.
 */

/** app.bsky.feed.getPosts shows as many in a call. */
const PAGE = 25
const WATCHED = 25
const OWN = 50
/** What the network doesn't show after that was deleted, or is hidden from everyone. */
const LONGEST_LAG_MS = 24 * 3_600_000
/** What one page takes at most: notifications, own posts, posts as they are shown (twice), and the thread of each reply. */
export const INBOX_CALLS = 4 + PAGE
/**
 * What of the notifications is for the inbox. Not asked for as `reasons`: the app view leaves the others out of a page after
 * it made the page (its listNotifications.ts), so that 25 likes would be an empty page with the rest behind it.
 */
const REASONS = ['reply', 'mention', 'quote']

const Cursor = z.object({
  /** When the newest notification that was read was indexed; while pages are read backwards, `newest` is the one to keep then. */
  seen: z.string().nullable().catch(null),
  newest: z.string().nullable().catch(null),
  back: z.string().nullable().catch(null),
  /** The newest own post that was read. */
  own: z.string().nullable().catch(null),
  /** Own replies that the network didn't show yet: it lags behind the account's server, which lists them at once. */
  late: z.array(z.string()).catch([]),
  /** Posts that were read lately, looked at again for deletions. */
  watched: z.array(z.string()).catch([]),
  /** Those of them that the last reading didn't find: absence is believed when it is read twice. */
  missing: z.array(z.string()).catch([]),
})

const readPosts = async (reach: Reach, session: BlueskySecret, ask: ReadAsk): Promise<ReadAnswer | Refusal> => {
  const at = Cursor.parse(ask.cursor ?? {})
  const told = await callAs(reach, session, {
    nsid: 'app.bsky.notification.listNotifications',
    params: { limit: String(PAGE), ...(at.back !== null && { cursor: at.back }) },
    reply: Notified,
  })
  if (told.kind !== 'ok') return told
  const until = at.seen ?? ask.since.toISOString()
  const { notifications } = told.value
  const fresh = notifications.filter(({ indexedAt }) => indexedAt.toISOString() >= until)
  const own = await ownReplies(reach, session, at.own)
  if ('kind' in own) return own
  const spoken = fresh.filter(({ reason }) => REASONS.includes(reason))
  const wanted = [...new Set([...spoken.map(({ uri }) => uri), ...at.late, ...own.uris])]
  // once for each turn: the network may not show a post for a moment, and a deletion is final
  const looking = at.back === null ? at.watched : []
  const shown = await show(reach, session, [...new Set([...wanted, ...looking])])
  if ('kind' in shown) return shown
  const missing = looking.filter((uri) => !shown.has(uri))
  const gone = missing.filter((uri) => at.missing.includes(uri))
  const changes: InboxChange[] = gone.map((remoteId) => ({ change: 'deleted', remoteId, at: ask.now }))
  for (const uri of wanted) {
    const post = shown.get(uri)
    if (!post) continue
    const chain = await chainOf(reach, session, post)
    if ('kind' in chain) return chain
    const item = itemOf(post, chain, session.did)
    if (item) changes.push(item)
  }
  const newest = at.newest ?? notifications[0]?.indexedAt.toISOString() ?? until
  const goesOn = fresh.length === notifications.length && fresh.length > 0 && told.value.cursor !== undefined
  const heard = changes.flatMap((change) => (change.change === 'item' && !change.isOurs ? [change.remoteId] : []))
  const cursor: z.infer<typeof Cursor> = {
    seen: goesOn ? at.seen : newest,
    newest: goesOn ? newest : null,
    back: goesOn ? (told.value.cursor ?? null) : null,
    own: own.newest,
    late: [...at.late, ...own.uris]
      .filter((uri) => !shown.has(uri) && ask.now.getTime() - timeOf(keyOf(uri)).getTime() < LONGEST_LAG_MS)
      .slice(-PAGE),
    // the newest stay: they are those of the first page
    watched: [...new Set(at.back === null ? [...missing, ...heard, ...at.watched] : [...at.watched, ...heard])]
      .filter((uri) => !gone.includes(uri))
      .slice(0, WATCHED),
    missing: at.back === null ? missing.filter((uri) => !gone.includes(uri)) : at.missing,
  }
  return { kind: 'read', changes, cursor, more: goesOn }
}

/** A call in the account's name; a refusal where it brought nothing. */
async function callAs<T>(
  reach: Reach,
  session: BlueskySecret,
  call: Pick<Call<T>, 'nsid' | 'params' | 'reply'>,
): Promise<{ kind: 'ok'; value: T } | Refusal> {
  const answer = await xrpc(reach, {
    ...call,
    service: session.pds,
    as: tokenOf(session),
    timeoutMs: READ_TIMEOUT_MS,
  })
  return answer.kind === 'ok' ? answer : refusalOf(answer, { doing: 'show-inbox', irreversible: false })
}

/** Keys of posts are times, in letters that sort (atproto.com/specs/tid); a writer may choose another, which says nothing. */
const TIMED = /\/[2-7a-z]{13}$/

const keyOf = (uri: string): string => uri.split('/').at(-1) ?? ''

/** What the account answered since; at first, as far as one page shows it. */
async function ownReplies(
  reach: Reach,
  session: BlueskySecret,
  newest: string | null,
): Promise<{ uris: string[]; newest: string | null } | Refusal> {
  const params = { repo: session.did, collection: 'app.bsky.feed.post', limit: String(OWN) }
  const list = await callAs(reach, session, { nsid: 'com.atproto.repo.listRecords', params, reply: OwnPosts })
  if (list.kind !== 'ok') return list
  const fresh = list.value.records
    .filter(({ uri }) => TIMED.test(uri) && (newest === null || uri > newest))
    .toSorted((a, b) => (a.uri < b.uri ? -1 : 1))
  const replies = fresh.flatMap(({ uri, value }) => (value.reply === undefined ? [] : [uri]))
  if (newest === null || replies.length <= PAGE)
    return { uris: replies.slice(-PAGE), newest: fresh.at(-1)?.uri ?? newest }
  // each costs a call: the rest is left to the next reading
  const uris = replies.slice(0, PAGE)
  return { uris, newest: uris.at(-1) ?? newest }
}

/** Posts as the network shows them; those that are gone are missing. */
async function show(
  reach: Reach,
  session: BlueskySecret,
  uris: readonly string[],
): Promise<Map<string, SpokenView> | Refusal> {
  const found = new Map<string, SpokenView>()
  for (let from = 0; from < uris.length; from += PAGE) {
    const params = { uris: uris.slice(from, from + PAGE) }
    const posts = await callAs(reach, session, { nsid: 'app.bsky.feed.getPosts', params, reply: SpokenViews })
    if (posts.kind !== 'ok') return posts
    for (const post of posts.value.posts) found.set(post.uri, post)
  }
  return found
}

/** A post of a chain; what it says is unknown where only its address is. */
type Node = { uri: string; post: SpokenView | null }

/** What a post answers, oldest first, as far as it can be seen; where nothing can, what its record says. */
async function chainOf(reach: Reach, session: BlueskySecret, post: SpokenView): Promise<Node[] | Refusal> {
  const { reply } = post.record
  const itself = { uri: post.uri, post }
  if (reply === null) return [itself]
  const params = { uri: post.uri, depth: '0', parentHeight: '80' }
  const seen = await callAs(reach, session, { nsid: 'app.bsky.feed.getPostThread', params, reply: Thread })
  if (seen.kind !== 'ok' && seen.kind !== 'rejected') return seen
  const chain: Node[] = []
  for (let node = seen.kind === 'ok' ? seen.value.thread?.parent : undefined; node; node = node.parent)
    chain.unshift({ uri: node.post.uri, post: node.post })
  return [...(chain.length > 0 ? chain : [{ uri: reply.parent.uri, post: null }]), itself]
}

function itemOf(post: SpokenView, chain: readonly Node[], me: string): RemoteItem | undefined {
  const isOf = (uri: string): boolean => uri.startsWith(`at://${me}/`)
  const links = chain.map((node) => ({
    id: node.uri,
    isOurs: isOf(node.uri),
    mentionsUs: node.post?.record.facets.some(({ features }) => features.some(({ did }) => did === me)) === true,
  }))
  const quoted = post.record.embed !== null && isOf(post.record.embed) ? post.record.embed : null
  const place = placeInChain(links, quoted !== null)
  if (!place) return undefined
  const { about, ...rest } = place
  const isOurs = isOf(post.uri)
  const before = about === null ? undefined : chain[about]
  const { createdAt } = post.record
  return {
    change: 'item',
    ...rest,
    remoteId: post.uri,
    parentRemoteId: post.record.reply?.parent.uri ?? null,
    author: isOurs ? null : personOf(post.author),
    isOurs,
    counterpart: null,
    text: post.record.text,
    media: mediaOf(post),
    // a writer may claim any time
    at: createdAt !== null && createdAt < post.indexedAt ? createdAt : post.indexedAt,
    version: 0,
    editedAt: null,
    hidden: false,
    url: addressOf(post.uri, post.author),
    rating: null,
    subject:
      rest.type === 'FOREIGN_POST' && quoted !== null
        ? subjectOf({ uri: quoted, post: null }, true)
        : before
          ? subjectOf(before, isOf(before.uri))
          : null,
  }
}

function subjectOf({ uri, post }: Node, isOurs: boolean): RemoteItem['subject'] {
  return {
    remoteId: uri,
    text: post?.record.text ?? '',
    at: post?.record.createdAt ?? null,
    url: post && addressOf(uri, post.author),
    isOurs,
    person: isOurs || !post ? null : personOf(post.author),
  }
}

const addressOf = (uri: string, { did }: Pick<Author, 'did'>): string =>
  `https://bsky.app/profile/${did}/post/${uri.split('/').at(-1) ?? ''}`

function mediaOf({ embed }: SpokenView): RemoteMedia[] {
  // beside a quote, files stand one deeper
  return [embed, embed?.media].flatMap((shown) => [
    ...(shown?.images ?? []).map(({ fullsize, alt }) => ({
      kind: 'image' as const,
      url: fullsize ?? null,
      name: null,
      altText: alt || null,
    })),
    ...(shown?.thumbnail ? [{ kind: 'video' as const, url: shown.thumbnail, name: null, altText: null }] : []),
    ...(shown?.external?.uri
      ? [{ kind: 'link' as const, url: shown.external.uri, name: shown.external.title || null, altText: null }]
      : []),
  ])
}

export const inboxBy = (videoServiceFor: VideoServiceFor): Inbox => ({
  replies: repliesBy(videoServiceFor),
  actions,
  reads: [['mention', 'comment'], ['message']],
  read: withSecret(async (reach, session, _account, ask) =>
    ask.kind === 'message' ? await readChat(reach, session, ask) : await readPosts(reach, session, ask),
  ),
})
