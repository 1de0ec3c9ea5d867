import { z } from 'zod'
import type { Inbox, InboxChange, ReadAnswer, ReadAsk, RemoteSubject } from './inbox.ts'
import type { Refusal } from './calls.ts'
import { changesIn, forget, Memory, missingFrom, type Listed } from './graphMemory.ts'

/*
 * Reading the comments of an account's posts on Meta's platforms, which list them post by post, newest first. One turn is one
 * page: of posts with the newest comments of each, or of the older comments of one post. Every reading looks at the newest
 * posts; the older ones are looked at once an hour.
 */

const HOUR = 3_600_000
/** Pages of posts that one look at older posts reads. */
const PAGES = 8
/** Ids that one page looks up one by one because their list no longer shows them. */
const LOOKS = 10
/** Leads to a post's newest comments, where the page of posts brought none. */
export const NEWEST = ''

/** A post whose comments are shown newest first, as far as this page goes. */
export type CommentedPost = {
  id: string
  /** When it was published, where that is known: posts of before the first reading are left out. */
  at: Date | null
  subject: RemoteSubject | null
  comments: readonly Listed[]
  /** What leads to the older comments; null where these are all. */
  older: string | null
}
export type Stopped = Refusal | Extract<ReadAnswer, { kind: 'closed' }>

type PostPage = {
  kind: 'posts'
  posts: readonly CommentedPost[]
  next: string | null
  /** Where the posts are in the inbox themselves: the list that they stand in, on its first page. */
  list?: { name: string; isWhole: boolean }
}

export type CommentSource = {
  /** A page of posts, newest first. */
  posts: (after: string | null) => Promise<PostPage | Stopped>
  /** Older comments of a post. */
  comments: (
    post: string,
    subject: RemoteSubject | null,
    after: string,
  ) => Promise<{ kind: 'comments'; comments: readonly Listed[]; older: string | null } | Stopped>
  /** Whether something is still there, though its list doesn't show it. */
  isThere: (id: string) => Promise<boolean | Stopped>
}

const Person = z
  .object({
    remoteId: z.string(),
    name: z.string(),
    handle: z.string(),
    pictureUrl: z.string().nullable(),
    url: z.string().nullable(),
  })
  .nullable()
const Subject = z
  .object({
    remoteId: z.string(),
    text: z.string(),
    at: z.coerce.date().nullable(),
    url: z.string().nullable(),
    isOurs: z.boolean(),
    person: Person,
  })
  .nullable()
  .catch(null)
const Cursor = z.object({
  /** Posts are being listed behind this page. */
  after: z.string().nullable().catch(null),
  pages: z.int().catch(0),
  /** Posts whose older comments are still to be read. */
  open: z.array(z.object({ post: z.string(), subject: Subject, after: z.string() })).catch([]),
  /** When the reading that is under way began, when the last one did, and the last one that looked at older posts (ms). */
  beganAt: z.number().nullable().catch(null),
  readTo: z.number().nullable().catch(null),
  deepAt: z.number().nullable().catch(null),
  isDeep: z.boolean().catch(true),
  memory: Memory,
})
type Cursor = z.infer<typeof Cursor>

/** One page of comments, as an adapter's `read` answers it. */
export async function readComments(
  source: CommentSource,
  { cursor, since, now }: Pick<ReadAsk, 'cursor' | 'since' | 'now'>,
): ReturnType<Inbox['read']> {
  const at = Cursor.parse(cursor ?? {})
  const isNew = at.beganAt === null
  const beganAt = at.beganAt ?? now.getTime()
  const isDeep = isNew ? now.getTime() - (at.deepAt ?? 0) >= HOUR : at.isDeep
  const floor = at.readTo === null ? since.getTime() : at.readTo - HOUR
  const page = await readPage(source, at, isNew, floor)
  if (page.kind !== 'page') return page
  const seen = changesIn(
    at.memory,
    page.posts.flatMap(({ comments }) => comments),
    { now, readTo: at.readTo },
  )
  const gone = page.isNewest ? await deletionsIn(source, at.memory, page, now) : { changes: [], ids: [] }
  if ('kind' in gone) return gone
  const pages = page.listed ? (isNew ? 1 : at.pages + 1) : at.pages
  const reaches = page.posts.every((post) => post.at === null || post.at >= since)
  const next = page.next !== null && isDeep && pages < PAGES && reaches ? page.next : null
  const after = page.listed ? next : at.after
  const more = page.open.length > 0 || after !== null
  const kept = {
    pages,
    open: page.open,
    memory: forget(seen.memory, gone.ids),
  }
  const cursorAfter: Cursor = more
    ? { ...kept, after, beganAt, isDeep, readTo: at.readTo, deepAt: at.deepAt }
    : { ...kept, after: null, beganAt: null, isDeep, readTo: beganAt, deepAt: isDeep ? beganAt : at.deepAt }
  return { kind: 'read', changes: [...seen.changes, ...gone.changes], cursor: cursorAfter, more }
}

type Page = {
  kind: 'page'
  posts: readonly Pick<CommentedPost, 'id' | 'at' | 'comments' | 'older'>[]
  open: Cursor['open']
  /** A page of posts, not of one post's comments. */
  listed: boolean
  /** The comments are the newest of their posts: what they don't show, nothing does. */
  isNewest: boolean
  next: string | null
  list?: PostPage['list']
}

/** The older comments of one post come before the next page of posts. */
async function readPage(source: CommentSource, at: Cursor, isNew: boolean, floor: number): Promise<Page | Stopped> {
  const [first, ...rest] = at.open
  if (first && !isNew) {
    const { post, subject, after } = first
    const read = await source.comments(post, subject, after)
    if (read.kind !== 'comments') return read
    const goesOn = read.older !== null && read.older !== after && isRecent(read.comments, floor)
    const open = goesOn ? [{ ...first, after: read.older ?? '' }, ...rest] : rest
    const posts = [{ id: post, at: null, comments: read.comments, older: read.older }]
    return { kind: 'page', posts, open, listed: false, isNewest: after === NEWEST, next: null }
  }
  const read = await source.posts(isNew ? null : at.after)
  if (read.kind !== 'posts') return read
  const open = read.posts.flatMap(({ id, subject, comments, older }) =>
    older !== null && isRecent(comments, floor) ? [{ post: id, subject, after: older }] : [],
  )
  return {
    kind: 'page',
    posts: read.posts,
    open,
    listed: true,
    isNewest: true,
    next: read.next,
    ...(read.list && { list: read.list }),
  }
}

/** Whether comments before these can be news; where none came with the post, they can. */
const isRecent = (comments: readonly Listed[], floor: number): boolean =>
  comments.every(({ item }) => item.at.getTime() >= floor)

async function deletionsIn(
  source: CommentSource,
  memory: Memory,
  { posts, list }: Page,
  now: Date,
): Promise<{ changes: InboxChange[]; ids: string[] } | Stopped> {
  const missing = posts.flatMap(({ id, comments, older }) =>
    missingFrom(
      memory,
      id,
      comments.map(({ item }) => ({ id: item.remoteId, at: item.at })),
      older === null,
    ),
  )
  if (list) missing.push(...missingFrom(memory, list.name, posts, list.isWhole))
  const [changes, ids] = [new Array<InboxChange>(), new Array<string>()]
  for (const id of missing.slice(0, LOOKS)) {
    const there = await source.isThere(id)
    if (typeof there === 'object') return there
    ids.push(id)
    if (!there) changes.push({ change: 'deleted', remoteId: id, at: now })
  }
  return { changes, ids }
}
