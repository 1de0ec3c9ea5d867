import { sql } from 'kysely'
import type { Tx } from '../../db/kysely.ts'
import type { Claimed } from '../../delivery/claim.ts'
import { applyChanges } from '../store.ts'
import { replyOf } from './loaded.ts'

/** Milliseconds by which a reply comes after what it answers, where our clock is behind the platform's. */
const AFTER_MS = 1

/**
 * Puts a reply that the platform took into its conversation, as the reading will bring it back: whichever of the two comes
 * first, it is one item, and the platform's own words win. Closes the conversation where the reply or the project's settings
 * say so. In the commit that says SENT.
 */
export async function recordSent(
  tx: Tx,
  claimed: Pick<Claimed, 'org_id' | 'channel_id' | 'platform' | 'loaded'>,
  sent: { remoteId: string; at: Date },
  now: Date,
): Promise<void> {
  const { org_id: orgId, channel_id: channelId, platform } = claimed
  const reply = replyOf(claimed)
  const { rows } = await sql<{ last_at: Date }>`
    select last_at from conversation where org_id = ${orgId} and id = ${reply.conversation_id}`.execute(tx)
  const [conversation] = rows
  if (!conversation) return
  const at = new Date(Math.max(sent.at.getTime(), conversation.last_at.getTime() + AFTER_MS))
  const channel = { orgId, channelId, projectId: reply.project_id, platform }
  const item = {
    change: 'item' as const,
    remoteId: sent.remoteId,
    threadKey: reply.thread_key,
    conversation: reply.kind,
    type: reply.kind === 'message' ? ('DIRECT_MESSAGE' as const) : ('REPLY' as const),
    parentRemoteId: reply.item?.remote_id ?? null,
    author: null,
    isOurs: true,
    counterpart: null,
    text: reply.text,
    media: [],
    at,
    version: 0,
    editedAt: null,
    hidden: false,
    url: null,
    rating: null,
    subject: null,
  }
  await applyChanges(tx, channel, [item], { now, provisional: true, staysOpen: reply.closes === false })
  if (reply.closes === true)
    await sql`
      update conversation set status = 'CLOSED', follow_up_on = null, version = version + 1
      where org_id = ${orgId} and id = ${reply.conversation_id} and status <> 'CLOSED' and unanswered = 0`.execute(tx)
}
