import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import type { Caller, CallerOrg } from '../http/route.ts'
import { createNotification } from '../notifications/create.ts'
import { takeAllowance } from '../plans/allowance.ts'

/** As many admins as a sentence names. */
const NAMED_ADMINS = 3

/** Whether the plan made the caller a reader: how many members it includes, and whom to ask. Null for everyone else. */
export async function viewOnlyByPlan({
  tx,
  org,
  caller,
}: {
  tx: Tx
  org: CallerOrg
  caller: Pick<Caller, 'personId'>
}): Promise<{ members: number; admins: string[]; wasOrgAdmin: boolean } | null> {
  const { rows } = await sql<{ admins: string[]; wasOrgAdmin: boolean }>`
    select m.locked_admin as "wasOrgAdmin", array(
      select trim(p.first_name || ' ' || p.last_name) from member a join person p on p.id = a.person_id
      where a.org_id = m.org_id and a.is_admin and a.removed_at is null and trim(p.first_name || ' ' || p.last_name) <> ''
      order by a.added_at, a.person_id limit ${NAMED_ADMINS}) as admins
    from member m where m.org_id = ${org.orgId} and m.person_id = ${caller.personId} and m.plan_locked`.execute(tx)
  return rows[0] ? { members: org.entitlements.users, ...rows[0] } : null
}

/** Notifies people that the plan has no room for them, or has room again. */
export async function notifyReaders(
  tx: Tx,
  orgId: string,
  personIds: readonly string[],
  about: 'locked' | 'unlocked',
  now: Date,
): Promise<void> {
  if (personIds.length === 0) return
  const { entitlements } = await takeAllowance(tx, orgId, now)
  const { users } = entitlements
  const { name } = await tx
    .selectFrom('organization')
    .select('name')
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  await createNotification(
    tx,
    {
      orgId,
      projectId: null,
      dedupeKey: `plan-reader:${about}`,
      kind: about === 'locked' ? 'plan-reader' : 'plan-member',
      params: { orgName: name, members: users < Number.MAX_SAFE_INTEGER ? users : null },
      people: personIds,
      channelIds: null,
    },
    now,
  )
}
