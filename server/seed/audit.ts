import { sql } from 'kysely'
import { writeAudit } from '../audit/write.ts'
import type { Tx } from '../db/kysely.ts'
import type { AuditEntry } from '../http/route.ts'

type Fact = Omit<AuditEntry, 'orgId' | 'projectId'> & { projectId?: string | null; at: Date }
type Place = { orgId: string; owner: string; began: Date }

const MINUTE = 60_000

/**
 * What the demo organization's audit log would contain if people had done all of it: written by the product's own
 * function, dated when it happened, and sealed by the job like any other entry.
 */
export async function seedAudit(tx: Tx, { orgId, owner, began }: Place, now: Date): Promise<void> {
  const facts = [
    ...foundation({ orgId, owner, began }, now),
    ...(await made(tx, orgId)),
    ...(await settingsOf(tx, { orgId, owner, began })),
  ]
  for (const { at, projectId = null, ...entry } of facts.toSorted(
    (one, other) => one.at.getTime() - other.at.getTime(),
  ))
    await writeAudit(tx, [{ ...entry, orgId, projectId, address: '192.0.2.10' }], at)
}

function foundation({ orgId, owner, began }: Place, now: Date): Fact[] {
  const by = { personId: owner, entityId: orgId }
  const plan = { planId: 'team', interval: 'monthly', addonQuantity: 0 }
  const trial = { planId: 'free', status: 'TRIAL_ACTIVE', interval: null, addonQuantity: 0, card: null }
  return [
    { ...by, action: 'created', entity: 'organization', detail: { orgType: 'organization' }, at: began },
    {
      ...by,
      action: 'updated',
      entity: 'organization',
      detail: { before: { orgSize: '2-10' }, after: { orgSize: '11-50' } },
      at: later(began, 40),
    },
    { ...by, action: 'started', entity: 'checkout', detail: { after: plan }, at: later(now, -3) },
    {
      ...by,
      action: 'paid',
      entity: 'plan',
      detail: { before: trial, after: { ...plan, status: 'ACTIVE', card: '4242' } },
      at: later(now, -2),
    },
    { personId: owner, entityId: owner, action: 'logged_in_to', entity: 'account', at: later(now, -1) },
  ]
}

/** Projects, members, channels, labels, campaigns and posts, by their creators. */
async function made(tx: Tx, orgId: string): Promise<Fact[]> {
  const { rows } = await sql<{
    at: Date
    person: string | null
    action: string
    entity: string
    id: string
    project: string | null
    detail: Record<string, unknown>
  }>`
    select o.created_at as at, o.created_by as person, 'created' as action, 'project' as entity, p.id::text, p.id as project, jsonb_build_object('zone', p.zone) as detail
      from project p join organization o on o.org_id = p.org_id where p.org_id = ${orgId}
    union all select pm.added_at, o.created_by, 'added', 'member', pm.person_id::text, pm.project_id,
        jsonb_build_object('after', jsonb_build_object('roleId', pm.role_id, 'channelIds', null, 'publishing', pm.publishing))
      from project_member pm join organization o on o.org_id = pm.org_id where pm.org_id = ${orgId} and pm.person_id <> o.created_by
    union all select c.connected_at, c.connected_by, 'connected', 'channel', c.id::text, c.project_id, jsonb_build_object('platform', c.platform)
      from channel c where c.org_id = ${orgId}
    union all select l.created_at, o.created_by, 'created', 'label', l.id::text, l.project_id, jsonb_build_object('color', l.color)
      from label l join organization o on o.org_id = l.org_id where l.org_id = ${orgId}
    union all select k.created_at, k.created_by, 'created', 'campaign', k.id::text, k.project_id, '{}'
      from campaign k where k.org_id = ${orgId}
    union all select p.created_at, p.author_id, 'created', 'post', p.id::text, p.project_id, jsonb_build_object('channelId', p.channel_id)
      from post p where p.org_id = ${orgId} and p.state <> 'DRAFTS'`.execute(tx)
  return rows.map(({ at, person, action, entity, id, project, detail }) => ({
    at,
    personId: person,
    action,
    entity,
    entityId: id,
    projectId: project,
    detail,
  }))
}

/** A changed role, and a channel's limit: with their previous values. */
async function settingsOf(tx: Tx, { orgId, owner, began }: Place): Promise<Fact[]> {
  const { rows: channels } = await sql<{ id: string; project: string }>`
    select id::text, project_id as project from channel where org_id = ${orgId} order by connected_at, id limit 2`.execute(
    tx,
  )
  const { rows: editors } = await sql<{ person: string; project: string; role: string; before: string }>`
    select pm.person_id as person, pm.project_id as project, r.id as role, u.id as before
    from project_member pm join role r on r.org_id = pm.org_id and r.id = pm.role_id and r.kind = 'editor'
      join role u on u.org_id = pm.org_id and u.project_id = pm.project_id and u.kind = 'user'
    where pm.org_id = ${orgId} limit 1`.execute(tx)
  const access = { channelIds: null, publishing: 'full' }
  return [
    ...channels.map(({ id, project }, i): Fact => ({
      personId: owner,
      action: 'edited',
      entity: 'channel',
      entityId: id,
      projectId: project,
      detail: { before: { latenessMinutes: 60 }, after: { latenessMinutes: 120 } },
      at: later(began, 24 * 60 + i),
    })),
    ...editors.map(({ person, project, role, before }): Fact => ({
      personId: owner,
      action: 'assigned',
      entity: 'role',
      entityId: role,
      projectId: project,
      detail: { userId: person, before: { ...access, roleId: before }, after: { ...access, roleId: role } },
      at: later(began, 48 * 60),
    })),
  ]
}

const later = (moment: Date, minutes: number): Date => new Date(moment.getTime() + minutes * MINUTE)
