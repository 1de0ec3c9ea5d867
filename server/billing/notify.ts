import type { NotificationFacts } from '#contract/notifications/catalog.ts'
import type { Tx } from '../db/kysely.ts'
import { createNotification } from '../notifications/create.ts'

/** A kind of notification about the plan, without the project that leads to the settings. */
type BillingFacts = WithoutProject<Extract<NotificationFacts, { params: { viaProjectId: string | null } }>>
type WithoutProject<Facts extends NotificationFacts> = Facts extends unknown
  ? { kind: Facts['kind']; params: Omit<Facts['params'], 'viaProjectId'> }
  : never

/** Notifies the organization's admins about billing, in the app and by email, once per `dedupeKey`. */
export async function notifyAdmins(
  tx: Tx,
  orgId: string,
  { dedupeKey, kind, params }: { dedupeKey: string } & BillingFacts,
  now: Date,
): Promise<void> {
  const viaProjectId = await firstProject(tx, orgId)
  // the type guarantees that `kind` and `params` belong together: only the project was removed
  const facts = { kind, params: { ...params, viaProjectId } } as NotificationFacts
  await createNotification(
    tx,
    { ...facts, orgId, projectId: null, dedupeKey, people: 'org-admins', channelIds: null, once: true },
    now,
  )
}

/** The organization's settings are reached through its first project; null if it has none. */
async function firstProject(tx: Tx, orgId: string): Promise<string | null> {
  const project = await tx
    .selectFrom('project')
    .select('id')
    .where('org_id', '=', orgId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return project?.id ?? null
}
