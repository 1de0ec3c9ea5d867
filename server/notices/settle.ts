import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'

/**
 * What these matters asked for was done, such as a channel connected again: their unread notices count as read, mails
 * that wait are not sent, and should one come again it is told anew. In the transaction of what was done; in a tenant or
 * as the system role.
 */
export async function settleMatters(
  tx: Tx,
  { orgId, matters }: { orgId: string; matters: readonly string[] },
  now: Date,
): Promise<void> {
  await sql`
    with settled as (
      update notice n set read_at = coalesce(n.read_at, ${now}), mail_due_at = null
      where n.org_id = ${orgId} and n.matter = any(${[...matters]}::text[]) and (n.read_at is null or n.mail_due_at is not null)
      returning n.org_id, n.project_id, n.person_id, n.id, n.in_app
    )
    insert into event (at, org_id, project_id, person_id, kind, ref)
    select ${now}, s.org_id, s.project_id, s.person_id, 'notice', s.id::text from settled s where s.in_app`.execute(tx)
}

/** Takes notices back that should never be read again, such as those of a note that was deleted, and their mails with them. */
export async function withdrawMatters(
  tx: Tx,
  { orgId, matters }: { orgId: string; matters: readonly string[] },
  now: Date,
): Promise<void> {
  await sql`
    with withdrawn as (delete from notice n where n.org_id = ${orgId} and n.matter = any(${[...matters]}::text[]) returning n.org_id, n.project_id, n.person_id, n.id, n.in_app)
    insert into event (at, org_id, project_id, person_id, kind, ref)
    select ${now}, w.org_id, w.project_id, w.person_id, 'notice', w.id::text from withdrawn w where w.in_app`.execute(
    tx,
  )
}
