import { because } from '#contract/failures/catalog.ts'
import { COMMENT, itemKey, threadFollowUps } from '../parts.ts'
import type { FollowUp, Publish, Reach, Refusal } from '../platform.ts'
import { needsPrepare, prepareBy } from './prepare.ts'
import { partKey, sendPartBy, reconcileFollowUp, threadMost } from './parts.ts'
import { composeRecord } from './record.ts'
import { create, CREATE_TIMEOUT_MS, erase, isNotFound, look, READ_TIMEOUT_MS, readRecord, unclear } from './records.ts'
import { refusalOf } from './refusals.ts'
import { preparedIn, type BlueskySecret } from './schemas.ts'
import { withSecret } from './secret.ts'
import { formerTidFrom, tidMaker } from './tid.ts'
import type { VideoServiceFor } from './video.ts'
import type { Failed } from './xrpc.ts'

const notPrepared: Refusal = {
  kind: 'retry',
  first: 'prepare',
  reason: { ...because('not-uploaded', { platform: 'Bluesky' }), platformCode: 'not-prepared' },
}

const send: Publish['send'] = withSecret(async (reach, session, _account, post) => {
  const record = composeRecord(post, preparedIn(post.progress))
  if (!record) return notPrepared
  return await create(reach, session, post.sendKey, record, post.progress)
})

const reconcile: Publish['reconcile'] = withSecret(
  async (reach, session, _account, post) => await look(reach, session, post.sendKey, post.progress),
)

const readBack: Publish['readBack'] = withSecret(async (reach, session, _account, _post, remoteId) => {
  const rkey = keyOf(remoteId)
  const found = await readRecord(reach, session, rkey)
  // the usual URL, which also works for accounts on other servers
  if (found.kind === 'ok') return { kind: 'live', permalink: `https://bsky.app/profile/${session.did}/post/${rkey}` }
  return isNotFound(found) ? { kind: 'missing' } : unclear(found)
})

/**
 * Deletes the post with its thread and comment, which the server wouldn't delete with it. Succeeds if they're already
 * deleted, so it can be repeated.
 */
const remove: Publish['remove'] = withSecret(async (reach, session, _account, remoteId) => {
  const key = keyOf(remoteId)
  const failed = (await erase(reach, session, key)) ?? (await eraseFollowing(reach, session, key))
  return failed ? refusalOf(failed, { doing: 'delete-post', irreversible: false }) : { kind: 'removed' }
})

/** A post's key gives the keys of its follow-ups; thread items have no gaps. */
async function eraseFollowing(reach: Reach, session: BlueskySecret, key: string): Promise<Failed | undefined> {
  const items = Array.from({ length: threadMost() - 1 }, (_, i): FollowUp => ({
    key: itemKey(i + 1),
    kind: 'item',
    item: i + 1,
  }))
  const following: FollowUp[][] = [[{ key: COMMENT, kind: 'comment' }], items]
  const keysBy = [partKey, (sendKey: string, part: FollowUp) => formerTidFrom(sendKey, part.key)]
  for (const keyOfPart of keysBy)
    for (const run of following)
      for (const part of run) {
        const rkey = keyOfPart(key, part)
        const found = await readRecord(reach, session, rkey)
        if (found.kind !== 'ok' && isNotFound(found)) break
        const failed = await erase(reach, session, rkey)
        if (failed) return failed
      }
  return undefined
}

/** The record key at the end of a URI such as at://did:plc:abc/app.bsky.feed.post/3kabc. */
const keyOf = (uri: string): string => uri.slice(uri.lastIndexOf('/') + 1)

const chooseSendKey = tidMaker()

export const publishBy = (videoServiceFor: VideoServiceFor): Publish => ({
  chooseSendKey,
  sendTimeoutSeconds: (CREATE_TIMEOUT_MS + READ_TIMEOUT_MS) / 1000 + 2,
  needsPrepare,
  prepare: prepareBy(videoServiceFor),
  // docs.bsky.app, advanced guides, rate limits: an account's 1,666 new records an hour can come at any pace. The
  // server serializes them itself: swapCommit of com.atproto.repo.createRecord, which would prevent that, is optional
  simultaneousSends: 8,
  // an account's feed keeps one entry per creation time (bluesky-social/atproto, issues 2199, 2468 and 3027), which
  // indexers cut to milliseconds (normalizeDatetime of @atproto/syntax). 63 bits of a key don't fit into the milliseconds
  // around a planned time, so it can't be derived from the key alone
  distinctTimes: true,
  send,
  readBack,
  reconcile,
  // a repository has one record per key: a second create with the same key fails and changes nothing
  sendIsRepeatable: true,
  followUps: threadFollowUps,
  followUpSendKey: partKey,
  sendFollowUp: sendPartBy(videoServiceFor),
  reconcileFollowUp,
  remove,
})
