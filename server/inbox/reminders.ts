import { sql } from 'kysely'
import { BusinessHours } from '#contract/inbox/settings.ts'
import { ConversationKind } from '#contract/inbox/terms.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { asSystem } from '../db/system.ts'
import type { Tx } from '../db/kysely.ts'
import { eachAlone } from '../jobs/eachAlone.ts'
import type { JobContext } from '../jobs/job.ts'
import { emit } from '../live/emit.ts'
import { businessMinutesAgo } from './businessHours.ts'
import { createNotification } from '../notifications/create.ts'
import { dedupeKeys } from '../notifications/dedupeKeys.ts'

type Due = {
  id: string
  kind: string
  channel_id: string
  handle: string
  platform: string
  assignee_id: string | null
}

/**
 * Opens what was put off until today, by the calendar of each project, and notifies whom it's assigned to. The
 * conversations of a project are opened together, and each project alone.
 */
export async function reopenDue(context: JobContext): Promise<void> {
  const { databases, clock } = context
  const now = clock.now()
  // it's today first in Kiritimati, which the index can be asked for
  const { rows: projects } = await asSystem(databases.system, (tx) =>
    sql<InProject>`
      select distinct c.org_id, c.project_id from conversation c join project p on p.org_id = c.org_id and p.id = c.project_id
      where ${isToday(now)} order by c.org_id, c.project_id`.execute(tx),
  )
  await eachAlone(
    context,
    projects,
    {
      name: ({ project_id: projectId }) => ({ projectId }),
      failed: "conversations that were put off couldn't be opened",
    },
    (project) => asSystem(databases.system, (tx) => reopenIn(tx, project, now)),
  )
}

type InProject = { org_id: string; project_id: string }

const isToday = (now: Date) => sql<boolean>`
  c.status = 'FOLLOWUP' and c.follow_up_on <= (${now}::timestamptz at time zone 'Pacific/Kiritimati')::date and c.follow_up_on <= (${now}::timestamptz at time zone p.zone)::date`

async function reopenIn(tx: Tx, { org_id: orgId, project_id: projectId }: InProject, now: Date): Promise<void> {
  const { rows } = await sql<Due>`
    with due as (
      select c.org_id, c.id from conversation c join project p on p.org_id = c.org_id and p.id = c.project_id
      where c.org_id = ${orgId} and c.project_id = ${projectId} and ${isToday(now)} order by c.id for no key update of c skip locked
    )
    update conversation c set status = 'OPEN', follow_up_on = null, version = c.version + 1
    from due d, channel ch where c.org_id = d.org_id and c.id = d.id and ch.org_id = c.org_id and ch.id = c.channel_id
    returning c.id, c.kind, c.channel_id, ch.handle, ch.platform, c.assignee_id`.execute(tx)
  await emit(
    tx,
    rows.map((row) => ({ kind: 'conversation', ref: row.id, orgId, projectId })),
    now,
  )
  for (const row of rows)
    if (row.assignee_id !== null)
      await createNotification(
        tx,
        {
          orgId,
          projectId,
          dedupeKey: dedupeKeys.followUp(row.id),
          kind: 'inbox-follow-up',
          params: {
            conversationId: row.id,
            conversation: ConversationKind.parse(row.kind),
            handle: row.handle,
            platform: PlatformKey.parse(row.platform),
          },
          people: [row.assignee_id],
          channelIds: [row.channel_id],
        },
        now,
      )
}

type Wanting = { org_id: string; project_id: string; answer_hours: number; business_hours: unknown; zone: string }

/**
 * Notifies people of conversations that wait for an answer longer than their project wants, once for each wait: the
 * assignee, or everyone who may answer what is assigned to nobody.
 */
export async function notifyOverdue(context: JobContext): Promise<void> {
  const { databases, clock } = context
  const now = clock.now()
  const projects = await asSystem(databases.system, async (tx) => {
    const { rows } = await sql<Wanting>`
      select s.org_id, s.project_id, s.answer_hours, s.business_hours, p.zone
      from inbox_setting s join project p on p.org_id = s.org_id and p.id = s.project_id where s.answer_hours is not null and p.deleted_at is null`.execute(
      tx,
    )
    return rows
  })
  await eachAlone(
    context,
    projects,
    { name: ({ project_id: projectId }) => ({ projectId }), failed: "overdue answers couldn't be reported" },
    async (project) => {
      const hours = BusinessHours.parse(project.business_hours)
      const since = businessMinutesAgo(now, project.answer_hours * 60, hours, project.zone)
      if (since) await asSystem(databases.system, (tx) => tellOverdue(tx, project, since, now))
    },
  )
}

async function tellOverdue(
  tx: Tx,
  { org_id: orgId, project_id: projectId, answer_hours: hours }: Wanting,
  since: Date,
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ person_id: string; n: number; id: string; channel_ids: string[] }>`
    with overdue as (
      update conversation c set overdue_for = c.waiting_since
      where c.org_id = ${orgId} and c.project_id = ${projectId} and c.waiting_since <= ${since} and c.status <> 'CLOSED' and c.overdue_for is distinct from c.waiting_since
      returning c.id, c.kind, c.channel_id, c.assignee_id
    )
    select m.person_id, count(*)::int as n, min(o.id::text) as id, array_agg(distinct o.channel_id) as channel_ids
    from overdue o join member m on m.org_id = ${orgId} and m.removed_at is null
    left join project_member pm on pm.org_id = m.org_id and pm.project_id = ${projectId} and pm.person_id = m.person_id
    left join role r on r.org_id = pm.org_id and r.id = pm.role_id
    where o.assignee_id = m.person_id or (o.assignee_id is null and (
      m.is_admin or (r.id is not null and (pm.channel_ids is null or o.channel_id = any(pm.channel_ids)) and r.permissions -> 'inbox' ? 'view'
        and r.permissions -> (case o.kind when 'message' then 'dm' else 'comment' end) ? 'create')))
    group by m.person_id`.execute(tx)
  for (const { person_id: personId, n, id, channel_ids: channelIds } of rows)
    await createNotification(
      tx,
      {
        orgId,
        projectId,
        dedupeKey: dedupeKeys.overdue(projectId),
        kind: 'inbox-overdue',
        params: { count: n, hours, conversationId: n === 1 ? id : null },
        people: [personId],
        channelIds,
      },
      now,
    )
}
