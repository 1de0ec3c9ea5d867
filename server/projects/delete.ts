import type { Tx } from '../db/kysely.ts'
import { deleteChannelsOf } from '../channels/delete.ts'
import { withdrawInvitesTo } from '../invites/withdraw.ts'
import { loadProject } from './rename.ts'

type Deletion = { tx: Tx; now: Date; caller: { personId: string }; org: { orgId: string } }

/**
 * Deletes a project: from this commit on, nobody can enter it, its invitations are withdrawn, and nothing of it is
 * published. Jobs delete its channels and turn scheduled posts into drafts. Returns its name and the number of
 * channels. Throws NOT_FOUND.
 */
export async function deleteProject(
  { tx, now, caller, org }: Deletion,
  projectId: string,
): Promise<{ channels: number; projectName: string }> {
  const { name } = await loadProject({ tx, org }, projectId)
  await tx
    .updateTable('project')
    .set({ deleted_at: now })
    .where('org_id', '=', org.orgId)
    .where('id', '=', projectId)
    .execute()
  await withdrawInvitesTo(tx, { orgId: org.orgId, projectId }, now)
  const channels = await deleteChannelsOf(tx, { orgId: org.orgId, projectId }, caller.personId, now)
  return { channels, projectName: name }
}
