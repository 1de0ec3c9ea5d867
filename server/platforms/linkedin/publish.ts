import type { Doing } from '#contract/failures/calls.ts'
import { because, type Reason } from '#contract/failures/catalog.ts'
import { randomUUID } from 'node:crypto'
import { unsure, type RestFailed } from '../jsonCalls.ts'
import { foundAs, lookBack } from '../lookBack.ts'
import { commentFollowUp } from '../parts.ts'
import type { Outgoing, Publish, Reach, Refusal, SendAnswer } from '../platform.ts'
import { both, isText, type Match } from '../alterations.ts'
import { EARLY_MS, sameText, reconciledAs, type Found } from '../findSent.ts'
import { call, encoded, isOrganization, READ_TIMEOUT_MS, withSecret } from './client.ts'
import { bodyOf, cardOf, filesOf, textOf } from './content.ts'
import { fromLittle, toLittle } from './littleText.ts'
import { duplicateOf, isClosed, isGone, refusalOf } from './refusals.ts'
import { Anything, Comment, Comments, Post, Posts, type LinkedInSecret } from './schemas.ts'
import { makeReady, urnsOf } from './uploads.ts'

const SEND_TIMEOUT_MS = 45_000
const LABEL = 'LinkedIn'
/** The maximum per page (Posts API). A search may read several pages. */
const PAGE = 100
const PAGES = 10
const showing = { doing: 'show-post', irreversible: false } as const
const taking = { doing: 'publish-post', irreversible: true } as const

const notPrepared: Refusal = {
  kind: 'retry',
  first: 'prepare',
  reason: { ...because('not-uploaded', { platform: LABEL }), platformCode: 'not-prepared' },
}

const prepare: Publish['prepare'] = withSecret(async (reach, own, _account, post) => {
  const files = filesOf(post)
  if (!files) return { kind: 'rejected', reason: { ...because('link-picture-missing'), platformCode: 'no-picture' } }
  return await makeReady(reach, own, files, post.progress)
})

const send: Publish['send'] = withSecret(async (reach, own, _account, post) => {
  const body = bodyOf(post, own.author)
  if (!body) return notPrepared
  const made = await call(reach, own, {
    path: '/rest/posts',
    method: 'POST',
    json: body,
    reply: Anything,
    timeoutMs: SEND_TIMEOUT_MS,
  })
  if (made.kind === 'ok') return sentAs(made.headers['x-restli-id'], post.progress)
  const twin = duplicateOf(made)
  if (twin !== undefined && (await isOurs(reach, own, twin, post.createdAt)))
    return { kind: 'sent', remoteId: twin, progress: post.progress }
  return refusalOf(made, taking)
})

/** The response is empty: the post's URN is in a header. */
function sentAs(remoteId: string | undefined, progress: Record<string, unknown>): SendAnswer {
  if (remoteId) return { kind: 'sent', remoteId, progress }
  return { kind: 'unknown', reason: { ...because('post-unnamed', { platform: LABEL }), platformCode: 'no-id' } }
}

/**
 * Whether the post that LinkedIn calls a duplicate is this one, from an earlier attempt whose response was lost, or an
 * older one with the same text. If it can't be read, its ID contains its creation time; if that isn't plausible, we
 * assume it's ours.
 */
async function isOurs(reach: Reach, secret: LinkedInSecret, urn: string, since: Date): Promise<boolean> {
  const seen = await call(reach, secret, { path: `/rest/posts/${encoded(urn)}`, reply: Post })
  const at = (seen.kind === 'ok' ? (seen.value.publishedAt ?? seen.value.createdAt) : null) ?? madeAt(urn)
  return at === null || at.getTime() >= since.getTime() - EARLY_MS
}

/** The first 41 bits of LinkedIn's IDs are milliseconds since 1970; null if that isn't in this century. */
export function madeAt(urn: string): Date | null {
  const [, digits = '0'] = /:(\d{1,20})$/.exec(urn) ?? []
  const at = Number(BigInt(digits) >> 22n)
  return at > Date.UTC(2010, 0) && at < Date.UTC(2100, 0) ? new Date(at) : null
}

const closed = (reason: Reason): Refusal => ({
  kind: 'rejected',
  reason: { ...reason, platformCode: 'r_member_social' },
})
const closedPosts = closed(because('linkedin-posts-closed'))
const closedComments = closed(because('linkedin-comments-closed'))

/**
 * A refused lookup. Hardly any app may read members' posts. For a Page, a permission is missing: after reconnecting,
 * its posts can be read.
 */
const unseen = (secret: LinkedInSecret, failed: RestFailed, doing: Doing, closed: Refusal): Refusal => {
  const refusal = refusalOf(failed, { doing, irreversible: false })
  return isClosed(failed) && !isOrganization(secret) ? closed : unsure(refusal)
}

/** The author's own post since then that has one of our files, or else this text. */
async function find(reach: Reach, secret: LinkedInSecret, post: Outgoing): Promise<Found> {
  const urns = urnsOf(filesOf(post) ?? [], post.progress) ?? []
  const link = cardOf(post)?.uri ?? ''
  const written = textOf(post)
  const says = (commentary: string): Match =>
    sameText(fromLittle(commentary), fromLittle(toLittle(written))) || isText(fromLittle(commentary), written)
  const found = await lookBack({
    label: LABEL,
    things: 'posts',
    since: post.createdAt,
    order: 'newest first',
    mostPages: PAGES,
    page: async (cursor) => {
      const start = Number(cursor ?? 0)
      const list = await call(reach, secret, {
        path: '/rest/posts',
        query: { q: 'author', author: secret.author, count: String(PAGE), start: String(start), sortBy: 'CREATED' },
        reply: Posts,
      })
      // LinkedIn's refusal of duplicates (422) isn't reliable enough to send again
      if (list.kind !== 'ok') return unseen(secret, list, 'show-posts', closedPosts)
      const { elements } = list.value
      const items = elements.map((one) => ({ ...one, at: one.publishedAt ?? one.createdAt ?? madeAt(one.id) }))
      return { kind: 'page', items, next: nextStart(start, elements.length) }
    },
    isCertain: ({ content }) => urns.length > 0 && showsAny(content, urns),
    isIt: ({ commentary, content }) =>
      urns.length === 0 && both(says(commentary), link === '' || showsAny(content, [link]) || mayShow(content)),
  })
  return foundAs(found)
}

/** Pages can be shorter than requested: only an empty one is the last. */
const nextStart = (start: number, count: number): string | null => (count === 0 ? null : String(start + count))

/** Anywhere in the content, whose structure differs by kind of post. */
const showsAny = (content: unknown, names: readonly string[]): boolean => {
  if (typeof content === 'string') return names.includes(content)
  return typeof content === 'object' && content !== null && Object.values(content).some((part) => showsAny(part, names))
}

/** Whether the content has a link card, whose URL LinkedIn may have rewritten. */
const mayShow = (content: unknown): Match =>
  typeof content === 'object' && content !== null && 'article' in content ? 'maybe' : false

const reconcile: Publish['reconcile'] = withSecret(async (reach, own, _account, post) =>
  reconciledAs(await find(reach, own, post), post.progress),
)

export const permalinkOf = (urn: string): string => `https://www.linkedin.com/feed/update/${urn}/`

const readBack: Publish['readBack'] = withSecret(async (reach, own, _account, _post, remoteId) => {
  const seen = await call(reach, own, { path: `/rest/posts/${encoded(remoteId)}`, reply: Post })
  // most apps can't read a member's posts: LinkedIn has acknowledged it, and its URL follows from its URN
  if (seen.kind !== 'ok' && isClosed(seen)) return { kind: 'live', permalink: permalinkOf(remoteId) }
  if (seen.kind !== 'ok') return isGone(seen) ? { kind: 'missing' } : unsure(refusalOf(seen, showing))
  if (seen.value.lifecycleState === 'PUBLISH_REQUESTED' || seen.value.lifecycleState === 'PROCESSING')
    return {
      kind: 'retry',
      afterSeconds: 30,
      reason: { ...because('still-working', { platform: LABEL }), platformCode: seen.value.lifecycleState },
    }
  return seen.value.lifecycleState === 'PUBLISH_FAILED'
    ? { kind: 'missing' }
    : { kind: 'live', permalink: permalinkOf(remoteId) }
})

const commentsOf = (urn: string): string => `/rest/socialActions/${encoded(urn)}/comments`

const sendFollowUp: NonNullable<Publish['sendFollowUp']> = withSecret(async (reach, own, _account, post, part) => {
  const object = part.sent[0]?.remoteId ?? ''
  const made = await call(reach, own, {
    path: commentsOf(object),
    method: 'POST',
    json: { actor: own.author, object, message: { text: post.firstComment ?? '' } },
    reply: Comment,
    timeoutMs: SEND_TIMEOUT_MS,
  })
  if (made.kind !== 'ok') return refusalOf(made, { doing: 'publish-comment', irreversible: true })
  const remoteId = made.value.commentUrn || made.value.id || made.headers['x-restli-id']
  return remoteId
    ? { kind: 'sent', remoteId, progress: part.progress }
    : { kind: 'unknown', reason: { ...because('comment-unnamed', { platform: LABEL }), platformCode: 'no-id' } }
})

const reconcileFollowUp: NonNullable<Publish['reconcileFollowUp']> = withSecret(
  async (reach, own, _account, post, part) => {
    const found = await lookBack({
      label: LABEL,
      things: 'comments',
      since: post.createdAt,
      order: 'not promised',
      mostPages: PAGES,
      page: async (cursor) => {
        const start = Number(cursor ?? 0)
        const list = await call(reach, own, {
          path: commentsOf(part.sent[0]?.remoteId ?? ''),
          query: { start: String(start), count: String(PAGE) },
          reply: Comments,
        })
        if (list.kind !== 'ok') return unseen(own, list, 'show-comments', closedComments)
        const { elements } = list.value
        const items = elements.map((one) => ({ ...one, id: one.commentUrn || one.id, at: one.created.time }))
        return { kind: 'page', items, next: nextStart(start, elements.length) }
      },
      isIt: ({ actor, message }) => actor === own.author && isText(message.text, post.firstComment),
    })
    return reconciledAs(foundAs(found), part.progress)
  },
)

/** Succeeds if the post is already deleted, so it can be repeated. Comments are deleted with their post. */
const remove: Publish['remove'] = withSecret(async (reach, own, _account, remoteId) => {
  const gone = await call(reach, own, {
    path: `/rest/posts/${encoded(remoteId)}`,
    method: 'DELETE',
    reply: Anything,
    timeoutMs: SEND_TIMEOUT_MS,
  })
  return gone.kind === 'ok' || isGone(gone)
    ? { kind: 'removed' }
    : refusalOf(gone, { doing: 'delete-post', irreversible: false })
})

/** Only the text changes: files and cards stay. An edit can be repeated, since it sends the same text. */
const edit: Publish['edit'] = withSecret(async (reach, own, _account, post, remoteId) => {
  const changed = await call(reach, own, {
    path: `/rest/posts/${encoded(remoteId)}`,
    method: 'POST',
    headers: { 'X-RestLi-Method': 'PARTIAL_UPDATE' },
    json: { patch: { $set: { commentary: toLittle(textOf(post)) } } },
    reply: Anything,
    timeoutMs: SEND_TIMEOUT_MS,
  })
  return changed.kind === 'ok'
    ? { kind: 'edited', remoteId }
    : refusalOf(changed, { doing: 'change-post', irreversible: false })
})

export const publish: Publish = {
  chooseSendKey: () => randomUUID(),
  sendTimeoutSeconds: (SEND_TIMEOUT_MS + READ_TIMEOUT_MS) / 1000 + 5,
  needsPrepare: (post) => post.contents.some(({ media }) => media.length > 0) || Boolean(cardOf(post)?.imageAssetId),
  prepare,
  send,
  readBack,
  reconcile,
  sendIsRepeatable: false,
  followUps: commentFollowUp,
  sendFollowUp,
  reconcileFollowUp,
  remove,
  edit,
}
