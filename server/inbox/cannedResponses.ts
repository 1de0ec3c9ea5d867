import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { CANNED_RESPONSES_MOST, type CannedResponse, type CannedResponseBody } from '#contract/inbox/cannedResponses.ts'
import type { z } from 'zod'
import { fail } from '../errors.ts'
import type { ProjectContext } from '../http/route.ts'
import { assertNameAvailable } from '../labels/assertNameAvailable.ts'
import { mustHaveGate } from '../plans/gates.ts'

type Words = z.output<typeof CannedResponseBody>

/** The project's canned responses, the most used first. Throws PLAN_LIMIT where the plan has none. */
export async function listCannedResponses(c: ProjectContext): Promise<CannedResponse[]> {
  mustHaveGate(c, 'canned_responses')
  const { rows } = await sql<Omit<CannedResponse, 'updatedAt'> & { updatedAt: Date }>`
    select r.id as "responseId", r.name, r.text, r.used, r.updated_at as "updatedAt",
      case when a.id is not null then json_build_object('userId', a.id, 'name', trim(a.first_name || ' ' || a.last_name)) end as author
    from canned_response r left join person a on a.id = r.author_id
    where r.org_id = ${c.org.orgId} and r.project_id = ${c.project.projectId}
    order by r.used desc, lower(r.name), r.id`.execute(c.tx)
  return rows.map((row) => ({ ...row, updatedAt: row.updatedAt.toISOString() }))
}

/** Returns the new response's id. Throws PLAN_LIMIT, NAME_TAKEN, and BAD_INPUT beyond the most that a project may have. */
export async function createCannedResponse(c: ProjectContext, { name, text }: Words): Promise<string> {
  mustHaveGate(c, 'canned_responses')
  await assertNameAvailable(c, 'canned_response', name, 'name')
  const { n } = await c.tx
    .selectFrom('canned_response')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('org_id', '=', c.org.orgId)
    .where('project_id', '=', c.project.projectId)
    .executeTakeFirstOrThrow()
  if (n >= CANNED_RESPONSES_MOST)
    throw fail('BAD_INPUT', {
      errors: { name: [`A project can have up to ${CANNED_RESPONSES_MOST} canned responses. Delete one first.`] },
    })
  const id = randomUUIDv7()
  await c.tx
    .insertInto('canned_response')
    .values({
      org_id: c.org.orgId,
      id,
      project_id: c.project.projectId,
      name,
      text,
      author_id: c.caller.personId,
      updated_at: c.now,
    })
    .execute()
  await c.audit({ entityId: id })
  return id
}

/** Throws PLAN_LIMIT, NOT_FOUND, NAME_TAKEN. */
export async function editCannedResponse(c: ProjectContext, id: string, { name, text }: Words): Promise<void> {
  mustHaveGate(c, 'canned_responses')
  const before = await load(c, id)
  await assertNameAvailable(c, 'canned_response', name, 'name', id)
  await c.tx
    .updateTable('canned_response')
    .set({ name, text, updated_at: c.now })
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', id)
    .execute()
  await c.audit({ entityId: id, detail: { before: { name: before.name }, after: { name } } })
}

/** Throws NOT_FOUND. What a smaller plan no longer offers can still be deleted. */
export async function deleteCannedResponse(c: ProjectContext, id: string): Promise<void> {
  await load(c, id)
  await c.tx.deleteFrom('canned_response').where('org_id', '=', c.org.orgId).where('id', '=', id).execute()
  await c.audit({ entityId: id })
}

/** The response, locked. Of another project: NOT_FOUND. */
async function load({ tx, org, project }: ProjectContext, id: string): Promise<{ name: string }> {
  const response = await tx
    .selectFrom('canned_response')
    .select('name')
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!response) throw fail('NOT_FOUND')
  return response
}
