import type { Tx } from '../db/kysely.ts'
import { raiseNotice, type Matter } from '../notices/raise.ts'

export type Words = Pick<Matter, 'matter' | 'kind' | 'title' | 'body'>

/**
 * The one way to tell about billing: a notice with its mail to the organization's admins, once per matter. It leads to
 * Billing & Invoice, or with `search` to a part of it.
 */
export async function notifyAdmins(
  tx: Tx,
  orgId: string,
  words: Words,
  now: Date,
  search = 'tab=billing',
): Promise<void> {
  const link = await settingsLink(tx, orgId, search)
  await raiseNotice(
    tx,
    { ...words, orgId, projectId: null, link, people: 'org-admins', channelIds: null, once: true },
    now,
  )
}

/** The path of the organization's settings, which are reached through its first project; null while it has none. */
async function settingsLink(tx: Tx, orgId: string, search: string): Promise<string | null> {
  const project = await tx
    .selectFrom('project')
    .select('id')
    .where('org_id', '=', orgId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return project ? `/${orgId}/project/${project.id}/org-settings?${search}` : null
}
