import { because } from '#contract/failures/catalog.ts'
import type { MediaFile, Publish, Reach, Refusal } from '../platform.ts'
import { call, hostOf, refused, withSecret } from './client.ts'
import { isGone } from './refusals.ts'
import { Anything, Context, Status, type MastodonSecret } from './schemas.ts'
import { bodyOf } from './status.ts'
import { idsIn, makeReady } from './uploads.ts'

const TIMEOUT_MS = 30_000
const deleting = 'delete-post'

/**
 * Deletes the post after the account's own replies in a chain below it, last one first: otherwise they would remain.
 * Succeeds if they're already deleted, so it can be repeated. A server accepts 30 deletions in half an hour.
 */
export const remove: Publish['remove'] = withSecret(async (reach, own, _account, remoteId) => {
  const below = await ownAnswers(reach, own, remoteId)
  if (!Array.isArray(below)) return below
  for (const id of [...below.toReversed(), remoteId]) {
    const gone = await call(reach, own, {
      path: `/api/v1/statuses/${id}`,
      method: 'DELETE',
      reply: Anything,
      timeoutMs: TIMEOUT_MS,
    })
    if (gone.kind !== 'ok' && !isGone(gone)) return refused(gone, own, deleting)
  }
  return { kind: 'removed' }
})

/** IDs of the account's own replies to the post or to one of them, oldest first. */
async function ownAnswers(reach: Reach, secret: MastodonSecret, remoteId: string): Promise<string[] | Refusal> {
  const around = await call(reach, secret, { path: `/api/v1/statuses/${remoteId}/context`, reply: Context })
  if (around.kind !== 'ok') return isGone(around) ? [] : refused(around, secret, deleting)
  const chain = new Set([remoteId])
  // the server lists a conversation in order: a reply comes after its parent
  for (const { id, in_reply_to_id: answered, account } of around.value.descendants)
    if (account?.id === secret.userId && answered !== null && chain.has(answered)) chain.add(id)
  return [...chain].slice(1)
}

/** Changes text, warning, language, files and their descriptions; a status's visibility can't be changed. */
export const edit: Publish['edit'] = withSecret(async (reach, own, _account, post, remoteId) => {
  const [item] = post.contents
  if (!item) return { kind: 'rejected', reason: { ...because('mastodon-empty'), platformCode: 'empty' } }
  const before = await call(reach, own, { path: `/api/v1/statuses/${remoteId}`, reply: Status })
  if (before.kind !== 'ok')
    return isGone(before)
      ? { kind: 'rejected', reason: { ...because('post-gone', { platform: hostOf(own) }), platformCode: '404' } }
      : refused(before, own, 'show-post')
  const attached = before.value.media_attachments.map(({ id }) => id)
  const files = await filesFor(reach, own, item.media, post.progress, attached)
  if (files.kind !== 'ids') return files
  const { visibility: _, ...body } = bodyOf(item, post.details, files.ids)
  const described = item.media.flatMap(({ altText }, index) =>
    attached.includes(files.ids[index] ?? '') ? [{ id: files.ids[index] ?? '', description: altText }] : [],
  )
  const changed = await call(reach, own, {
    path: `/api/v1/statuses/${remoteId}`,
    method: 'PUT',
    json: {
      status: '',
      spoiler_text: '',
      sensitive: false,
      ...body,
      ...(described.length > 0 && { media_attributes: described }),
    },
    reply: Status,
    timeoutMs: TIMEOUT_MS,
  })
  // an edit can be repeated, since it sends the same content
  return changed.kind === 'ok' ? { kind: 'edited', remoteId } : refused(changed, own, 'change-post')
})

/**
 * The IDs of the files that the status should show: existing ones stay, others are uploaded. Files left out would be
 * removed.
 */
async function filesFor(
  reach: Reach,
  secret: MastodonSecret,
  media: readonly MediaFile[],
  progress: Record<string, unknown>,
  attached: readonly string[],
): Promise<{ kind: 'ids'; ids: string[] } | Refusal> {
  const known = idsIn(progress)
  const fresh = media.filter(({ assetId }) => !attached.includes(known[assetId] ?? ''))
  let made: Record<string, unknown> = {}
  // one upload per round
  for (let round = 0; round <= fresh.length; round++) {
    const ready = await makeReady(reach, secret, fresh, made)
    if (ready.kind === 'preparing' && ready.checkAfterSeconds > 0)
      return {
        kind: 'retry',
        afterSeconds: ready.checkAfterSeconds,
        reason: { ...because('mastodon-new-files-in-progress', { host: hostOf(secret) }), platformCode: 'processing' },
      }
    if (ready.kind !== 'preparing' && ready.kind !== 'prepared') return ready
    made = ready.progress
  }
  const uploaded = idsIn(made)
  return { kind: 'ids', ids: media.flatMap(({ assetId }) => uploaded[assetId] ?? known[assetId] ?? []) }
}
