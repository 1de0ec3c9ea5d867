import { randomUUID } from 'node:crypto'
import { because } from '#contract/failures/catalog.ts'
import { mentioning } from '#contract/platforms/fediverse.ts'
import type { InboxActions, InboxReplies, OutgoingReply } from '../inbox.ts'
import type { Reach, Refusal } from '../platform.ts'
import { call, hostOf, refused, withSecret } from './client.ts'
import { alreadyThere, find, publishStatus, settled, type Wanted } from './publish.ts'
import { isAttached, isGone } from './refusals.ts'
import { Anything, Spoken, Status, type MastodonSecret } from './schemas.ts'
import { idsOf, makeReady } from './uploads.ts'

/*
 * Replies on Mastodon (docs.joinmastodon.org, methods/statuses): a status that answers another one, mentions the people of
 * that one, and is seen by as many. Without something to answer, a private mention of the other side.
 */

const TIMEOUT_MS = 15_000

/** What a reply says, to whom, as a status. */
type Composed = { kind: 'composed'; text: string; warning: string; visibility: string; replyTo: string | null }

/** Reads what is answered: whom it mentions and who sees it is known there alone. */
async function compose(reach: Reach, own: MastodonSecret, reply: OutgoingReply): Promise<Composed | Refusal> {
  const { parent, counterpart, text } = reply
  if (!parent) {
    const handles = counterpart ? [counterpart.handle.replace(/^@/, '')] : []
    return { kind: 'composed', text: mentioning(text, handles), warning: '', visibility: 'direct', replyTo: null }
  }
  const seen = await call(reach, own, { path: `/api/v1/statuses/${parent.remoteId}`, reply: Spoken })
  if (seen.kind !== 'ok') return isGone(seen) ? gone(own) : refused(seen, own, 'show-post')
  const { visibility, spoiler_text: warning, id } = seen.value
  return { kind: 'composed', text: mentioning(text, peopleOf(seen.value, own)), warning, visibility, replyTo: id }
}

const gone = (own: MastodonSecret): Refusal => ({
  kind: 'rejected',
  reason: { ...because('inbox-item-gone', { platform: hostOf(own) }), platformCode: '404' },
})

/** Who wrote a status and whom it mentions, without the account itself. */
const peopleOf = ({ account, mentions }: Spoken, own: MastodonSecret): string[] => [
  ...new Set([account, ...mentions].flatMap(({ id, acct }) => (id === own.userId || acct === '' ? [] : [acct]))),
]

const wantedOf = (reply: OutgoingReply, { text, warning, replyTo }: Composed, mediaIds: readonly string[]): Wanted => ({
  item: { text, media: reply.media },
  warning,
  mediaIds,
  replyTo,
  known: reply.others,
  since: reply.createdAt,
})

const notPrepared: Refusal = {
  kind: 'retry',
  first: 'prepare',
  reason: { ...because('not-uploaded', { platform: 'Mastodon' }), platformCode: 'not-prepared' },
}

export const replies: InboxReplies = {
  chooseSendKey: () => randomUUID(),
  // the server knows the key for an hour only, and only once the first call has come to its end
  sendIsRepeatable: false,
  prepare: withSecret(async (reach, own, _account, reply) => await makeReady(reach, own, reply.media, reply.progress)),
  send: withSecret(async (reach, own, _account, reply) => {
    const composed = await compose(reach, own, reply)
    if (composed.kind !== 'composed') return composed
    const mediaIds = idsOf(reply.media, reply.progress)
    if (!mediaIds) return notPrepared
    const { text, warning, visibility, replyTo } = composed
    const made = await publishStatus(reach, own, reply.sendKey, {
      ...(text && { status: text }),
      ...(mediaIds.length > 0 && { media_ids: [...mediaIds] }),
      ...(replyTo !== null && { in_reply_to_id: replyTo }),
      ...(warning && { spoiler_text: warning, sensitive: true }),
      visibility,
    })
    if (made.kind === 'ok') return { kind: 'sent', remoteId: made.value.id, progress: reply.progress }
    const there = await alreadyThere(isAttached(made), reach, own, wantedOf(reply, composed, mediaIds), reply.progress)
    if (there) return there
    return isGone(made) ? gone(own) : refused(made, own, 'publish-reply', true)
  }),
  reconcile: withSecret(async (reach, own, _account, reply) => {
    const composed = await compose(reach, own, reply)
    // what it answered is gone, and with it what it said to whom: a person sees the account
    if (composed.kind !== 'composed') return composed
    const mediaIds = idsOf(reply.media, reply.progress)
    return mediaIds
      ? settled(await find(reach, own, wantedOf(reply, composed, mediaIds)), reply.progress)
      : { kind: 'absent' }
  }),
  remove: withSecret(async (reach, own, _account, remoteId) => {
    const path = `/api/v1/statuses/${remoteId}`
    const done = await call(reach, own, { path, method: 'DELETE', reply: Anything, timeoutMs: TIMEOUT_MS })
    return done.kind === 'ok' || isGone(done) ? { kind: 'removed' } : refused(done, own, 'delete-reply')
  }),
  // what isn't named would be taken off: files and warning stay as they are
  edit: withSecret(async (reach, own, _account, remoteId, text) => {
    const path = `/api/v1/statuses/${remoteId}`
    const [seen, shown] = [
      await call(reach, own, { path, reply: Spoken }),
      await call(reach, own, { path, reply: Status }),
    ]
    if (seen.kind !== 'ok') return isGone(seen) ? gone(own) : refused(seen, own, 'show-post')
    if (shown.kind !== 'ok') return isGone(shown) ? gone(own) : refused(shown, own, 'show-post')
    const { spoiler_text: warning } = seen.value
    const changed = await call(reach, own, {
      path,
      method: 'PUT',
      json: {
        status: mentioning(text, peopleOf(seen.value, own)),
        spoiler_text: warning,
        sensitive: warning !== '',
        media_ids: shown.value.media_attachments.map(({ id }) => id),
      },
      reply: Status,
      timeoutMs: TIMEOUT_MS,
    })
    return changed.kind === 'ok' ? { kind: 'edited', remoteId } : refused(changed, own, 'change-reply')
  }),
}

export const actions: InboxActions = {
  react: withSecret(async (reach, own, _account, { remoteId }, reaction) => {
    const path = `/api/v1/statuses/${remoteId}/${reaction === null ? 'unfavourite' : 'favourite'}`
    const done = await call(reach, own, { path, method: 'POST', reply: Anything, timeoutMs: TIMEOUT_MS })
    if (done.kind === 'ok') return { kind: 'done' }
    return isGone(done) ? gone(own) : refused(done, own, 'react-to-item')
  }),
}
