import { because } from '#contract/failures/catalog.ts'
import { bluesky as rules } from '#contract/platforms/bluesky.ts'
import { parentOf } from '../parts.ts'
import type { Outgoing, FollowUp, FollowUpToSend, Preparing, Publish, Reach, Refusal } from '../platform.ts'
import { afresh, preparePart, type FileErrand } from './prepare.ts'
import { create, look } from './records.ts'
import { composeRecord, mentionedHandles, pieceOf, textOf, type Reply } from './record.ts'
import { preparedIn, type BlueskySecret, type Prepared } from './schemas.ts'
import { withSecret } from './secret.ts'
import { tidAfter } from './tid.ts'
import type { VideoServiceFor } from './video.ts'

/* Threads and first comments are the account's replies to itself. Each is a record with its own key. */

/** The maximum number of items in a thread. */
export const threadMost = (): number => rules.posts[0]?.thread.most ?? 1

/** The record key of a follow-up: thread items in order after the post, then the first comment. */
export const partKey = (sendKey: string, part: FollowUp): string =>
  tidAfter(sendKey, part.key, part.kind === 'item' ? part.item : threadMost())

export const sendPartBy = (videoServiceFor: VideoServiceFor): NonNullable<Publish['sendFollowUp']> =>
  withSecret(async (reach, session, _account, post, part) => {
    const piece = pieceOf(post, part)
    const prepared = preparedFor(post, part)
    const errand = { reach, session, service: videoServiceFor(session.pds) }
    const lacking = await makeReady(errand, piece, part, prepared)
    if (lacking) return lacking
    const reply = await replyOf(reach, session, part)
    if (reply.kind !== 'reply') return reply
    const record = composeRecord(piece, prepared, reply.reply)
    if (!record) return { kind: 'rejected', reason: { ...because('file-missing'), platformCode: 'no-file' } }
    const made = await create(reach, session, part.sendKey, record, part.progress)
    // nothing was created: the files of this follow-up are uploaded again, and then it's sent again
    if (made.kind === 'retry' && made.first === 'prepare')
      return {
        kind: 'preparing',
        progress: { ...afresh(prepared), dids: prepared.dids, ownFiles: true },
        checkAfterSeconds: 1,
      }
    return made
  })

/** What was uploaded and looked up for this follow-up, with the post or separately. */
function preparedFor(post: Outgoing, part: FollowUpToSend): Prepared {
  const own = preparedIn(part.progress)
  const shared = preparedIn(post.progress)
  return {
    ...own,
    blobs: part.progress.ownFiles === true ? own.blobs : { ...shared.blobs, ...own.blobs },
    dids: { ...shared.dids, ...own.dids },
  }
}

/** Prepares what is missing, then asks to be called again, so that the send has its full time limit. */
async function makeReady(
  errand: FileErrand,
  piece: Outgoing,
  part: FollowUpToSend,
  prepared: Prepared,
): Promise<Preparing | Refusal | undefined> {
  const isReady =
    (piece.contents[0]?.media ?? []).every(({ assetId }) => prepared.blobs[assetId]) &&
    mentionedHandles(textOf(piece)).every((handle) => prepared.dids[handle] !== undefined)
  if (isReady) return undefined
  const made = await preparePart(errand, piece, prepared)
  if (made.kind !== 'made') return made
  return {
    kind: 'preparing',
    progress: { ...part.progress, ...made.prepared },
    checkAfterSeconds: made.checkAfterSeconds,
  }
}

/**
 * The first post of the thread and the post that this follow-up replies to. If one was found after a lost response, its
 * content hash is read.
 */
async function replyOf(
  reach: Reach,
  session: BlueskySecret,
  part: FollowUpToSend,
): Promise<{ kind: 'reply'; reply: Reply } | Refusal> {
  const [root] = part.sent
  const parent = parentOf(part)
  if (!root || !parent)
    return {
      kind: 'rejected',
      reason: { ...because('parent-unknown', { platform: 'Bluesky' }), platformCode: 'no-root' },
    }
  const refs: { uri: string; cid: string }[] = []
  for (const { remoteId, progress } of [root, parent]) {
    const cid = typeof progress.cid === 'string' ? progress.cid : await cidOf(reach, session, remoteId)
    if (typeof cid !== 'string') return cid
    refs.push({ uri: remoteId, cid })
  }
  const [first, last] = refs
  return first && last ? { kind: 'reply', reply: { root: first, parent: last } } : gone
}

const gone: Refusal = {
  kind: 'rejected',
  reason: { ...because('parent-gone', { platform: 'Bluesky' }), platformCode: 'RecordNotFound' },
}

async function cidOf(reach: Reach, session: BlueskySecret, uri: string): Promise<string | Refusal> {
  const found = await look(reach, session, uri.slice(uri.lastIndexOf('/') + 1), {})
  if (found.kind === 'absent') return gone
  if (found.kind !== 'sent') return found.kind === 'unknown' ? { kind: 'retry', reason: found.reason } : found
  return typeof found.progress.cid === 'string' ? found.progress.cid : gone
}

export const reconcileFollowUp: NonNullable<Publish['reconcileFollowUp']> = withSecret(
  async (reach, session, _account, _post, part) => await look(reach, session, part.sendKey, part.progress),
)
