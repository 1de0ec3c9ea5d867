import { because } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import type { Inbox, InboxChange, ReadAnswer, RemoteItem, RemoteSubject } from '../inbox.ts'
import type { RestFailed } from '../jsonCalls.ts'
import type { Reach, Refusal } from '../platform.ts'
import { actions } from './reactions.ts'
import { call, encoded, isOrganization, withSecret } from './client.ts'
import { fromLittle } from './littleText.ts'
import { replies } from './replies.ts'
import { isClosed, isGone, refusalOf } from './refusals.ts'
import {
  NOBODY,
  SocialComments,
  SocialNotes,
  type LinkedInSecret,
  type SocialComment,
  type SocialNote,
} from './schemas.ts'

/*
 * Comments on a Page's posts, and posts that mention it. LinkedIn lists what happened to a Page in the last 60 days; only
 * posts on which someone commented are read then, because an app may have as few as 500 calls a day.
 */

const PAGE = 100
/** Notifications may come late. */
const OVERLAP_MS = 10 * 60_000
/** Comments whose deletion is understood, the newest ones. */
const WATCHED = 300
const COMMENTED = new Set(['COMMENT', 'COMMENT_EDIT', 'ADMIN_COMMENT'])
const ACTIONS = [...COMMENTED, 'COMMENT_DELETE', 'SHARE_MENTION'].join(',')
/** Names of those who wrote, which some apps may not read. */
const NAMED =
  '(elements*(*,actor~(localizedFirstName,localizedLastName,localizedName,vanityName,profilePicture(displayImage~:playableStreams))),paging)'

const Step = z.discriminatedUnion('do', [
  z.object({ do: z.literal('notes'), from: z.number(), to: z.number(), start: z.int() }),
  z.object({
    do: z.literal('comments'),
    /** What is commented on: the post, or the comment that `root` names too. */
    of: z.string(),
    post: z.string(),
    text: z.string(),
    root: z.string().nullable(),
    start: z.int(),
    /** The one comment whose replies are read, too; those of every comment if it's not said. */
    only: z.string().nullable().catch(null),
  }),
])
type Step = z.infer<typeof Step>
type Of<Do extends Step['do']> = Extract<Step, { do: Do }>

const Cursor = z.object({
  todo: z.array(Step).catch([]),
  /** Up to when notifications were read, in milliseconds since 1970. */
  upTo: z.number().nullable().catch(null),
  /** LinkedIn refuses names with comments. */
  isNameless: z.boolean().catch(false),
  /** Names of comments by their ids, which is how LinkedIn tells of deletions. */
  urns: z.record(z.string(), z.string()).catch({}),
})
type Cursor = z.infer<typeof Cursor>
type Taken = { kind: 'done'; changes: InboxChange[]; at: Cursor }
type Context = { reach: Reach; own: LinkedInSecret; now: Date }

const asking = { doing: 'show-inbox', irreversible: false } as const

const read: Inbox['read'] = withSecret(
  async (reach, own, _account, { cursor, since, now }): Promise<ReadAnswer | Refusal> => {
    if (!isOrganization(own)) return { kind: 'closed', reason: because('linkedin-profile-inbox'), reconnect: false }
    const kept = Cursor.parse(cursor ?? {})
    const from = kept.upTo === null ? since.getTime() : kept.upTo - OVERLAP_MS
    const at: Cursor =
      kept.todo.length > 0
        ? kept
        : { ...kept, upTo: now.getTime(), todo: [{ do: 'notes', from, to: now.getTime(), start: 0 }] }
    const [step, ...todo] = at.todo
    if (!step) throw new Error('a reading without a call')
    const context = { reach, own, now }
    const left = { ...at, todo }
    const answer = step.do === 'notes' ? await readNotes(context, left, step) : await readComments(context, left, step)
    return answer.kind === 'done'
      ? { kind: 'read', changes: answer.changes, cursor: answer.at, more: answer.at.todo.length > 0 }
      : answer
  },
)

/** What happened to the Page: posts to read again, posts that mention it, deleted comments. */
async function readNotes(
  { reach, own }: Context,
  at: Cursor,
  step: Of<'notes'>,
): Promise<Taken | ReadAnswer | Refusal> {
  const { from, to, start } = step
  const found = await call(reach, own, {
    path: `/rest/organizationalEntityNotifications?q=criteria&actions=List(${ACTIONS})&organizationalEntity=${encoded(own.author)}&timeRange=(start:${from},end:${to})&start=${start}&count=${PAGE}`,
    reply: SocialNotes,
  })
  if (found.kind !== 'ok') {
    const refusal = refusalOf(found, asking)
    return isClosed(found) && refusal.kind === 'rejected'
      ? { kind: 'closed', reason: refusal.reason, reconnect: true }
      : refusal
  }
  const { elements } = found.value
  const changes: InboxChange[] = []
  const commented = new Map<string, string>()
  for (const note of elements) {
    if (note.action === 'SHARE_MENTION') changes.push(...mentionOf(note, own))
    else if (note.action === 'COMMENT_DELETE') changes.push(...deletionOf(note, at))
    else if (COMMENTED.has(note.action) && note.sourcePost !== '')
      commented.set(note.sourcePost, textOf(note.decoratedSourcePost))
  }
  const isQueued = (post: string): boolean =>
    at.todo.some((one) => one.do === 'comments' && one.of === post && one.only === null)
  const further: Step[] = elements.length === PAGE ? [{ ...step, start: start + PAGE }] : []
  const posts = [...commented]
    .filter(([post]) => !isQueued(post))
    .map(([post, text]): Step => ({ do: 'comments', of: post, post, text, root: null, start: 0, only: null }))
  return { kind: 'done', changes, at: { ...at, todo: [...further, ...at.todo, ...posts] } }
}

async function readComments(context: Context, at: Cursor, step: Of<'comments'>): Promise<Taken | Refusal> {
  const found = await commentsOf(context, at.isNameless, step)
  if (found.kind === 'nameless')
    return { kind: 'done', changes: [], at: { ...at, isNameless: true, todo: [step, ...at.todo] } }
  if (found.kind !== 'comments') {
    // the post is gone, and its comments with it
    return found.kind === 'gone' ? { kind: 'done', changes: [], at } : found
  }
  const { elements, total } = found
  const changes = elements.map((one) => itemOf(one, step, context))
  const end = step.start + elements.length
  const goesOn = elements.length > 0 && (total === null ? elements.length === PAGE : end < total)
  const below = elements.flatMap(({ commentUrn, commentsSummary }): Step[] =>
    step.root === null &&
    commentsSummary.totalFirstLevelComments > 0 &&
    (step.only === null || step.only === commentUrn)
      ? [{ ...step, of: commentUrn, root: commentUrn, start: 0 }]
      : [],
  )
  const heard = elements.map(({ commentUrn }) => [idOf(commentUrn), commentUrn] as const)
  return {
    kind: 'done',
    changes,
    at: {
      ...at,
      todo: [...(goesOn ? [{ ...step, start: end }] : []), ...below, ...at.todo],
      urns: Object.fromEntries([...Object.entries(at.urns), ...heard].slice(-WATCHED)),
    },
  }
}

/** A page of comments. `nameless`: LinkedIn refuses to name who wrote them, and may show them all the same. */
async function commentsOf(
  { reach, own }: Context,
  isNameless: boolean,
  { of, start }: Pick<Of<'comments'>, 'of' | 'start'>,
): Promise<
  | { kind: 'comments'; elements: SocialComment[]; total: number | null }
  | { kind: 'nameless' }
  | { kind: 'gone' }
  | Refusal
> {
  const projection = isNameless ? '' : `&projection=${NAMED}`
  const found = await call(reach, own, {
    path: `/rest/socialActions/${encoded(of)}/comments?start=${start}&count=${PAGE}${projection}`,
    reply: SocialComments,
  })
  if (found.kind === 'ok') return { kind: 'comments', elements: found.value.elements, total: found.value.paging.total }
  if (isGone(found)) return { kind: 'gone' }
  return !isNameless && isAboutNames(found) ? { kind: 'nameless' } : refusalOf(found, asking)
}

const isAboutNames = (failed: RestFailed): boolean =>
  failed.cause === 'answered' && (failed.status === 400 || failed.status === 403)

/** LinkedIn's id of a comment: the last part of its name. */
const idOf = (urn: string): string => /(\d+)\)?$/.exec(urn)?.[1] ?? urn

function itemOf(
  comment: SocialComment,
  { post, text, root }: Pick<Of<'comments'>, 'post' | 'text' | 'root'>,
  { own, now }: Context,
): RemoteItem {
  const { commentUrn, actor, created, lastModified, message, content } = comment
  const isOurs = actor === own.author
  const at = created.time ?? now
  const changedAt = lastModified.time ?? at
  return {
    change: 'item',
    remoteId: commentUrn,
    threadKey: root ?? commentUrn,
    conversation: 'comment',
    type: root === null ? 'COMMENT' : 'REPLY',
    parentRemoteId: root,
    author: isOurs ? null : personOf(actor, comment['actor~']),
    isOurs,
    counterpart: null,
    text: message.text,
    media: content.map(({ url }) => ({ kind: 'image', url, name: null, altText: null })),
    at,
    version: changedAt.getTime(),
    editedAt: changedAt > at ? changedAt : null,
    hidden: false,
    url: addressOf(post),
    rating: null,
    subject: subjectOf(post, text),
  }
}

function personOf(urn: string, named: SocialComment['actor~']): RemoteItem['author'] {
  if (urn === '') return null
  const isPage = urn.startsWith('urn:li:organization:')
  const { localizedFirstName: first, localizedLastName: last, localizedName, vanityName, profilePicture } = named
  return {
    remoteId: urn,
    name: localizedName || `${first} ${last}`.trim(),
    handle: '',
    pictureUrl: profilePicture?.['displayImage~'].elements[0]?.identifiers[0]?.identifier ?? null,
    url: vanityName === '' ? null : `https://www.linkedin.com/${isPage ? 'company' : 'in'}/${vanityName}`,
  }
}

const addressOf = (post: string): string => `https://www.linkedin.com/feed/update/${post}/`
const textOf = (decorated: SocialNote['decoratedSourcePost']): string => fromLittle(decorated?.text ?? '')
const subjectOf = (post: string, text: string): RemoteSubject => ({
  remoteId: post,
  text,
  at: null,
  url: addressOf(post),
  isOurs: true,
  person: null,
})

/** A post of someone else that names the Page. What it says comes with the notification: posts of members can't be read. */
function mentionOf(note: SocialNote, own: LinkedInSecret): InboxChange[] {
  const { share, ugcPost } = note.decoratedGeneratedActivity
  const said = share ?? ugcPost ?? note.decoratedSourcePost
  const post = said?.entity || note.generatedActivity || note.sourcePost
  if (post === '' || said?.owner === own.author || note.lastModifiedAt === null) return []
  return [
    {
      change: 'item',
      remoteId: post,
      threadKey: post,
      conversation: 'mention',
      type: 'MENTION_POST',
      parentRemoteId: null,
      author: said ? personOf(said.owner, NOBODY) : null,
      isOurs: false,
      counterpart: null,
      text: textOf(said),
      media: [],
      at: note.lastModifiedAt,
      version: 0,
      editedAt: null,
      hidden: false,
      url: addressOf(post),
      rating: null,
      subject: null,
    },
  ]
}

function deletionOf(note: SocialNote, at: Cursor): InboxChange[] {
  const urn = note.generatedActivity
  return urn === '' || note.lastModifiedAt === null
    ? []
    : [{ change: 'deleted', remoteId: at.urns[idOf(urn)] ?? urn, at: note.lastModifiedAt }]
}

/** The comments of the post, and the replies to this one. Posts that mention the Page can't be read, only notifications of them. */
const again: Inbox['again'] = (cursor, { conversation, threadKey, subjectRemoteId: post, subjectText: text }, now) => {
  if (conversation !== 'comment' || post === null) return undefined
  const kept = Cursor.parse(cursor)
  const from = kept.upTo ?? now.getTime()
  // first what the next reading would do without it
  const before: Step[] =
    kept.todo.length > 0 ? kept.todo : [{ do: 'notes', from: from - OVERLAP_MS, to: now.getTime(), start: 0 }]
  const step: Step = { do: 'comments', of: post, post, text, root: null, start: 0, only: threadKey }
  const isQueued = before.some(
    (one) => one.do === 'comments' && one.of === post && [null, threadKey].includes(one.only),
  )
  return {
    ...kept,
    upTo: kept.todo.length > 0 ? kept.upTo : now.getTime(),
    todo: isQueued ? before : [...before, step],
  }
}

export const inbox: Inbox = { reads: [['comment', 'mention']], leastMinutes: 15, read, again, replies, actions }
