import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { PastPost, rememberPosts } from './pastPosts.ts'
import { writeMessage } from './xMessages.ts'
import type { SimulatedPost, World } from './world.ts'

/*
 * What people wrote to accounts before the simulators started, so that it can be answered, liked and hidden: `npm run
 * seed` writes this file along with the rows, development and `npm run demo` load it.
 */

const Someone = z.object({ remoteId: z.string(), name: z.string(), handle: z.string(), pictureUrl: z.string() })
const PastItem = z.object({
  remoteId: z.string(),
  conversation: z.enum(['comment', 'message', 'mention', 'review']),
  /** The first of the conversation's items. */
  root: z.string(),
  /** The item that it answers. */
  parent: z.string().nullable(),
  /** The account's post that it's about. */
  subject: z.object({ remoteId: z.string(), text: z.string(), at: z.number() }).nullable(),
  /** Null: the account itself. */
  author: Someone.nullable(),
  /** The other side of a message. */
  counterpart: Someone.nullable(),
  text: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
  stars: z.number().nullable(),
  hidden: z.boolean(),
  held: z.boolean(),
  deleted: z.boolean(),
})
/** `account`: the platform's ID of the account that was written to, which has this name and handle. */
const Past = z.array(
  z.object({
    platform: PlatformKey,
    account: z.string(),
    name: z.string(),
    handle: z.string(),
    items: z.array(PastItem),
    /** Its published posts. */
    posts: z.array(PastPost).default([]),
  }),
)

export type PastItem = z.infer<typeof PastItem>
export type Past = z.infer<typeof Past>
export type PastOfAccount = Past[number]

/** The file's name, in DATA_DIR. */
export const PAST_FILE = 'simulated-past.json'

/** Reads such a file; nothing if there is none. */
export function readPast(path: string): Past {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
  return Past.parse(JSON.parse(text))
}

type Stored = Pick<SimulatedPost, 'kind'> & Partial<SimulatedPost>

/** Lets a platform remember what was written to its accounts. */
export function remember(world: World, past: Past): void {
  const own = past.filter(({ platform }) => platform === world.key)
  for (const { account, name, handle } of own)
    Object.assign(world.account(worldIdOf(account)) ?? {}, { name, handle: nameIn(handle) })
  for (const { account, posts } of own) rememberPosts(world, worldIdOf(account), posts)
  const items = own
    .flatMap(({ account, items: all }) => all.map((item) => ({ account: authorId(world, account), item })))
    .toSorted((a, b) => a.item.at - b.item.at)
  for (const { account, item } of items) {
    meet(world, item)
    if (item.subject) keep(world, account, subjectOf(world, account, item.subject))
    if (world.key === 'x' && item.conversation === 'message') {
      const [from, to] = item.author ? [item.author.remoteId, account] : [account, item.counterpart?.remoteId ?? '']
      writeMessage(world, { id: item.remoteId, from, to, text: item.text, at: item.at })
    } else if (world.key === 'googlemybusiness') review(world, account, item)
    else keep(world, account, storedAs(world, account, item))
  }
}

/** People who write can't sign in here, but have names and pictures. */
function meet(world: World, { author, counterpart }: PastItem): void {
  for (const one of [author, counterpart]) {
    if (!one) continue
    const id = worldIdOf(one.remoteId)
    if (!world.account(id))
      world.others.push({ id, name: one.name, handle: nameIn(one.handle), picture: one.pictureUrl, owns: [] })
  }
}

/** `@name@server` without server. */
const nameIn = (handle: string): string => handle.replace(/^@/, '').replace(/@.*$/, '')

/** LinkedIn names people and Pages by URNs, and Mastodon's accounts have a server; here they have the number in it. */
export const worldIdOf = (remoteId: string): string =>
  (/^urn:li:\w+:(.+)$/.exec(remoteId)?.[1] ?? remoteId).replace(/@.*$/, '')

/** Posts name their account as the platform's calls do: LinkedIn by its URN. */
const authorId = ({ key }: World, account: string): string => (key === 'linkedin' ? account : worldIdOf(account))

type Known = Stored & { id: string; text: string; createdAt: number }

function keep(world: World, account: string, post: Known): void {
  if (world.posts.has(post.id)) return
  world.posts.set(post.id, {
    account,
    media: [],
    permalink: `https://${world.key}.simulated/${post.id}`,
    parent: null,
    deleted: false,
    more: {},
    ...post,
  })
}

const subjectKinds: Partial<Record<PlatformKey, string>> = {
  facebook: 'post',
  instagram: 'IMAGE',
  threads: 'TEXT',
  linkedin: 'post',
  x: 'post',
  youtube: 'video',
  mastodon: 'status',
}

function subjectOf(world: World, account: string, { remoteId: id, text, at }: NonNullable<PastItem['subject']>): Known {
  return { id, account, text, createdAt: at, kind: subjectKinds[world.key] ?? 'post', more: ofPost(world, id, text) }
}

const HAVE_COMMENTS = new Set<PlatformKey>(['facebook', 'instagram', 'linkedin', 'youtube'])

/** What a platform calls something that is written now: a comment where it has those, or a post of its usual kind. */
export function writtenKind({ key }: World, parent: string | null): string {
  return parent !== null && HAVE_COMMENTS.has(key) ? 'comment' : (subjectKinds[key] ?? 'status')
}

/** What a platform's own lists show of a post besides its text. */
function ofPost({ key }: World, id: string, text: string): Record<string, unknown> {
  if (key === 'x') return { history: [id], altTexts: [] }
  if (key === 'mastodon') return { visibility: 'public', spoiler_text: '', sensitive: false, altTexts: [] }
  if (key === 'youtube')
    return { snippet: { title: text.slice(0, 100), description: text }, status: { privacyStatus: 'public' }, looks: 0 }
  if (key === 'linkedin') return { body: { author: '', commentary: text } }
  return {}
}

function storedAs(world: World, us: string, item: PastItem): Known {
  const { key } = world
  const { conversation, root, subject, hidden, held, deleted, text, at } = item
  const isRoot = item.remoteId === root
  const common = {
    id: key === 'linkedin' ? commentNumber(item.remoteId) : item.remoteId,
    account: item.author?.remoteId ?? us,
    text,
    createdAt: at,
    deleted,
  }
  if (conversation === 'message' && key !== 'mastodon')
    return { ...common, kind: 'message', more: { page: us, with: item.counterpart?.remoteId } }
  if (key === 'x' || key === 'mastodon' || key === 'threads')
    return {
      ...common,
      kind: subjectKinds[key] ?? 'post',
      parent: item.parent ?? subject?.remoteId ?? null,
      more: {
        ...ofPost(world, item.remoteId, text),
        ...(hidden && { hidden, hiddenReply: true }),
        ...(conversation === 'message' && { visibility: 'direct' }),
      },
    }
  if (conversation === 'mention' && isRoot)
    return { ...common, kind: key === 'linkedin' ? 'post' : 'tagged', more: { page: us, tags: us } }
  // one level of answers, as these platforms have it
  const above = isRoot ? (subject?.remoteId ?? null) : key === 'linkedin' ? commentNumber(root) : root
  return {
    ...common,
    kind: 'comment',
    parent: above,
    more: { ...(hidden && { hidden, status: held ? 'heldForReview' : 'rejected' }) },
  }
}

/** LinkedIn finds comments by the number in `urn:li:comment:(post,number)`. */
const commentNumber = (urn: string): string => /(\d+)\)$/.exec(urn)?.[1] ?? urn

/** A review, or the one reply that it has. */
function review(world: World, location: string, item: PastItem): void {
  const { root, remoteId, author, text, at, stars, deleted } = item
  const known = world.posts.get(root)
  if (remoteId !== root) {
    if (known && !author) known.more.reply = { comment: text, at, state: 'APPROVED' }
    return
  }
  keep(world, location, {
    id: remoteId,
    account: location,
    kind: 'review',
    text,
    createdAt: at,
    deleted,
    more: { stars: stars ?? 5, reviewer: author?.name ?? '' },
  })
}
