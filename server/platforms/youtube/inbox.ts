import { z } from 'zod'
import { readingRefused } from '../google.ts'
import type { Inbox, InboxChange, ReadAnswer, RemoteItem, RemotePerson, RemoteSubject } from '../inbox.ts'
import type { RestFailed } from '../jsonCalls.ts'
import type { Reach, Refusal } from '../platform.ts'
import { actions } from './moderate.ts'
import { call, isForgotten, refusalOf, withSecret } from './client.ts'
import { replies } from './replies.ts'
import { Comments, Threads, Videos, type Comment, type Thread, type YoutubeSecret } from './schemas.ts'

/*
 * Comments on everything that a channel published. YouTube sends nothing by itself and lists threads by when they began,
 * so the newest hundred are read each time, by how many replies they have, and all of the last 30 days once a day. All
 * customers of a Google project share 10,000 units a day: each turn makes one call, which is counted.
 */

const lists = ['published', 'heldForReview', 'likelySpam'] as const
type List = (typeof lists)[number]
const HOUR = 3_600_000
/** What YouTube holds back is looked for so often. */
const HELD_MS = HOUR
const SPAM_MS = 6 * HOUR
/** How often everything of the last 30 days is read again: comments may be kept for so long, unless they're read again. */
const WHOLE_MS = 24 * HOUR
const KEPT_MS = 30 * 24 * HOUR
/** Pages of 100 threads that such a reading goes back, for each list. */
const DEEPEST = 10
/** Threads whose replies are counted, and comments that are looked at once a day, to see whether they still exist. */
const THREADS = 100
const WATCHED = 150
/** Comments, or videos, of one call by id. */
const AT_ONCE = 50
const TITLES = 50

const Step = z.discriminatedUnion('do', [
  z.object({ do: z.literal('list'), list: z.enum(lists), page: z.string().optional(), depth: z.int() }),
  z.object({ do: z.literal('replies'), thread: z.string(), video: z.string().nullable(), page: z.string().optional() }),
  z.object({ do: z.literal('titles'), videos: z.array(z.string()) }),
  z.object({ do: z.literal('check'), ids: z.array(z.string()) }),
])
type Step = z.infer<typeof Step>
type Of<Do extends Step['do']> = Extract<Step, { do: Do }>

/** Milliseconds since 1970. */
const At = z.number().catch(0)
const Cursor = z.object({
  /** What is left of this reading. */
  todo: z.array(Step).catch([]),
  heldAt: At,
  spamAt: At,
  wholeAt: At,
  /** How many replies the newest threads had. */
  threads: z.record(z.string(), z.number()).catch({}),
  /** When comments that were read were written, the newest ones. */
  watched: z.record(z.string(), z.number()).catch({}),
  /** Titles of videos. */
  titles: z.record(z.string(), z.string()).catch({}),
})
type Cursor = z.infer<typeof Cursor>

type Context = { reach: Reach; own: YoutubeSecret; at: Cursor; now: Date; since: Date }

const read: Inbox['read'] = withSecret(
  async (reach, own, _account, { cursor, since, now }): Promise<ReadAnswer | Refusal> => {
    const kept = Cursor.parse(cursor ?? {})
    const at = kept.todo.length > 0 ? kept : begin(kept, now)
    const [step, ...todo] = at.todo
    if (!step) throw new Error('a reading without a call')
    const answer = await take({ reach, own, at: { ...at, todo }, now, since }, step)
    if (answer.kind === 'done')
      return { kind: 'read', changes: answer.changes, cursor: answer.at, more: answer.at.todo.length > 0 }
    return readingRefused(answer)
  },
)

/** What a reading does now. */
function begin(at: Cursor, now: Date): Cursor {
  const isDue = (last: number, every: number): boolean => now.getTime() - last >= every
  const isWhole = isDue(at.wholeAt, WHOLE_MS)
  const isHeld = isWhole || isDue(at.heldAt, HELD_MS)
  const isSpam = isWhole || isDue(at.spamAt, SPAM_MS)
  const depth = isWhole ? DEEPEST : 1
  return {
    ...at,
    todo: [
      { do: 'list', list: 'published', depth },
      ...(isHeld ? [{ do: 'list' as const, list: 'heldForReview' as const, depth }] : []),
      ...(isSpam ? [{ do: 'list' as const, list: 'likelySpam' as const, depth }] : []),
      ...(isWhole ? checksOf(Object.keys(at.watched)) : []),
    ],
    ...(isHeld && { heldAt: now.getTime() }),
    ...(isSpam && { spamAt: now.getTime() }),
    ...(isWhole && { wholeAt: now.getTime() }),
  }
}

const checksOf = (ids: readonly string[]): Of<'check'>[] =>
  Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, nth) => ({
    do: 'check',
    ids: ids.slice(nth * AT_ONCE, (nth + 1) * AT_ONCE),
  }))

type Taken = { kind: 'done'; changes: InboxChange[]; at: Cursor }

async function take(context: Context, step: Step): Promise<Taken | Refusal> {
  if (step.do === 'list') return await readThreads(context, step)
  if (step.do === 'replies') return await readReplies(context, step)
  return step.do === 'titles' ? await readTitles(context, step) : await check(context, step)
}

/** A page of threads. What they are about is asked first, where that isn't known, and the page is read again. */
async function readThreads(context: Context, step: Of<'list'>): Promise<Taken | Refusal> {
  const { reach, own, at, now, since } = context
  const { list, page, depth } = step
  const found = await call(reach, own, {
    path: '/commentThreads',
    query: {
      part: 'snippet,replies',
      allThreadsRelatedToChannelId: own.channelId,
      moderationStatus: list,
      order: 'time',
      maxResults: String(THREADS),
      textFormat: 'plainText',
      pageToken: page,
    },
    reply: Threads,
  })
  if (found.kind !== 'ok') return forgotten(context, found)
  const { items, nextPageToken: next } = found.value
  const unknown = [...new Set(items.flatMap(({ snippet: { videoId } }) => (videoId === null ? [] : [videoId])))].filter(
    (video) => !Object.hasOwn(at.titles, video),
  )
  if (unknown.length > 0)
    return { kind: 'done', changes: [], at: { ...at, todo: [{ do: 'titles', videos: unknown }, step, ...at.todo] } }
  const changes = items.flatMap((thread) => itemsOf(thread, list, context))
  const oldest = Math.min(...items.map(timeOf))
  const from = Math.max(since.getTime(), now.getTime() - KEPT_MS)
  const goesOn = next !== undefined && next !== page && depth > 1 && items.length > 0 && oldest >= from
  const isNewest = list === 'published' && page === undefined
  // fewer threads than a page holds are all of them
  const vanished = isNewest ? vanishedFrom(at, items, next === undefined ? 0 : oldest) : []
  const lookFor: Step[] =
    vanished.length === 0
      ? []
      : // a comment that YouTube holds back now is only in another list, which is read first
        [
          { do: 'list', list: 'heldForReview', depth: 1 },
          { do: 'list', list: 'likelySpam', depth: 1 },
          ...checksOf(vanished),
        ]
  const more = items.flatMap(({ id, snippet: { totalReplyCount, videoId }, replies: { comments } }): Step[] =>
    totalReplyCount > comments.length && at.threads[id] !== totalReplyCount
      ? [{ do: 'replies', thread: id, video: videoId }]
      : [],
  )
  const seen = new Set(changes.map(({ remoteId }) => remoteId))
  const todo = [
    ...more,
    ...(goesOn ? [{ ...step, page: next, depth: depth - 1 }] : []),
    ...at.todo.map((one) => (one.do === 'check' ? { ...one, ids: one.ids.filter((id) => !seen.has(id)) } : one)),
    ...lookFor,
  ].filter((one) => one.do !== 'check' || one.ids.length > 0)
  const counts = items.map(({ id, snippet }) => [id, snippet.totalReplyCount] as const)
  return {
    kind: 'done',
    changes,
    at: {
      ...at,
      todo,
      ...(isNewest && { threads: Object.fromEntries(counts) }),
      watched: watching(at.watched, changes),
    },
  }
}

/** A page token that YouTube no longer accepts ends this reading: the next one starts over. */
function forgotten({ at }: Context, failed: RestFailed): Taken | Refusal {
  return isForgotten(failed)
    ? { kind: 'done', changes: [], at: { ...at, todo: at.todo.filter((step) => step.do === 'list' && !step.page) } }
    : refusalOf(failed, { doing: 'show-inbox', irreversible: false })
}

/** Comments that were in the newest page's time, and aren't any more; and those of threads that lost replies. */
function vanishedFrom(at: Cursor, items: readonly Thread[], oldest: number): string[] {
  const now = new Set(items.map(({ id }) => id))
  const shrunk = new Set(
    items.flatMap(({ id, snippet }) => ((at.threads[id] ?? 0) > snippet.totalReplyCount ? [id] : [])),
  )
  return Object.entries(at.watched).flatMap(([id, writtenAt]) => {
    const [thread = id, reply] = id.split('.')
    const isGone = reply === undefined ? writtenAt > oldest && !now.has(id) : shrunk.has(thread)
    return isGone ? [id] : []
  })
}

async function readReplies(context: Context, step: Of<'replies'>): Promise<Taken | Refusal> {
  const { reach, own, at } = context
  const found = await call(reach, own, {
    path: '/comments',
    query: { part: 'snippet', parentId: step.thread, maxResults: '100', textFormat: 'plainText', pageToken: step.page },
    reply: Comments,
  })
  if (found.kind !== 'ok')
    // the thread is gone meanwhile: the next reading notices
    return isMissing(found) ? { kind: 'done', changes: [], at } : forgotten(context, found)
  const { items, nextPageToken: next } = found.value
  const subject = subjectOf({ videoId: step.video, postId: null }, at)
  const changes = items.map((one) => itemOf(one, step.thread, 'published', subject, context))
  const goesOn = next !== undefined && next !== step.page && items.length > 0
  const todo = goesOn ? [{ ...step, page: next }, ...at.todo] : at.todo
  return { kind: 'done', changes, at: { ...at, todo, watched: watching(at.watched, changes) } }
}

/** Titles of videos, none for those that YouTube doesn't show. */
async function readTitles({ reach, own, at }: Context, { videos }: Of<'titles'>): Promise<Taken | Refusal> {
  const asked = videos.slice(0, AT_ONCE)
  const found = await call(reach, own, {
    path: '/videos',
    query: { part: 'snippet', id: asked.join(','), maxResults: String(AT_ONCE) },
    reply: Videos,
  })
  if (found.kind !== 'ok') return refusalOf(found, { doing: 'show-inbox', irreversible: false })
  const known = new Map(found.value.items.map(({ id, snippet }) => [id, snippet?.title ?? '']))
  const fresh = asked.map((id) => [id, known.get(id) ?? ''] as const)
  const rest = videos.slice(AT_ONCE)
  // a page can be about more videos than are remembered otherwise: those just asked for always are
  const titles = Object.fromEntries(
    [...Object.entries(at.titles), ...fresh].slice(-Math.max(TITLES, 2 * videos.length)),
  )
  return {
    kind: 'done',
    changes: [],
    at: { ...at, titles, todo: rest.length > 0 ? [{ do: 'titles', videos: rest }, ...at.todo] : at.todo },
  }
}

/** Which comments still exist, whatever their state. Those that don't are deleted. */
async function check({ reach, own, at, now }: Context, { ids }: Of<'check'>): Promise<Taken | Refusal> {
  const found = await call(reach, own, {
    path: '/comments',
    query: { part: 'snippet', id: ids.join(','), textFormat: 'plainText' },
    reply: Comments,
  })
  if (found.kind !== 'ok' && !isMissing(found)) return refusalOf(found, { doing: 'show-inbox', irreversible: false })
  const there = new Set(found.kind === 'ok' ? found.value.items.map(({ id }) => id) : [])
  const gone = ids.filter((id) => !there.has(id))
  const watched = Object.fromEntries(Object.entries(at.watched).filter(([id]) => !gone.includes(id)))
  return {
    kind: 'done',
    changes: gone.map((remoteId) => ({ change: 'deleted', remoteId, at: now })),
    at: { ...at, watched },
  }
}

const isMissing = (failed: RestFailed): boolean => failed.cause === 'answered' && failed.status === 404

function watching(before: Cursor['watched'], changes: readonly InboxChange[]): Cursor['watched'] {
  const heard = changes.flatMap((change) =>
    change.change === 'item' ? [[change.remoteId, change.at.getTime()] as const] : [],
  )
  const all = new Map([...Object.entries(before), ...heard])
  return Object.fromEntries([...all].toSorted(([, a], [, b]) => b - a).slice(0, WATCHED))
}

const timeOf = ({ snippet: { topLevelComment } }: Thread): number =>
  topLevelComment.snippet.publishedAt?.getTime() ?? Number.POSITIVE_INFINITY

function itemsOf(thread: Thread, list: List, context: Context): RemoteItem[] {
  const subject = subjectOf(thread.snippet, context.at)
  const { topLevelComment } = thread.snippet
  // a published thread is in the other lists for the sake of a reply
  return [topLevelComment, ...thread.replies.comments].map((one) => itemOf(one, thread.id, list, subject, context))
}

function itemOf(
  { id, snippet }: Comment,
  thread: string,
  list: List,
  subject: RemoteSubject | null,
  { own, now }: Context,
): RemoteItem {
  const isOurs = snippet.authorChannelId?.value === own.channelId
  const state = snippet.moderationStatus ?? list
  const at = snippet.publishedAt ?? now
  const isEdited = snippet.updatedAt !== null && snippet.updatedAt.getTime() > at.getTime()
  return {
    change: 'item',
    remoteId: id,
    threadKey: thread,
    conversation: 'comment',
    type: id === thread ? 'COMMENT' : 'REPLY',
    parentRemoteId: id === thread ? null : thread,
    author: isOurs ? null : personOf(snippet),
    isOurs,
    counterpart: null,
    text: snippet.textOriginal || snippet.textDisplay,
    media: [],
    at,
    version: (snippet.updatedAt ?? at).getTime(),
    editedAt: isEdited ? snippet.updatedAt : null,
    hidden: state !== 'published',
    held: state === 'heldForReview',
    url: subject?.url?.includes('watch?v=') === true ? `${subject.url}&lc=${id}` : null,
    rating: null,
    subject,
  }
}

function personOf({ authorChannelId, authorDisplayName, authorProfileImageUrl, authorChannelUrl }: Comment['snippet']) {
  if (authorChannelId === null) return null
  const isHandle = authorDisplayName.startsWith('@')
  const person: RemotePerson = {
    remoteId: authorChannelId.value,
    name: isHandle ? authorDisplayName.slice(1) : authorDisplayName,
    handle: isHandle ? authorDisplayName : '',
    pictureUrl: authorProfileImageUrl,
    url: authorChannelUrl,
  }
  return person
}

/** The video, or the channel's post. A comment on the channel itself is about nothing. */
function subjectOf(
  { videoId, postId }: Pick<Thread['snippet'], 'videoId' | 'postId'>,
  at: Cursor,
): RemoteSubject | null {
  const about = { at: null, isOurs: true, person: null }
  if (videoId !== null)
    return {
      ...about,
      remoteId: videoId,
      text: at.titles[videoId] ?? '',
      url: `https://www.youtube.com/watch?v=${videoId}`,
    }
  return postId === null
    ? null
    : { ...about, remoteId: postId, text: '', url: `https://www.youtube.com/post/${postId}` }
}

export const inbox: Inbox = { reads: [['comment']], leastMinutes: 5, read, replies, actions }
