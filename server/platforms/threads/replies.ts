import { isGone } from '../graph.ts'
import { prepareContainer, publishContainer, settleContainer } from '../graphContainers.ts'
import { refusalOfReply } from '../graphReplies.ts'
import type { InboxActions, InboxReplies, OutgoingReply } from '../inbox.ts'
import type { Reach, Refusal, Sent } from '../platform.ts'
import { reconciledAs } from '../findSent.ts'
import { change, containersOf, READ_TIMEOUT_MS, withSecret } from './client.ts'
import { find, makePublic, planOf } from './publish.ts'
import { LABEL, refusalOf, type Step } from './refusals.ts'
import { Deleted, Made, type ThreadsSecret } from './schemas.ts'

/*
 * Answering as the profile. A text is made and published at once; with pictures the container is prepared before, and then
 * says itself whether it was published.
 */

/** A reply's requests end within 30 seconds together. */
const SEND_TIMEOUT_MS = 18_000
const sending: Step = { doing: 'publish-reply', irreversible: true }

const planOfReply = ({ text, media, parent, threadKey }: OutgoingReply) =>
  planOf({ text, media }, { replyTo: parent?.remoteId ?? threadKey })

async function publish(
  reach: Reach,
  secret: ThreadsSecret,
  container: string,
  reply: OutgoingReply,
): Promise<Sent | Refusal> {
  const published = await makePublic(reach, secret, container, SEND_TIMEOUT_MS)
  return published.kind === 'ok'
    ? { kind: 'sent', remoteId: published.value.id, progress: reply.progress }
    : refusalOfReply(published, LABEL, refusalOf(published, sending))
}

const send: InboxReplies['send'] = withSecret(async (reach, own, account, reply) => {
  if (reply.media.length > 0) {
    const sent = await publishContainer(
      LABEL,
      reply.progress,
      () => reconcile(reach, own, account, reply),
      (container) => publish(reach, own, container, reply),
    )
    // publishing a container is the last step: nothing goes on behind it
    return sent.kind === 'processing'
      ? { kind: 'unknown', reason: refusalOf({ kind: 'failed', cause: 'garbled', detail: '' }, sending).reason }
      : sent
  }
  const planned = planOfReply(reply)
  if (planned.kind !== 'plan') return planned
  // nobody sees a container before it is published
  const made = await change(reach, own, {
    path: `/${own.userId}/threads`,
    method: 'POST',
    form: planned.plan.post([]),
    reply: Made,
    timeoutMs: READ_TIMEOUT_MS,
  })
  return made.kind === 'ok'
    ? await publish(reach, own, made.value.id, reply)
    : refusalOfReply(made, LABEL, refusalOf(made, { ...sending, irreversible: false }))
})

const reconcile: InboxReplies['reconcile'] = withSecret(async (reach, own, _account, reply) => {
  const look = () => find(reach, own, 'replies', reply.text, reply.createdAt, reply.others)
  return reply.media.length > 0
    ? await settleContainer(containersOf(reach, own), reply.progress, look)
    : reconciledAs(await look(), reply.progress)
})

const prepare: NonNullable<InboxReplies['prepare']> = withSecret(
  async (reach, own, _account, reply) =>
    await prepareContainer(containersOf(reach, own), planOfReply(reply), reply.progress),
)

export const replies: InboxReplies = {
  chooseSendKey: () => 'read-back',
  sendIsRepeatable: false,
  prepare,
  send,
  reconcile,
  remove: withSecret(async (reach, own, _account, remoteId) => {
    const gone = await change(reach, own, {
      path: `/${remoteId}`,
      method: 'DELETE',
      reply: Deleted,
      timeoutMs: READ_TIMEOUT_MS,
    })
    return gone.kind === 'ok' || isGone(gone)
      ? { kind: 'removed' }
      : refusalOf(gone, { doing: 'delete-reply', irreversible: false })
  }),
}

export const actions: InboxActions = {
  /** Top-level replies to the profile's own posts only; what was replied to them is hidden with them. */
  hide: withSecret(async (reach, own, _account, { remoteId }, hidden) => {
    const done = await change(reach, own, {
      path: `/${remoteId}/manage_reply`,
      method: 'POST',
      form: { hide: String(hidden) },
      reply: Deleted,
      timeoutMs: READ_TIMEOUT_MS,
    })
    return done.kind === 'ok'
      ? { kind: 'done' }
      : refusalOfReply(done, LABEL, refusalOf(done, { doing: 'hide-comment', irreversible: false }))
  }),
}
