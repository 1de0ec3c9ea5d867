import { sql } from 'kysely'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { enqueue } from '../jobs/enqueue.ts'
import type { Cursor } from '../platforms/inbox.ts'
import type { Platform } from '../platforms/platform.ts'
import { findConversation, type InboxReader } from './access.ts'
import { READ } from './read.ts'

type Kept = {
  platform: string
  kind: string
  cursor: Cursor | null
  subject_remote_id: string | null
  text: string | null
}

/**
 * Reads a conversation again whose texts or names may not be kept any longer: it's part of the channel's next reading, which
 * begins at once. Returns whether it's read: not if nothing of it has expired, if the platform can't be asked for it, or while
 * the channel is being read. Throws NOT_FOUND.
 */
export async function refreshConversation(
  c: InboxReader,
  platforms: (key: PlatformKey) => Platform | undefined,
  conversationId: string,
): Promise<boolean> {
  const conversation = await findConversation(c, conversationId)
  const { org_id: orgId, channel_id: channelId, thread_key: threadKey } = conversation
  const { rows } = await sql<Kept>`
    select ch.platform, i.kind, i.cursor, v.subject ->> 'remoteId' as subject_remote_id, v.subject ->> 'text' as text
    from conversation v
    join channel ch on ch.org_id = v.org_id and ch.id = v.channel_id
    join inbox_cursor i on i.org_id = v.org_id and i.channel_id = v.channel_id and i.next_at < 'infinity' and not i.first
    where v.org_id = ${orgId} and v.id = ${conversationId} and ch.status = 'CONNECTED' and ch.deleted_at is null
      and (i.lease_until is null or i.lease_until <= ${c.now})
      and exists (select from inbox_item e where e.org_id = v.org_id and e.conversation_id = v.id and e.expired and e.deleted_at is null)
    order by i.kind for update of i`.execute(c.tx)
  for (const { platform, kind, cursor, subject_remote_id: subjectRemoteId, text } of rows) {
    const inbox = platforms(PlatformKey.parse(platform))?.inbox
    const group = inbox?.reads.find(([leading]) => leading === kind)
    if (!group?.includes(conversation.kind)) continue
    const about = { conversation: conversation.kind, threadKey, subjectRemoteId, subjectText: text ?? '' }
    const next = inbox?.again?.(cursor ?? {}, about, c.now)
    if (!next) return false
    await sql`
      update inbox_cursor set cursor = ${JSON.stringify(next)}::jsonb, next_at = ${c.now}
      where org_id = ${orgId} and channel_id = ${channelId} and kind = ${kind}`.execute(c.tx)
    await enqueue(c.tx, READ, { orgId }, { key: channelId })
    return true
  }
  return false
}
