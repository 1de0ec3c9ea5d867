import type { Publish, Reach, Refusal } from '../platform.ts'
import { needsPrepare, prepare } from './prepare.ts'
import { composeRecord } from './record.ts'
import { refusalOf } from './refusals.ts'
import { Anything, CreatedRecord, FoundRecord, Prepared, type BlueskySecret } from './schemas.ts'
import { readSecret, tokenOf } from './secret.ts'
import { tidMaker } from './tid.ts'
import { xrpc, type Failed } from './xrpc.ts'

const COLLECTION = 'app.bsky.feed.post'
const CREATE_TIMEOUT_MS = 20_000
const READ_TIMEOUT_MS = 8_000
const posting = { doing: 'take the post', irreversible: true }

const send: Publish['send'] = async (reach, secret, _account, post) => {
  const session = readSecret(secret)
  if (session.kind !== 'secret') return session
  const record = composeRecord(post, Prepared.catch({ blobs: {}, dids: {} }).parse(post.progress))
  if (!record) return { kind: 'retry', first: 'prepare', reason: { text: 'The pictures have not been uploaded yet.', advice: 'They are uploaded by themselves.', platformCode: 'not-prepared' } }
  const { did, pds } = session.value
  // one attempt: what its failure means is found out by looking, never by trying again
  const made = await xrpc(reach, { service: pds, nsid: 'com.atproto.repo.createRecord', as: tokenOf(session.value), json: { repo: did, collection: COLLECTION, rkey: post.sendKey, record }, reply: CreatedRecord, timeoutMs: CREATE_TIMEOUT_MS })
  if (made.kind === 'ok') return { kind: 'sent', remoteId: made.value.uri, progress: { ...post.progress, cid: made.value.cid } }
  return hasEnded(made) ? await lookAfter(reach, session.value, post.sendKey, post.progress, made) : refusalOf(made, posting)
}

/**
 * Whether the server itself said that it is done with the request and failed. A record that already has our key ends
 * like that, since a key names one record; so does a crash, before or after the record was stored.
 */
const hasEnded = (failed: Failed): boolean => failed.cause === 'answered' && failed.code !== '' && (failed.status === 500 || failed.status === 409 || failed.code === 'InvalidSwap')

/** What the key tells after the server has ended with an error: there, or surely not. */
async function lookAfter(reach: Reach, session: BlueskySecret, key: string, progress: Record<string, unknown>, failed: Failed): Promise<Refusal | { kind: 'sent'; remoteId: string; progress: Record<string, unknown> }> {
  const seen = await look(reach, session, key, progress)
  if (seen.kind === 'sent') return seen
  return refusalOf(failed, { ...posting, irreversible: seen.kind !== 'absent' })
}

/** Reads the record of a key. Needs no token, so that a post can be settled whose channel has lost its own. */
async function look(reach: Reach, session: BlueskySecret, key: string, progress: Record<string, unknown>): Promise<{ kind: 'sent'; remoteId: string; progress: Record<string, unknown> } | { kind: 'absent' } | Refusal> {
  const found = await readRecord(reach, session, key)
  if (found.kind === 'ok') return { kind: 'sent', remoteId: found.value.uri, progress: { ...progress, cid: found.value.cid } }
  return isNotFound(found) ? { kind: 'absent' } : unclear(found)
}

/** A look that told nothing. It refuses no post: an account that is away hides what it has. */
function unclear(failed: Failed): Refusal {
  const refusal = refusalOf(failed, { doing: 'show the post', irreversible: false })
  return refusal.kind === 'retry' ? refusal : { kind: 'unknown', reason: refusal.reason }
}

const readRecord = (reach: Reach, { did, pds }: BlueskySecret, rkey: string) =>
  xrpc(reach, { service: pds, nsid: 'com.atproto.repo.getRecord', params: { repo: did, collection: COLLECTION, rkey }, reply: FoundRecord, timeoutMs: READ_TIMEOUT_MS })

const isNotFound = (failed: Failed): boolean => failed.cause === 'answered' && failed.code === 'RecordNotFound'

const settle: Publish['settle'] = async (reach, secret, _account, post) => {
  const session = readSecret(secret)
  return session.kind === 'secret' ? look(reach, session.value, post.sendKey, post.progress) : session
}

const readBack: Publish['readBack'] = async (reach, secret, _account, _post, remoteId) => {
  const session = readSecret(secret)
  if (session.kind !== 'secret') return session
  const { did } = session.value
  const rkey = keyOf(remoteId)
  const found = await readRecord(reach, session.value, rkey)
  // the address that the network uses, also for accounts on servers of their own
  if (found.kind === 'ok') return { kind: 'live', permalink: `https://bsky.app/profile/${did}/post/${rkey}` }
  return isNotFound(found) ? { kind: 'missing' } : unclear(found)
}

/** Deleting what is already gone succeeds, so that this may be repeated. */
const remove: Publish['remove'] = async (reach, secret, _account, remoteId) => {
  const session = readSecret(secret)
  if (session.kind !== 'secret') return session
  const { did, pds } = session.value
  const gone = await xrpc(reach, { service: pds, nsid: 'com.atproto.repo.deleteRecord', as: tokenOf(session.value), json: { repo: did, collection: COLLECTION, rkey: keyOf(remoteId) }, reply: Anything, timeoutMs: CREATE_TIMEOUT_MS })
  return gone.kind === 'ok' ? { kind: 'removed' } : refusalOf(gone, { doing: 'delete the post', irreversible: false })
}

/** The record key at the end of an address such as at://did:plc:abc/app.bsky.feed.post/3kabc. */
const keyOf = (uri: string): string => uri.slice(uri.lastIndexOf('/') + 1)

export const publish: Publish = {
  chooseSendKey: tidMaker(),
  sendTimeoutSeconds: (CREATE_TIMEOUT_MS + READ_TIMEOUT_MS) / 1000 + 2,
  needsPrepare,
  prepare,
  send,
  readBack,
  settle,
  // a repository holds one record per key: a second create with the same key fails and changes nothing
  sendIsRepeatable: true,
  remove,
}
