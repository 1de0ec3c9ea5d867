import type { Reach, Refusal, Sent, ReconcileAnswer } from '../platform.ts'
import type { PostRecord } from './record.ts'
import { refusalOf } from './refusals.ts'
import { Anything, CreatedRecord, FoundRecord, type BlueskySecret } from './schemas.ts'
import { tokenOf } from './secret.ts'
import { xrpc, type Failed } from './xrpc.ts'

/* Records in the account's own repository, each with a key that we chose: a post and its follow-ups. */

const COLLECTION = 'app.bsky.feed.post'
export const CREATE_TIMEOUT_MS = 20_000
export const READ_TIMEOUT_MS = 8_000
const posting = { doing: 'publish-post', irreversible: true } as const

/** Makes one attempt. What a failure means is found out by reading, never by trying again. */
export async function create(
  reach: Reach,
  session: BlueskySecret,
  rkey: string,
  record: PostRecord,
  progress: Record<string, unknown>,
): Promise<Sent | Refusal> {
  const { did, pds } = session
  const made = await xrpc(reach, {
    service: pds,
    nsid: 'com.atproto.repo.createRecord',
    as: tokenOf(session),
    json: { repo: did, collection: COLLECTION, rkey, record },
    reply: CreatedRecord,
    timeoutMs: CREATE_TIMEOUT_MS,
  })
  if (made.kind === 'ok')
    return { kind: 'sent', remoteId: made.value.uri, progress: { ...progress, cid: made.value.cid } }
  const refusal = refusalOf(made, posting)
  return hasEnded(made) || refusal.kind === 'rejected' ? await lookAfter(reach, session, rkey, progress, made) : refusal
}

/**
 * Whether the server finished the request with an error. That happens if a record already has our key, and in a crash
 * before or after storing the record. Which error a server gives for a key that is taken isn't specified
 * (com.atproto.repo.createRecord), so the key is read after every refusal.
 */
const hasEnded = (failed: Failed): boolean =>
  failed.cause === 'answered' &&
  failed.code !== '' &&
  (failed.status === 500 || failed.status === 409 || failed.code === 'InvalidSwap')

/** Reads the key after the server finished with an error: the record either exists or certainly doesn't. */
async function lookAfter(
  reach: Reach,
  session: BlueskySecret,
  key: string,
  progress: Record<string, unknown>,
  failed: Failed,
): Promise<Sent | Refusal> {
  const seen = await look(reach, session, key, progress)
  if (seen.kind === 'sent') return seen
  const refusal = refusalOf(failed, { ...posting, irreversible: seen.kind !== 'absent' })
  // if the key can't be read, nobody knows
  return refusal.kind === 'rejected' && seen.kind !== 'absent' ? { kind: 'unknown', reason: refusal.reason } : refusal
}

/** Reads the record with a key. Needs no token, so posts of disconnected channels can be reconciled too. */
export async function look(
  reach: Reach,
  session: BlueskySecret,
  key: string,
  progress: Record<string, unknown>,
): Promise<ReconcileAnswer> {
  const found = await readRecord(reach, session, key)
  if (found.kind === 'ok')
    return { kind: 'sent', remoteId: found.value.uri, progress: { ...progress, cid: found.value.cid } }
  return isNotFound(found) ? { kind: 'absent' } : unclear(found)
}

/** A lookup without a result. It refuses no post, because an unavailable account hides its posts. */
export function unclear(failed: Failed): Refusal {
  const refusal = refusalOf(failed, { doing: 'show-post', irreversible: false })
  return refusal.kind === 'retry' ? refusal : { kind: 'unknown', reason: refusal.reason }
}

export const readRecord = (reach: Reach, { did, pds }: BlueskySecret, rkey: string) =>
  xrpc(reach, {
    service: pds,
    nsid: 'com.atproto.repo.getRecord',
    params: { repo: did, collection: COLLECTION, rkey },
    reply: FoundRecord,
    timeoutMs: READ_TIMEOUT_MS,
  })

export const isNotFound = (failed: Failed): boolean => failed.cause === 'answered' && failed.code === 'RecordNotFound'

/** Deleting what is already gone succeeds. */
export async function erase(reach: Reach, session: BlueskySecret, rkey: string): Promise<Failed | undefined> {
  const gone = await xrpc(reach, {
    service: session.pds,
    nsid: 'com.atproto.repo.deleteRecord',
    as: tokenOf(session),
    json: { repo: session.did, collection: COLLECTION, rkey },
    reply: Anything,
    timeoutMs: CREATE_TIMEOUT_MS,
  })
  return gone.kind === 'ok' ? undefined : gone
}
