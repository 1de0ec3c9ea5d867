import { sql } from 'kysely'
import { dedupeKeys } from '../notifications/dedupeKeys.ts'
import { withdrawNotifications } from '../notifications/dismiss.ts'
import type { InboxReader } from './access.ts'
import { isUnread } from './present.ts'

/**
 * Marks conversations as read by the caller up to their last item, or to one before it (`upTo`), or as unread. It's the caller's own mark: it changes no
 * version. Notifications of what was new in them are taken back. Returns those whose mark changed.
 */
export async function markRead(
  { tx, org, caller, now }: Pick<InboxReader, 'tx' | 'org' | 'caller' | 'now'>,
  conversationIds: readonly string[],
  read: boolean,
  upTo?: string,
): Promise<string[]> {
  const ids = [...conversationIds]
  // their rows before the marks, as whoever changes or deletes them does (functions/inbox_counts.sql)
  const locked = sql`locked as materialized (
    select c.id, c.last_at from conversation c where c.org_id = ${org.orgId} and c.id = any(${ids}::uuid[]) order by c.id for share)`
  const { rows } = read
    ? await sql<{ conversation_id: string }>`
        with ${locked}
        insert into conversation_read as r (org_id, person_id, conversation_id, up_to)
        select ${org.orgId}, ${caller.personId}, c.id, least(c.last_at, ${upTo ?? null}::timestamptz) from locked c order by c.id
        on conflict (org_id, person_id, conversation_id) do update set up_to = excluded.up_to where r.up_to < excluded.up_to
        returning conversation_id`.execute(tx)
    : await sql<{ conversation_id: string }>`
        with ${locked}
        delete from conversation_read where org_id = ${org.orgId} and person_id = ${caller.personId} and conversation_id in (select id from locked)
        returning conversation_id`.execute(tx)
  const marked = rows.map((row) => row.conversation_id)
  if (read) await withdrawSeen({ tx, org, caller, now }, marked)
  return marked
}

/** Of conversations that the caller has seen to their end. */
async function withdrawSeen(
  { tx, org, caller, now }: Pick<InboxReader, 'tx' | 'org' | 'caller' | 'now'>,
  marked: readonly string[],
): Promise<void> {
  if (marked.length === 0) return
  const { rows } = await sql<{ id: string }>`
    select c.id from conversation c where c.org_id = ${org.orgId} and c.id = any(${[...marked]}::uuid[]) and not ${isUnread({ caller })}`.execute(
    tx,
  )
  const about = { orgId: org.orgId, personId: caller.personId }
  await withdrawNotifications(tx, { ...about, dedupeKeys: rows.map(({ id }) => dedupeKeys.received(id)) }, now)
}
