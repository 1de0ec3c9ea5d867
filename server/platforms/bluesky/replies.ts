import { because } from '#contract/failures/catalog.ts'
import type { InboxActions, InboxReplies, OutgoingReply } from '../inbox.ts'
import type { Outgoing, Reach, Refusal } from '../platform.ts'
import { reactInChat, reconcileMessage, sendMessage } from './chatReplies.ts'
import { prepareBy, preparePart } from './prepare.ts'
import { composeRecord, mentionedHandles, type Reply } from './record.ts'
import { create, CREATE_TIMEOUT_MS, erase, look, READ_TIMEOUT_MS } from './records.ts'
import { refusalOf } from './refusals.ts'
import { Answerable, Anything, preparedIn, type BlueskySecret } from './schemas.ts'
import { tokenOf, withSecret } from './secret.ts'
import { tidFrom, tidMaker } from './tid.ts'
import type { VideoServiceFor } from './video.ts'
import { xrpc } from './xrpc.ts'

/*
 * Replies on Bluesky: a post that answers another one, under a key of ours, so that sending it again changes nothing; in chat a
 * message, which has no key. A like is a record whose key follows from what is liked.
 */

const LIKES = 'app.bsky.feed.like'
const gone: Refusal = {
  kind: 'rejected',
  reason: { ...because('inbox-item-gone', { platform: 'Bluesky' }), platformCode: 'NotFound' },
}

type Found = { kind: 'found'; cid: string; reply: Reply } | Refusal

/** A post that is to be answered or liked, and where its thread begins. */
async function readParent(reach: Reach, session: BlueskySecret, uri: string): Promise<Found> {
  const seen = await xrpc(reach, {
    service: session.pds,
    nsid: 'app.bsky.feed.getPosts',
    params: { uris: [uri] },
    as: tokenOf(session),
    reply: Answerable,
    timeoutMs: READ_TIMEOUT_MS,
  })
  if (seen.kind !== 'ok') return refusalOf(seen, { doing: 'show-post', irreversible: false })
  const [post] = seen.value.posts
  if (!post) return gone
  const parent = { uri: post.uri, cid: post.cid }
  return { kind: 'found', cid: post.cid, reply: { root: post.record.reply?.root ?? parent, parent } }
}

/** A reply as the post that it becomes. */
const postOf = ({ replyId, text, media, createdAt, sendKey, progress }: OutgoingReply): Outgoing => ({
  postId: replyId,
  postType: 'post',
  contents: [{ text, media }],
  details: {},
  firstComment: null,
  extraMedia: new Map(),
  createdAt,
  sendKey,
  progress,
})

const notPrepared: Refusal = {
  kind: 'retry',
  first: 'prepare',
  reason: { ...because('not-uploaded', { platform: 'Bluesky' }), platformCode: 'not-prepared' },
}

const sendPost: InboxReplies['send'] = withSecret(async (reach, session, _account, reply) => {
  const { parent, sendKey, text, media } = reply
  if (!parent) return gone
  const found = await readParent(reach, session, parent.remoteId)
  if (found.kind !== 'found') return found
  const post = postOf(reply)
  let prepared = preparedIn(reply.progress)
  if (media.length === 0 && mentionedHandles(text).length > 0) {
    // who is mentioned is looked up with the files, where there are any
    const made = await preparePart({ reach, session, service: null }, post, prepared)
    if (made.kind !== 'made') return made
    prepared = made.prepared
  }
  const record = composeRecord(post, prepared, found.reply)
  return record ? await create(reach, session, sendKey, record, reply.progress) : notPrepared
})

const reconcilePost: InboxReplies['reconcile'] = withSecret(
  async (reach, session, _account, { sendKey, progress }) => await look(reach, session, sendKey, progress),
)

/** The key at the end of an address such as at://did:plc:abc/app.bsky.feed.post/3kabc. */
const keyOf = (uri: string): string => uri.slice(uri.lastIndexOf('/') + 1)

const isChat = ({ conversation }: Pick<OutgoingReply, 'conversation'>): boolean => conversation === 'message'

export const repliesBy = (videoServiceFor: VideoServiceFor): InboxReplies => ({
  chooseSendKey: tidMaker(),
  sendIsRepeatable: (reply) => !isChat(reply),
  prepare: async (reach, secret, account, reply) =>
    await prepareBy(videoServiceFor)(reach, secret, account, postOf(reply)),
  send: async (...[reach, secret, account, reply]) =>
    await (isChat(reply) ? sendMessage : sendPost)(reach, secret, account, reply),
  reconcile: async (...[reach, secret, account, reply]) =>
    await (isChat(reply) ? reconcileMessage : reconcilePost)(reach, secret, account, reply),
  remove: withSecret(async (reach, session, _account, remoteId) => {
    const failed = await erase(reach, session, keyOf(remoteId))
    return failed ? refusalOf(failed, { doing: 'delete-reply', irreversible: false }) : { kind: 'removed' }
  }),
})

const like: NonNullable<InboxActions['react']> = withSecret(
  async (reach, session, _account, { remoteId }, reaction) => {
    const record = { repo: session.did, collection: LIKES, rkey: tidFrom(remoteId) }
    const found = reaction === null ? undefined : await readParent(reach, session, remoteId)
    if (found && found.kind !== 'found') return found
    const done = await xrpc(reach, {
      service: session.pds,
      // putting a record that is there, and deleting one that isn't, succeed
      nsid: found ? 'com.atproto.repo.putRecord' : 'com.atproto.repo.deleteRecord',
      as: tokenOf(session),
      json: found
        ? {
            ...record,
            record: { $type: LIKES, subject: { uri: remoteId, cid: found.cid }, createdAt: new Date(0).toISOString() },
          }
        : record,
      reply: Anything,
      timeoutMs: CREATE_TIMEOUT_MS,
    })
    return done.kind === 'ok' ? { kind: 'done' } : refusalOf(done, { doing: 'react-to-item', irreversible: false })
  },
)

export const actions: InboxActions = {
  react: async (reach, secret, account, item, reaction) =>
    await (item.type === 'DIRECT_MESSAGE' ? reactInChat : like)(reach, secret, account, item, reaction),
}
