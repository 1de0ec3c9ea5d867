import type { ProjectContext } from '../http/route.ts'
import { writeAudit } from '../audit/write.ts'
import { sql } from 'kysely'
import { can } from '#contract/endpoint.ts'
import { problem } from '#contract/postProblems.ts'
import type { Tx } from '../db/kysely.ts'
import type { Entered } from '../db/tenant.ts'
import { fail } from '../errors.ts'
import { admit } from '../http/access.ts'
import { emit } from '../live/emit.ts'

/** A job belongs to no session: the person who requested it may have logged out since. */
const NO_SESSION = '00000000-0000-0000-0000-000000000000'

export type Actor = { orgId: string; projectId: string; personId: string }

/**
 * The context in which a job calls verbs on posts: the current rights of the person who requested it, read and checked
 * as for a request. Throws FORBIDDEN if they may no longer create posts here. Audit entries are of `action`.
 */
export async function contextOf(tx: Tx, actor: Actor, action: string, now: Date): Promise<ProjectContext> {
  const { caller, org, project } = admit(can('post', 'create', 'delete'), await enteredBy(tx, actor), now)
  // what admit throws otherwise
  if (!caller || !org || !project) throw fail('FORBIDDEN')
  const { orgId, projectId, personId } = actor
  return {
    tx,
    now,
    caller,
    org,
    project,
    audit: async (facts) => {
      const all = 'entityId' in facts ? [facts] : facts
      await writeAudit(
        tx,
        all.map(({ entityId, detail }) => ({ orgId, projectId, personId, action, entity: 'post', entityId, detail })),
        now,
      )
    },
    emit: async (events) => {
      const all = 'kind' in events ? [events] : events
      await emit(
        tx,
        all.map((event) => ({ projectId, ...event, orgId })),
        now,
      )
    },
  }
}

/** The same answer as enter() gives a request, for a person without a session. */
async function enteredBy(tx: Tx, { orgId, projectId, personId }: Actor): Promise<Entered> {
  const { rows } = await sql<Entered>`
    select ${NO_SESSION}::uuid as session_id, m.person_id, true as confirmed, null as session_seen_at,
      m.org_id, m.is_admin as is_org_admin, m.plan_locked, m.locked_admin, pl.plan_id, pl.status as plan_status, pl.addon_quantity, pl.trial_ends_at,
      pr.id as project_id, pr.zone, r.id as role_id, r.name as role_name, r.kind as role_kind, r.permissions, pm.channel_ids, pm.publishing
    from member m
    join plan pl on pl.org_id = m.org_id
    join organization o on o.org_id = m.org_id
    left join project_member pm on pm.org_id = m.org_id and pm.project_id = ${projectId} and pm.person_id = m.person_id
    left join project pr on pr.org_id = m.org_id and pr.id = ${projectId} and pr.deleted_at is null and (m.is_admin or pm.person_id is not null)
    left join role r on r.org_id = pr.org_id and r.id = pm.role_id
    where m.org_id = ${orgId} and m.person_id = ${personId} and m.removed_at is null and (o.deletes_at is null or m.is_admin)`.execute(
    tx,
  )
  const [entered] = rows
  if (!entered?.project_id) throw fail('FORBIDDEN', { problem: problem('confirmer-left') })
  return entered
}
