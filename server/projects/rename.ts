import { isZone } from '#contract/common.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'

type Asker = { tx: Tx; org: { orgId: string } }

/** The project for a verb that changes it, locked. Deleted ones aren't found. Throws NOT_FOUND. */
export async function loadProject({ tx, org }: Asker, projectId: string): Promise<{ id: string; name: string }> {
  const project = await tx
    .selectFrom('project')
    .select(['id', 'name'])
    .where('org_id', '=', org.orgId)
    .where('id', '=', projectId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!project) throw fail('NOT_FOUND')
  return project
}

/**
 * Renames the project; the name must be free in its organization, ignoring case. Returns the previous one. Throws
 * NOT_FOUND, NAME_TAKEN.
 */
export async function renameProject(c: Asker, projectId: string, name: string): Promise<string> {
  const project = await loadProject(c, projectId)
  const taken = await c.tx
    .selectFrom('project')
    .select('id')
    .where('org_id', '=', c.org.orgId)
    .where('id', '!=', projectId)
    .where('deleted_at', 'is', null)
    .where((e) => e(e.fn('lower', ['name']), '=', name.toLowerCase()))
    .executeTakeFirst()
  if (taken)
    throw fail('NAME_TAKEN', {
      detail: 'A project with this name already exists.',
      errors: { projectName: ['A project with this name already exists.'] },
    })
  await c.tx
    .updateTable('project')
    .set({ name })
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', projectId)
    .execute()
  return project.name
}

/**
 * Changes the description and the time zone of a project that the caller has locked; undefined leaves a value as it is.
 * Planned times depend on the zone, so it can only change while the project has nothing but drafts. Returns the
 * previous values. Throws BAD_INPUT at `zone`.
 */
export async function describeProject(
  { tx, org }: Asker,
  projectId: string,
  { description, zone }: { description: string | undefined; zone: string | undefined },
): Promise<{ description: string; zone: string }> {
  const before = await tx
    .selectFrom('project')
    .select(['description', 'zone'])
    .where('org_id', '=', org.orgId)
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  if (zone !== undefined && zone !== before.zone) await assertZoneIsFree(tx, org.orgId, projectId, zone)
  await tx
    .updateTable('project')
    .set({ description: description ?? before.description, zone: zone ?? before.zone })
    .where('org_id', '=', org.orgId)
    .where('id', '=', projectId)
    .execute()
  return before
}

async function assertZoneIsFree(tx: Tx, orgId: string, projectId: string, zone: string): Promise<void> {
  if (!isZone(zone)) throw fail('BAD_INPUT', { errors: { zone: ['Unknown time zone'] } })
  const planned = await tx
    .selectFrom('post')
    .select('id')
    .where('org_id', '=', orgId)
    .where('project_id', '=', projectId)
    .where('state', '<>', 'DRAFTS')
    .limit(1)
    .executeTakeFirst()
  if (planned)
    throw fail('BAD_INPUT', {
      errors: { zone: ["You can't change the time zone once the project has posts other than drafts."] },
    })
}
