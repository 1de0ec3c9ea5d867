import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { memberMay } from '../access/memberMay.ts'
import type { Tx } from '../db/kysely.ts'
import { hearsOf, limitedKinds } from './list.ts'

/** Everything one email tells one person about one organization. */
export type TakenMail = {
  /** The same if the email is sent again after a doubt: its Message-ID is derived from it. */
  mailId: string
  personId: string
  orgId: string
  to: string
  firstName: string
  orgName: string
  isAdmin: boolean
  /** The organization's other admins, who can be asked. */
  admins: { name: string; email: string }[]
  notices: TakenNotice[]
}
export type TakenNotice = {
  kind: string
  params: unknown
  count: number
  at: Date
  project: { id: string; name: string; zone: string } | null
}

export type Addressee = { orgId: string; personId: string }

/** How many minutes a worker may take for an email; far more than the timeout for mail servers. */
const LEASE_MINUTES = 30
/** Minutes until a failed email is retried. */
const RETRY_MINUTES = 10
/** Hours after which an email that keeps failing is given up: by then the app has shown it, or nobody looks. */
const GIVE_UP_HOURS = 24

/**
 * Whose emails are due, the longest waiting first, but for those in `without`. In a system transaction, as everything
 * here.
 */
export async function dueAddressees(
  tx: Tx,
  now: Date,
  without: readonly Addressee[] = [],
  most = 100,
): Promise<Addressee[]> {
  const { rows } = await sql<{ org_id: string; person_id: string }>`
    select org_id, person_id from notice n where mail_due_at <= ${now}
      and not exists (select from jsonb_to_recordset(${JSON.stringify(without)}::jsonb) as w("orgId" uuid, "personId" uuid) where w."orgId" = n.org_id and w."personId" = n.person_id)
    group by org_id, person_id order by min(mail_due_at) limit ${most}`.execute(tx)
  return rows.map((row) => ({ orgId: row.org_id, personId: row.person_id }))
}

/**
 * Takes everything to be emailed to one person of one organization, even if it isn't due yet, as one email. What a
 * worker took and never finished is taken again alone, under its old id. Undefined if another worker is handling it, or
 * if the person can't see any of it anymore: then it's discarded.
 */
export async function takeMail(tx: Tx, { orgId, personId }: Addressee, now: Date): Promise<TakenMail | undefined> {
  const { rows: locked } = await sql<{
    alone: boolean
  }>`select pg_try_advisory_xact_lock(hashtextextended(${`notice mail ${orgId} ${personId}`}, 0)) as alone`.execute(tx)
  if (!locked[0]?.alone) return undefined
  const fresh = randomUUIDv7()
  const lease = new Date(now.getTime() + LEASE_MINUTES * 60_000)
  const { rows } = await sql<{ id: string; mail_id: string }>`
    with doubtful as (
      select mail_id from notice where org_id = ${orgId} and person_id = ${personId} and mail_due_at <= ${now} and mail_id is not null order by mail_due_at limit 1
    )
    update notice n set mail_id = coalesce(n.mail_id, ${fresh}), mail_due_at = ${lease}
    where n.org_id = ${orgId} and n.person_id = ${personId} and n.mail_due_at is not null
      and n.mail_id is not distinct from (select mail_id from doubtful)
      and exists (select from notice o where o.org_id = n.org_id and o.person_id = n.person_id and o.mail_due_at <= ${now})
    returning n.id, n.mail_id`.execute(tx)
  const mailId = rows[0]?.mail_id
  if (mailId === undefined) return undefined
  const [addressee, notices] = [
    await readAddressee(tx, { orgId, personId }),
    await readVisible(tx, mailId, { orgId, personId }),
  ]
  if (addressee && notices.length > 0) return { ...addressee, mailId, personId, orgId, notices }
  await tx
    .updateTable('notice')
    .set({ mail_due_at: null })
    .where('org_id', '=', orgId)
    .where('person_id', '=', personId)
    .where('mail_id', '=', mailId)
    .execute()
  return undefined
}

async function readAddressee(tx: Tx, { orgId, personId }: Addressee) {
  const { rows } = await sql<{
    to: string
    firstName: string
    orgName: string
    isAdmin: boolean
    admins: TakenMail['admins']
  }>`
    select p.email as to, p.first_name as "firstName", o.name as "orgName", m.is_admin as "isAdmin",
      array(
        select json_build_object('name', trim(a.first_name || ' ' || a.last_name), 'email', a.email)
        from member am join person a on a.id = am.person_id
        where am.org_id = m.org_id and am.is_admin and am.removed_at is null and am.person_id <> m.person_id order by am.added_at, am.person_id limit 3
      ) as admins
    from member m join person p on p.id = m.person_id join organization o on o.org_id = m.org_id
    where m.org_id = ${orgId} and m.person_id = ${personId} and m.removed_at is null and p.confirmed_at is not null and (o.deletes_at is null or m.is_admin)`.execute(
    tx,
  )
  return rows[0]
}

/**
 * What the reader of an email may still see: people who left a project, or whose role lost a channel or what the topic
 * needs, learn nothing more about it.
 */
async function readVisible(tx: Tx, mailId: string, { orgId, personId }: Addressee): Promise<TakenNotice[]> {
  const allowed = limitedKinds.map(
    ({ kinds, needs: [resource, action] }) => sql`(n.kind <> all(${kinds}::text[]) or ${memberMay(resource, action)})`,
  )
  const { rows } = await sql<Omit<TakenNotice, 'project'> & { project_id: string | null; name: string; zone: string }>`
    select n.kind, n.params, n.count, n.updated_at as at, n.project_id, pr.name, pr.zone
    from notice n join member m on m.org_id = n.org_id and m.person_id = n.person_id
    left join project pr on pr.org_id = n.org_id and pr.id = n.project_id
    where n.org_id = ${orgId} and n.person_id = ${personId} and n.mail_id = ${mailId} and n.mail_due_at is not null
      and (case when n.project_id is null then true else pr.id is not null and (m.is_admin or exists (
        select from project_member pm left join role r on r.org_id = pm.org_id and r.id = pm.role_id
        where pm.org_id = n.org_id and pm.project_id = n.project_id and pm.person_id = n.person_id
          and ${hearsOf(sql`n.channel_ids`, sql`pm.channel_ids`)}
          and ${sql.join(allowed, sql` and `)})) end)
    order by n.updated_at desc, n.id desc`.execute(tx)
  return rows.map(({ project_id: id, name, zone, ...notice }) => ({
    ...notice,
    project: id === null ? null : { id, name, zone },
  }))
}

/** The email was sent: none of its notifications is emailed again within a day, unless it's read in between. */
export async function markMailSent(tx: Tx, { orgId, personId, mailId }: TakenMail, now: Date): Promise<void> {
  await tx
    .updateTable('notice')
    .set({ mailed_at: now, mail_due_at: null })
    .where('org_id', '=', orgId)
    .where('person_id', '=', personId)
    .where('mail_id', '=', mailId)
    .execute()
}

/** The email will never be accepted. */
export async function giveUpMail(tx: Tx, { orgId, personId, mailId }: TakenMail): Promise<void> {
  await tx
    .updateTable('notice')
    .set({ mail_due_at: null })
    .where('org_id', '=', orgId)
    .where('person_id', '=', personId)
    .where('mail_id', '=', mailId)
    .execute()
}

/** The email failed, or nobody knows: it's retried under the same id, for a day. Returns whether it is. */
export async function retryMail(tx: Tx, taken: TakenMail, now: Date): Promise<boolean> {
  if (taken.notices.every(({ at }) => now.getTime() - at.getTime() > GIVE_UP_HOURS * 3_600_000)) {
    await giveUpMail(tx, taken)
    return false
  }
  const due = new Date(now.getTime() + RETRY_MINUTES * 60_000)
  await tx
    .updateTable('notice')
    .set({ mail_due_at: due })
    .where('org_id', '=', taken.orgId)
    .where('person_id', '=', taken.personId)
    .where('mail_id', '=', taken.mailId)
    .where('mail_due_at', 'is not', null)
    .execute()
  return true
}
