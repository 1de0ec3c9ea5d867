import { PlatformKey } from '#contract/platforms/rules.ts'
import type { NotificationKind } from '#contract/notifications/catalog.ts'
import type { Tx } from '../db/kysely.ts'
import type { ProjectContext } from '../http/route.ts'
import { createNotification } from '../notifications/create.ts'
import { dedupeKeys } from '../notifications/dedupeKeys.ts'
import { withdrawNotifications } from '../notifications/dismiss.ts'
import type { ConversationRecord } from './access.ts'

type Assigned = Pick<ConversationRecord, 'id' | 'kind' | 'channel_id'>

/** Notifies a member of conversations that someone else assigned to them: of one, or of many together. */
export async function notifyAssignee(c: ProjectContext, userId: string, assigned: readonly Assigned[]): Promise<void> {
  const [first] = assigned
  if (!first || userId === c.caller.personId) return
  const [channel, assigner] = await Promise.all([
    c.tx
      .selectFrom('channel')
      .select(['handle', 'platform'])
      .where('org_id', '=', c.org.orgId)
      .where('id', '=', first.channel_id)
      .executeTakeFirstOrThrow(),
    nameOf(c),
  ])
  const about = { orgId: c.org.orgId, projectId: c.project.projectId, people: [userId] }
  await createNotification(
    c.tx,
    assigned.length === 1
      ? {
          ...about,
          dedupeKey: dedupeKeys.assignment(first.id),
          channelIds: [first.channel_id],
          kind: 'inbox-assigned',
          params: {
            assigner,
            conversationId: first.id,
            conversation: first.kind,
            handle: channel.handle,
            platform: PlatformKey.parse(channel.platform),
          },
        }
      : {
          ...about,
          dedupeKey: dedupeKeys.assignments(c.project.projectId),
          channelIds: [...new Set(assigned.map((one) => one.channel_id))],
          kind: 'inbox-assigned-many',
          params: { assigner, count: assigned.length },
        },
    c.now,
  )
}

/** Takes back what people were told of conversations that were theirs, or nobody's, and aren't anymore. */
export async function withdrawAssignment({ tx, org, now }: ProjectContext, ids: readonly string[]): Promise<void> {
  await withdrawNotifications(tx, { orgId: org.orgId, dedupeKeys: ids.map(dedupeKeys.assignment) }, now)
  await withdrawReceived(tx, org, ids, now, ['inbox-new-assigned', 'inbox-new-unassigned'])
}

/** Takes back what people were told of something new in conversations that need nobody anymore. */
export async function withdrawReceived(
  tx: Tx,
  { orgId }: { orgId: string },
  ids: readonly string[],
  now: Date,
  kinds?: readonly NotificationKind[],
): Promise<void> {
  const about = { orgId, dedupeKeys: ids.map(dedupeKeys.received) }
  await withdrawNotifications(tx, { ...about, ...(kinds && { kinds }) }, now)
}

async function nameOf({ tx, caller }: ProjectContext): Promise<string> {
  const { first_name: first, last_name: last } = await tx
    .selectFrom('person')
    .select(['first_name', 'last_name'])
    .where('id', '=', caller.personId)
    .executeTakeFirstOrThrow()
  return `${first} ${last}`.trim() || 'Someone'
}
