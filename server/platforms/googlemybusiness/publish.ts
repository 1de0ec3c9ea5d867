import { because } from '#contract/failures/catalog.ts'
import { randomUUID } from 'node:crypto'
import { isGone } from '../google.ts'
import { foundAs, lookBack } from '../lookBack.ts'
import type { Publish, Refusal, SendAnswer } from '../platform.ts'
import { both, isText } from '../alterations.ts'
import { reconciledAs } from '../findSent.ts'
import { call, READ_TIMEOUT_MS, refusalOf, unclear, withSecret } from './client.ts'
import { recordOf, topicOf, wordsOf } from './record.ts'
import { Anything, LocalPost, LocalPosts, Prepared } from './schemas.ts'

const SEND_TIMEOUT_MS = 60_000
const CHANGE_TIMEOUT_MS = 30_000
/** Google reviews each post before showing it: usually within a minute, sometimes for hours. */
const EARLY_LOOKS = 10
const lookAfter = (looks: number): number => (looks < EARLY_LOOKS ? 30 : 600)

/**
 * What the state of a post means. A post that Google accepted and hasn't rejected exists, even if it's still under
 * review.
 */
function outcomeOf(post: LocalPost, progress: Record<string, unknown>, looks: number): SendAnswer {
  const next = { ...progress, name: post.name, looks }
  if (post.state === 'REJECTED') return refusedByGoogle
  return post.state === 'PROCESSING' || post.state === '' || post.state === 'LOCAL_POST_STATE_UNSPECIFIED'
    ? { kind: 'processing', progress: next, checkAfterSeconds: lookAfter(looks) }
    : { kind: 'sent', remoteId: post.name, progress: next }
}
const refusedByGoogle: Refusal = {
  kind: 'rejected',
  reason: { ...because('google-post-rejected'), platformCode: 'REJECTED' },
}

const send: Publish['send'] = withSecret(async (reach, own, _account, post): Promise<SendAnswer> => {
  const made = recordOf(post)
  if (made.kind !== 'record') return made
  // one attempt: Google has no idempotency key
  const sent = await call(reach, own, {
    path: `${own.parent}/localPosts`,
    method: 'POST',
    json: made.record,
    reply: LocalPost,
    timeoutMs: SEND_TIMEOUT_MS,
  })
  return sent.kind === 'ok'
    ? outcomeOf(sent.value, post.progress, 0)
    : refusalOf(sent, { doing: 'publish-post', irreversible: true })
})

const poll: Publish['poll'] = withSecret(async (reach, own, _account, post): Promise<SendAnswer> => {
  const { name, looks } = Prepared.parse(post.progress)
  if (name === null) return { kind: 'unknown', reason: { ...because('google-post-unnamed'), platformCode: 'no-name' } }
  const seen = await call(reach, own, { path: name, reply: LocalPost })
  if (seen.kind === 'ok') return outcomeOf(seen.value, post.progress, looks + 1)
  return isGone(seen)
    ? { kind: 'rejected', reason: { ...because('google-post-gone'), platformCode: 'gone' } }
    : unclear(seen)
})

const readBack: Publish['readBack'] = withSecret(async (reach, own, _account, _post, remoteId) => {
  const seen = await call(reach, own, { path: remoteId, reply: LocalPost })
  if (seen.kind === 'ok')
    return seen.value.state === 'REJECTED'
      ? refusedByGoogle
      : { kind: 'live', permalink: seen.value.searchUrl ?? own.mapsUri ?? 'https://business.google.com/posts' }
  return isGone(seen) ? { kind: 'missing' } : unclear(seen)
})

/** How many pages of a hundred posts one search may read. */
const PAGES = 10

/** The location's own post of this kind with this text, since then. */
const reconcile: Publish['reconcile'] = withSecret(async (reach, own, _account, post) => {
  const [item] = post.contents
  const topic = topicOf(post)
  const found = await lookBack({
    label: 'Google',
    things: 'posts',
    since: post.createdAt,
    order: 'not promised',
    mostPages: PAGES,
    page: async (token) => {
      const query = { pageSize: '100', pageToken: token ?? undefined }
      const list = await call(reach, own, { path: `${own.parent}/localPosts`, query, reply: LocalPosts })
      if (list.kind !== 'ok') return unclear(list)
      const items = list.value.localPosts.map((one) => ({ ...one, id: one.name, at: one.createTime }))
      return { kind: 'page', items, next: list.value.nextPageToken || null }
    },
    isIt: (one) =>
      one.topicType === topic &&
      both(isText(one.summary, item?.text), topic === 'STANDARD' || isText(one.event?.title, item?.title)),
  })
  const progress = found.kind === 'found' ? { ...post.progress, name: found.item.name } : post.progress
  return reconciledAs(foundAs(found), progress)
})

const remove: Publish['remove'] = withSecret(async (reach, own, _account, remoteId) => {
  const gone = await call(reach, own, {
    path: remoteId,
    method: 'DELETE',
    reply: Anything,
    timeoutMs: CHANGE_TIMEOUT_MS,
  })
  return gone.kind === 'ok' || isGone(gone)
    ? { kind: 'removed' }
    : refusalOf(gone, { doing: 'delete-post', irreversible: false })
})

/** Everything in the update mask; picture and kind stay. What the mask names and the post lacks is removed. */
const edit: Publish['edit'] = withSecret(async (reach, own, _account, post, remoteId) => {
  const said = wordsOf(post)
  if (said.kind !== 'words') return said
  const fields = {
    STANDARD: ['summary', 'callToAction'],
    EVENT: ['summary', 'event', 'callToAction'],
    OFFER: ['summary', 'event', 'offer'],
  }[topicOf(post)]
  const changed = await call(reach, own, {
    path: remoteId,
    method: 'PATCH',
    query: { updateMask: fields.join(',') },
    json: said.words,
    reply: LocalPost,
    timeoutMs: CHANGE_TIMEOUT_MS,
  })
  // an update can be repeated: it sends the same content
  return changed.kind === 'ok'
    ? { kind: 'edited', remoteId }
    : refusalOf(changed, { doing: 'change-post', irreversible: false })
})

export const publish: Publish = {
  chooseSendKey: () => randomUUID(),
  sendTimeoutSeconds: (SEND_TIMEOUT_MS + READ_TIMEOUT_MS) / 1000 + 5,
  prepare: async (_reach, _secret, _account, post) => ({ kind: 'prepared', progress: post.progress }),
  needsPrepare: () => false,
  send,
  poll,
  readBack,
  reconcile,
  sendIsRepeatable: false,
  remove,
  edit,
}
