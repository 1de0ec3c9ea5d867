import { sql } from 'kysely'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { hideInConversations as contract } from '#contract/inbox/replies.ts'
import { HIDE_MOST, type ConversationKind } from '#contract/inbox/terms.ts'
import { inboxRules } from '#contract/platforms/inboxRegistry.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { Failure } from '../../errors.ts'
import type { DetachedContext, ProjectContext } from '../../http/route.ts'
import { mustHavePlan } from '../../plans/gates.ts'
import { reachable } from '../access.ts'
import { changeOne } from './change.ts'
import type { ReplyDeps } from './deliver.ts'

/** What isn't done after so many milliseconds is left: people wait. */
const PATIENCE_MS = 60_000

type Hide = DetachedContext<typeof contract>
type Outcome = 'done' | 'refused' | 'unreachable'
type Found = { id: string; conversation_id: string; channel_id: string }

/**
 * Hides all that others wrote in the conversations, or shows the named items again, channel by channel at the same time. A
 * conversation of which anything is left as it was is skipped. Throws BAD_INPUT and PLAN_LIMIT.
 */
export async function hideMany(c: Hide, deps: ReplyDeps): Promise<ReplyOf<typeof contract>> {
  const { conversationIds, hidden } = c.body
  const found = await c.inTenant((t) => findItems(t, c.body))
  const end = deps.clock.monotonic() + PATIENCE_MS
  const left = new Set<string>()
  const done: Found[] = []
  const ofChannel = async (items: readonly Found[]) => {
    let isReached = true
    for (const item of items) {
      const isInTime: boolean = isReached && deps.clock.monotonic() < end
      const outcome: Outcome = isInTime ? await hideOne(c, deps, item, hidden) : 'unreachable'
      if (outcome === 'done') done.push(item)
      else left.add(item.conversation_id)
      isReached = outcome !== 'unreachable'
    }
  }
  await Promise.all([...Map.groupBy(found, (item) => item.channel_id).values()].map(ofChannel))
  const changed = new Set(done.map((item) => item.conversation_id))
  const byConversation = [...Map.groupBy(done, (item) => item.conversation_id)]
  await c.inTenant((t) =>
    t.audit(
      byConversation.map(([entityId, items]) => ({
        entityId,
        detail: { itemIds: items.map(({ id }) => id), to: 'hide', hidden },
      })),
    ),
  )
  return {
    itemIds: done.map(({ id }) => id),
    skipped: conversationIds.filter((id) => left.has(id) || !changed.has(id)),
    message: `${changed.size} ${changed.size === 1 ? 'conversation' : 'conversations'} ${hidden ? 'hidden' : 'shown again'}`,
  }
}

/** What there is to change in those that the caller may change, and whose platform lets anyone do it; the newest first. */
async function findItems(t: ProjectContext, { conversationIds, hidden, itemIds }: Hide['body']): Promise<Found[]> {
  mustHavePlan(t)
  const { rows } = await sql<Found & { kind: ConversationKind; platform: string }>`
    select i.id, i.conversation_id, c.channel_id, c.kind, ch.platform
    from conversation c join channel ch on ch.org_id = c.org_id and ch.id = c.channel_id
    join inbox_item i on i.org_id = c.org_id and i.conversation_id = c.id
    where c.org_id = ${t.org.orgId} and c.project_id = ${t.project.projectId} and c.id = any(${[...conversationIds]}::uuid[]) and ${reachable(t, 'edit')}
      and i.direction = 'received' and i.deleted_at is null and i.hidden <> ${hidden}
      and ${itemIds === undefined ? sql`true` : sql`i.id = any(${[...itemIds]}::uuid[])`}
    order by i.at desc, i.id desc limit ${HIDE_MOST.items}`.execute(t.tx)
  return rows.filter(({ kind, platform }) => inboxRules[PlatformKey.parse(platform)].kinds[kind]?.hide === true)
}

async function hideOne(
  c: Hide,
  deps: ReplyDeps,
  { id, conversation_id: conversationId }: Found,
  hidden: boolean,
): Promise<Outcome> {
  try {
    await changeOne(c, deps, { conversationId, itemId: id }, { to: 'hide', hidden })
    return 'done'
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return error.code === 'CHANNEL_UNREACHABLE' ? 'unreachable' : 'refused'
  }
}
