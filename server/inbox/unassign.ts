import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import { emit } from '../live/emit.ts'

/**
 * Takes their conversations from someone who leaves a project, or the organization with all its projects, and tells open
 * screens. What is closed keeps nobody either: opened again, it belongs to everyone.
 */
export async function unassignMember(
  tx: Tx,
  { orgId, projectId, personId }: { orgId: string; projectId?: string; personId: string },
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ id: string; project_id: string }>`
    with theirs as (
      select id from conversation where org_id = ${orgId} and assignee_id = ${personId} and (${projectId ?? null}::uuid is null or project_id = ${projectId ?? null}::uuid)
      order by id for update
    )
    update conversation c set assignee_id = null, version = c.version + 1 from theirs t where c.org_id = ${orgId} and c.id = t.id
    returning c.id, c.project_id`.execute(tx)
  await emit(
    tx,
    rows.map((row) => ({ kind: 'conversation', ref: row.id, orgId, projectId: row.project_id })),
    now,
  )
}
