import type { Selectable } from 'kysely'
import type { NoteTable } from '../db/schema.ts'
import { fail } from '../errors.ts'
import { findPost, type Desk, type PostRecord } from '../posts/access.ts'

export type NoteRow = Selectable<NoteTable>

/** The note and its post. Absent, of another project, or on a post that the caller does not see: NOT_FOUND. */
export async function seeNote(c: Desk, noteId: string): Promise<{ note: NoteRow; post: PostRecord }> {
  const note = await c.tx
    .selectFrom('note')
    .selectAll()
    .where('org_id', '=', c.org.orgId)
    .where('project_id', '=', c.project.projectId)
    .where('id', '=', noteId)
    .executeTakeFirst()
  if (!note) throw fail('NOT_FOUND')
  return { note, post: await findPost(c, note.post_id) }
}

/** Who administers the project deletes the notes of others: its role Admin, which admins of the organisation hold everywhere. */
export async function isProjectAdmin({ tx, org, project }: Pick<Desk, 'tx' | 'org' | 'project'>): Promise<boolean> {
  if (org.isAdmin) return true
  if (project.roleId === null) return false
  const role = await tx
    .selectFrom('role')
    .select('kind')
    .where('org_id', '=', org.orgId)
    .where('id', '=', project.roleId)
    .executeTakeFirst()
  return role?.kind === 'admin'
}
