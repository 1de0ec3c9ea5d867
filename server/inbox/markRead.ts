import { sql } from 'kysely'
import type { InboxReader } from './access.ts'

/**
 * Marks conversations as read by the caller up to their last item, or to one before it (`upTo`), or as unread. It's the caller's own mark: it changes no
 * version. Returns those whose mark changed.
 */
export async function markRead(
  { tx, org, caller }: Pick<InboxReader, 'tx' | 'org' | 'caller'>,
  conversationIds: readonly string[],
  read: boolean,
  upTo?: string,
): Promise<string[]> {
  const ids = [...conversationIds]
  const { rows } = read
    ? await sql<{ conversation_id: string }>`
        insert into conversation_read as r (org_id, person_id, conversation_id, up_to)
        select c.org_id, ${caller.personId}, c.id, least(c.last_at, ${upTo ?? null}::timestamptz) from conversation c where c.org_id = ${org.orgId} and c.id = any(${ids}::uuid[]) order by c.id
        on conflict (org_id, person_id, conversation_id) do update set up_to = excluded.up_to where r.up_to < excluded.up_to
        returning conversation_id`.execute(tx)
    : await sql<{ conversation_id: string }>`
        delete from conversation_read where org_id = ${org.orgId} and person_id = ${caller.personId} and conversation_id = any(${ids}::uuid[])
        returning conversation_id`.execute(tx)
  return rows.map((row) => row.conversation_id)
}
