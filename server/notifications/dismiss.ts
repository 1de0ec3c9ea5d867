import { sql } from 'kysely'
import type { NotificationKind } from '#contract/notifications/catalog.ts'
import type { Tx } from '../db/kysely.ts'

type About = { orgId: string; dedupeKeys: readonly string[] }
type Withdrawn = About & {
  /** Only this person's. */ personId?: string
  /** Only these kinds. */ kinds?: readonly NotificationKind[]
}

/**
 * What these notifications asked for was done, such as reconnecting a channel: they count as read, their pending emails
 * aren't sent, and the same thing coming up again is news. In the transaction of what was done; in a tenant or as the
 * system role.
 */
export async function dismissNotifications(tx: Tx, { orgId, dedupeKeys }: About, now: Date): Promise<void> {
  await sql`
    with dismissed as (
      update notice n set read_at = coalesce(n.read_at, ${now}), mail_due_at = null
      where n.org_id = ${orgId} and n.dedupe_key = any(${[...dedupeKeys]}::text[]) and (n.read_at is null or n.mail_due_at is not null)
      returning n.org_id, n.project_id, n.person_id, n.id, n.in_app
    )
    insert into event (at, org_id, project_id, person_id, kind, ref)
    select ${now}, d.org_id, d.project_id, d.person_id, 'notice', d.id::text from dismissed d where d.in_app`.execute(
    tx,
  )
}

/**
 * Deletes notifications that nobody should read anymore, such as those about a deleted note, and their pending emails.
 */
export async function withdrawNotifications(
  tx: Tx,
  { orgId, dedupeKeys, personId, kinds }: Withdrawn,
  now: Date,
): Promise<void> {
  if (dedupeKeys.length === 0) return
  // by people, as the index has them
  const people =
    personId === undefined
      ? sql`any(array(select m.person_id from member m where m.org_id = ${orgId}))`
      : sql`${personId}`
  const ofKind = kinds ? sql`and n.kind = any(${[...kinds]}::text[])` : sql``
  await sql`
    with withdrawn as (delete from notice n where n.org_id = ${orgId} and n.person_id = ${people} and n.dedupe_key = any(${[...dedupeKeys]}::text[]) ${ofKind} returning n.org_id, n.project_id, n.person_id, n.id, n.in_app)
    insert into event (at, org_id, project_id, person_id, kind, ref)
    select ${now}, w.org_id, w.project_id, w.person_id, 'notice', w.id::text from withdrawn w where w.in_app`.execute(
    tx,
  )
}
