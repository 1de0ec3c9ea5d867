import { sql, type RawBuilder } from 'kysely'
import { inboxRules } from '#contract/platforms/inboxRegistry.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { InboxReader } from './access.ts'
import type { ConversationRow } from './present.ts'

/*
 * Platforms that take a limited number of answers to an item, such as one to a review.
 */

/** How many answers an item of a query has: those from here that aren't known to have failed, and others of ours. */
export const answersTo = (orgId: string, itemId: RawBuilder<unknown>): RawBuilder<number> => sql`(
  select count(*)::int from (
    select r.id from reply r where r.org_id = ${orgId} and r.item_id = ${itemId} and r.state in ('PENDING', 'SENDING', 'SENT', 'UNCONFIRMED')
    union all
    select s.id from inbox_item i join inbox_item s on s.org_id = i.org_id and s.conversation_id = i.conversation_id and s.parent_remote_id = i.remote_id
    where i.org_id = ${orgId} and i.id = ${itemId} and s.direction = 'sent' and s.deleted_at is null
      and not exists (select from reply r where r.org_id = s.org_id and r.channel_id = s.channel_id and r.remote_id = s.remote_id)
  ) answers)`

export const answeredOften = (platform: PlatformKey, most: number): string =>
  most === 1
    ? `${platformLabel(platform)} takes one reply here, and there is one already.`
    : `${platformLabel(platform)} takes ${most} replies here, and there are that many already.`

/** Why the platform takes no further answer to anything in the conversation; null where it takes one. */
export async function whyNoFurtherAnswer(
  { tx, org }: Pick<InboxReader, 'tx' | 'org'>,
  { id, platform, kind }: Pick<ConversationRow, 'id' | 'platform' | 'kind'>,
): Promise<string | null> {
  const most = inboxRules[platform].kinds[kind]?.reply?.mostPerItem
  if (most === undefined) return null
  const { rows } = await sql<{ taken: boolean | null }>`
    select bool_and(${answersTo(org.orgId, sql`asked.id`)} >= ${most}) as taken from inbox_item asked
    where asked.org_id = ${org.orgId} and asked.conversation_id = ${id} and asked.direction = 'received' and asked.deleted_at is null`.execute(
    tx,
  )
  return rows[0]?.taken ? answeredOften(platform, most) : null
}
