import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Folder } from '#contract/library.ts'
import { fail } from '../errors.ts'
import type { ProjectRequest } from '../http/route.ts'

type Asker = Pick<ProjectRequest, 'tx' | 'org' | 'project'>

/** The folders by name, each with its number of files. */
export async function findFolders({ tx, org, project }: Asker): Promise<Folder[]> {
  const { rows } = await sql<Folder>`
    select f.id as "folderId", f.name, f.parent_id as "parentId",
      (select count(*) from asset a where a.org_id = f.org_id and a.project_id = f.project_id and a.folder_id = f.id and a.deleted_at is null and a.state = 'ready' and a.derived_from is null) as assets
    from asset_folder f where f.org_id = ${org.orgId} and f.project_id = ${project.projectId}
    order by lower(f.name), f.id`.execute(tx)
  return rows
}

/** Creates a folder, inside `parentId` if given. Throws NOT_FOUND, NAME_TAKEN. Returns its id. */
export async function makeFolder(
  c: Asker & { now: Date },
  { name, parentId }: { name: string; parentId: string | null },
): Promise<string> {
  await holdFolders(c)
  if (parentId) await mustHaveFolder(c, parentId, 'parentId')
  await mustBeFreeThere(c, name, parentId)
  const folderId = randomUUIDv7()
  await c.tx
    .insertInto('asset_folder')
    .values({
      org_id: c.org.orgId,
      id: folderId,
      project_id: c.project.projectId,
      parent_id: parentId,
      name,
      created_at: c.now,
    })
    .execute()
  return folderId
}

/** A folder, for the audit log. */
type FolderFacts = { name: string; parentId: string | null }

/**
 * Renames a folder, or moves it with its contents. Throws NOT_FOUND, NAME_TAKEN, and BAD_INPUT if it would be inside
 * itself.
 */
export async function changeFolder(
  c: Asker,
  folderId: string,
  change: { name?: string | undefined; parentId?: string | null | undefined },
): Promise<{ before: FolderFacts; after: FolderFacts }> {
  await holdFolders(c)
  const before = await mustHaveFolder(c, folderId)
  const { name = before.name, parentId = before.parent_id } = change
  if (parentId !== before.parent_id && parentId !== null) {
    await mustHaveFolder(c, parentId, 'parentId')
    await mustBeOutside(c, parentId, folderId)
  }
  await mustBeFreeThere(c, name, parentId, folderId)
  await c.tx
    .updateTable('asset_folder')
    .set({ name, parent_id: parentId })
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', folderId)
    .execute()
  return { before: { name: before.name, parentId: before.parent_id }, after: { name, parentId } }
}

/** Locks folders, so that two simultaneous moves can't put each into the other. */
async function mustBeOutside({ tx, org }: Asker, folderId: string, of: string): Promise<void> {
  const { rows } = await sql`
    with recursive above as (
      select id, parent_id from asset_folder where org_id = ${org.orgId} and id = ${folderId}
      union all select f.id, f.parent_id from asset_folder f join above on f.id = above.parent_id where f.org_id = ${org.orgId}
    ) select from above where id = ${of}`.execute(tx)
  const words = "You can't move a folder into itself."
  if (rows.length > 0) throw fail('BAD_INPUT', { detail: words, errors: { parentId: [words] } })
}

/**
 * Deletes a folder; its contents move to its parent. Throws NOT_FOUND, and NAME_TAKEN if a folder inside has the name
 * of one there.
 */
export async function removeFolder(c: Asker, folderId: string): Promise<void> {
  await holdFolders(c)
  const { parent_id } = await mustHaveFolder(c, folderId)
  const { rows: clashes } = await sql<{ name: string }>`
    select inner_one.name from asset_folder inner_one join asset_folder beside on beside.org_id = inner_one.org_id and beside.project_id = inner_one.project_id
      and beside.parent_id is not distinct from ${parent_id}::uuid and lower(beside.name) = lower(inner_one.name) and beside.id <> ${folderId}
    where inner_one.org_id = ${c.org.orgId} and inner_one.parent_id = ${folderId} limit 1`.execute(c.tx)
  if (clashes[0])
    throw fail('NAME_TAKEN', {
      detail: `The folder ${clashes[0].name} can't be moved out because a folder with that name already exists there. Rename one of them first.`,
    })
  await c.tx
    .updateTable('asset')
    .set({ folder_id: parent_id })
    .where('org_id', '=', c.org.orgId)
    .where('folder_id', '=', folderId)
    .execute()
  // the folder first gives up its own name: one inside may have the same
  await c.tx
    .updateTable('asset_folder')
    .set({ name: folderId })
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', folderId)
    .execute()
  await c.tx
    .updateTable('asset_folder')
    .set({ parent_id })
    .where('org_id', '=', c.org.orgId)
    .where('parent_id', '=', folderId)
    .execute()
  await c.tx.deleteFrom('asset_folder').where('org_id', '=', c.org.orgId).where('id', '=', folderId).execute()
}

/**
 * The folder, locked against deletion until the transaction ends. NOT_FOUND for another project's, at `field` if given.
 */
export async function mustHaveFolder(
  { tx, org, project }: Asker,
  folderId: string,
  field?: string,
): Promise<{ name: string; parent_id: string | null }> {
  const folder = await tx
    .selectFrom('asset_folder')
    .select(['name', 'parent_id'])
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('id', '=', folderId)
    .forKeyShare()
    .executeTakeFirst()
  const words = 'This folder no longer exists.'
  if (!folder) throw fail('NOT_FOUND', { detail: words, ...(field && { errors: { [field]: [words] } }) })
  return folder
}

/** Changes of folders wait for each other until the transaction ends, so that two can't take the same name. */
async function holdFolders({ tx, org, project }: Asker): Promise<void> {
  await tx
    .selectFrom('project')
    .select('id')
    .where('org_id', '=', org.orgId)
    .where('id', '=', project.projectId)
    .forNoKeyUpdate()
    .execute()
}

async function mustBeFreeThere(
  { tx, org, project }: Asker,
  name: string,
  parentId: string | null,
  except?: string,
): Promise<void> {
  const { rows } = await sql`
    select from asset_folder where org_id = ${org.orgId} and project_id = ${project.projectId} and parent_id is not distinct from ${parentId}::uuid
      and lower(name) = lower(${name}) and id is distinct from ${except ?? null}::uuid`.execute(tx)
  const words = 'A folder with this name already exists.'
  if (rows.length > 0) throw fail('NAME_TAKEN', { detail: words, errors: { name: [words] } })
}
