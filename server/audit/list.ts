import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { AuditFilters, AuditRow, auditFilters } from '#contract/audit.ts'
import type { Tx } from '../db/kysely.ts'
import { pictureAddress } from '../people/person.ts'
import { changesOf, presentChanges, referencesIn } from './changes.ts'
import { readNames } from './names.ts'
import { targetOf } from './target.ts'

type Asker = { tx: Tx; org: { orgId: string } }
export type Filters = z.output<typeof AuditFilters>
/** The position of the previous entry: the next one is older. */
export type Place = { at: Date; id: string }
type Row = {
  at: Date
  id: string
  person_id: string | null
  first_name: string | null
  last_name: string | null
  picture_id: string | null
  action: string
  entity: string
  entity_id: string | null
  detail: unknown
  project_name: string | null
}
/** An entry with the id of what it is about. */
export type Told = AuditRow & { entityId: string | null; place: Place }

/** A page of the audit log, newest first. Names are current, read with one statement per kind of thing. */
export async function readAudit(
  c: Asker,
  filters: Filters,
  { limit, offset = 0, after }: { limit: number; offset?: number; after?: Place | undefined },
): Promise<Told[]> {
  const older = after ? sql`and (a.at, a.id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql``
  const { rows } = await sql<Row>`
    select a.at, a.id, a.person_id, p.first_name, p.last_name, p.picture_id, a.action, a.entity, a.entity_id, a.detail, pr.name as project_name
    from audit a
    left join person p on p.id = a.person_id
    left join project pr on pr.org_id = a.org_id and pr.id = a.project_id
    where a.org_id = ${c.org.orgId} ${matching(filters)} ${older}
    order by a.at desc, a.id desc limit ${limit} offset ${offset}`.execute(c.tx)
  const read = rows.map((row) => ({
    row,
    self: row.entity_id === null ? null : { kind: row.entity, id: row.entity_id },
    target: targetOf(row.entity, row.detail),
    changes: changesOf(row.detail),
  }))
  const nameOf = await readNames(
    c.tx,
    c.org.orgId,
    read.flatMap(({ self, target, changes }) => [
      self,
      target && 'reference' in target ? target.reference : null,
      ...referencesIn(changes),
    ]),
  )
  return read.map(({ row, self, target, changes }) => ({
    auditId: row.id,
    user:
      row.person_id === null
        ? null
        : {
            userId: row.person_id,
            firstName: row.first_name ?? '',
            lastName: row.last_name ?? '',
            profileUrl: pictureAddress(row.picture_id),
          },
    action: row.action,
    entityType: row.entity,
    entityName: nameOf(self),
    targetValue: target && ('words' in target ? target.words : nameOf(target.reference)),
    actor: actorOf(row),
    changes: presentChanges(changes, nameOf),
    projectName: row.project_name,
    timestamp: row.at.toISOString(),
    entityId: row.entity_id,
    place: { at: row.at, id: row.id },
  }))
}

function actorOf({ person_id: personId, action, entity }: Row): AuditRow['actor'] {
  if (personId !== null) return 'member'
  if (entity === 'account') return 'unknown'
  return entity === 'post' && (action === 'approved' || action === 'rejected') ? 'approver' : 'product'
}

export async function countAudit({ tx, org }: Asker, filters: Filters): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from audit a where a.org_id = ${org.orgId} ${matching(filters)}`.execute(tx)
  return rows[0]?.n ?? 0
}

/** Everyone and everything in the audit log, by name. */
export async function readAuditFilters({ tx, org }: Asker): Promise<z.output<(typeof auditFilters)['reply']>> {
  const users = await sql<{ userId: string; name: string | null }>`
    select w.person_id as "userId", trim(p.first_name || ' ' || p.last_name) as name
    from (select distinct person_id from audit where org_id = ${org.orgId} and person_id is not null) w left join person p on p.id = w.person_id
    order by lower(trim(p.first_name || ' ' || p.last_name)), w.person_id`.execute(tx)
  const kinds = await sql<{
    action: string
    entity: string
  }>`select distinct action, entity from audit where org_id = ${org.orgId}`.execute(tx)
  return {
    users: users.rows.map(({ userId, name }) => ({ userId, name: name ?? '' })),
    actions: [...new Set(kinds.rows.map(({ action }) => action))].toSorted(),
    entityTypes: [...new Set(kinds.rows.map(({ entity }) => entity))].toSorted(),
  }
}

function matching({ userId, action, entityType, projectId, from, to }: Filters): RawBuilder<unknown> {
  const conditions = [
    ...(userId === undefined ? [] : [sql`and a.person_id = ${userId}`]),
    ...(action === undefined ? [] : [sql`and a.action = ${action}`]),
    ...(entityType === undefined ? [] : [sql`and a.entity = ${entityType}`]),
    ...(projectId === undefined ? [] : [sql`and a.project_id = ${projectId}`]),
    ...(from === undefined ? [] : [sql`and a.at >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql`and a.at < ${to}::timestamptz`]),
  ]
  return sql.join(conditions, sql` `)
}
