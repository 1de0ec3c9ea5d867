import { sql } from 'kysely'
import { because } from '#contract/failures/catalog.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { confirmReply as contract } from '#contract/inbox/replies.ts'
import { failureOf } from '../../delivery/failures.ts'
import { overrule } from '../../delivery/overrule.ts'
import { fail } from '../../errors.ts'
import type { Context, ProjectContext } from '../../http/route.ts'
import { dedupeKeys } from '../../notifications/dedupeKeys.ts'
import { withdrawNotifications } from '../../notifications/dismiss.ts'
import { loadReply, presentReply, type ReplyRecord } from './access.ts'

/**
 * A person's word on a reply of which nobody knows whether it was sent. One that was is matched with the item that the
 * platform shows, now or when it's read. One that wasn't has failed. What the engine is reading meanwhile comes too late.
 * Throws as loadReply, and REPLY_LOCKED unless it's unconfirmed.
 */
export async function confirmReply(c: Context<typeof contract>): Promise<ReplyOf<typeof contract>> {
  const { replyId } = c.params
  const { sent } = c.body
  const { reply } = await loadReply(c, replyId, 'create')
  if (reply.state !== 'UNCONFIRMED') throw fail('REPLY_LOCKED')
  await endDelivery(c, replyId, sent ? 'sent' : 'failed')
  const failure = failureOf('unknown', because('reply-marked-unsent'), 'retry')
  await c.tx
    .updateTable('reply')
    .set(
      sent
        ? { state: 'SENT', sent_at: c.now, failure: null, remote_id: await remoteIdOf(c, reply) }
        : { state: 'FAILED', failure: JSON.stringify(failure) },
    )
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', replyId)
    .execute()
  await withdrawNotifications(c.tx, { orgId: c.org.orgId, dedupeKeys: [dedupeKeys.reply(replyId)] }, c.now)
  await c.emit({ kind: 'conversation', ref: reply.conversation_id })
  await c.audit({ entityId: replyId, detail: { sent } })
  return await presentReply(c, replyId, sent ? 'Reply marked as sent' : 'Reply marked as not sent')
}

/** Nothing more is done about it, and what is being done is refused when it comes back. */
export async function endDelivery(
  { tx, org }: Pick<ProjectContext, 'tx' | 'org'>,
  replyId: string,
  state: 'sent' | 'failed',
): Promise<void> {
  await overrule(
    sql`step = null, step_at = null, state = ${state}, failure = null, lease_id = null, lease_until = null`,
    sql`where d.org_id = ${org.orgId} and d.subject = 'reply' and d.subject_id = ${replyId}`,
  ).execute(tx)
}

/** The item that the platform shows of it, where that was read already. */
async function remoteIdOf(
  { tx, org }: Pick<ProjectContext, 'tx' | 'org'>,
  { conversation_id: conversationId, channel_id: channelId, text, created_at: createdAt }: ReplyRecord,
): Promise<string | null> {
  const { rows } = await sql<{ remote_id: string }>`
    select i.remote_id from inbox_item i
    where i.org_id = ${org.orgId} and i.conversation_id = ${conversationId} and i.direction = 'sent' and i.text = ${text} and i.received_at >= ${createdAt}
      and not exists (select from reply r where r.org_id = i.org_id and r.channel_id = ${channelId} and r.remote_id = i.remote_id)
    order by i.at, i.id limit 1`.execute(tx)
  return rows[0]?.remote_id ?? null
}
