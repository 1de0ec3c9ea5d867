import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { changeConversations as contract } from '#contract/inbox/actions.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { ConversationKind } from '#contract/inbox/terms.ts'
import { fail } from '../errors.ts'
import type { ProjectContext } from '../http/route.ts'
import { changeLabels } from '../labels/tag.ts'
import { reachable, readersOf } from './access.ts'
import { cantSee, followUpDay } from './change.ts'
import { notifyAssignee, withdrawAssignment, withdrawReceived } from './notify.ts'
import { markRead } from './markRead.ts'

type Wish = z.output<(typeof contract)['body']>
type Chosen = { id: string; kind: ConversationKind; channel_id: string; editable: boolean; assignee_id: string | null }

/**
 * Changes many conversations in one transaction. What is gone, not the caller's to change, or not to be seen by the new
 * assignee is skipped and named. Throws BAD_INPUT for a wrong day, an assignee who sees none of them, or archived labels,
 * NOT_FOUND for a label that the project doesn't have.
 */
export async function changeMany(c: ProjectContext, wish: Wish): Promise<ReplyOf<typeof contract>> {
  const wanted = [...new Set(wish.conversationIds)]
  const found = await lock(c, wanted)
  const edits = wish.status !== undefined || wish.userId !== undefined || (wish.addLabelIds?.length ?? 0) > 0
  if (!edits && wish.read === undefined) throw fail('BAD_INPUT', { detail: 'Choose what to change.' })
  const day = wish.status && followUpDay(c, wish.status, wish.followUpOn)
  const editable = edits ? found.filter((one) => one.editable) : found
  const chosen = wish.userId ? await seenBy(c, editable, wish.userId) : editable
  const ids = chosen.map(({ id }) => id)
  if (edits && ids.length > 0) await edit(c, chosen, wish, day ?? null)
  // what one reads is one's own
  else await c.audit([])
  if (wish.read !== undefined) {
    const marked = await markRead(c, ids, wish.read)
    if (!edits) await c.emit(marked.map((ref) => ({ kind: 'conversation', ref, personId: c.caller.personId })))
  }
  const done = new Set(ids)
  return {
    changed: ids.length,
    skipped: wanted.filter((id) => !done.has(id)),
    message: `${ids.length} ${ids.length === 1 ? 'conversation' : 'conversations'} updated`,
  }
}

/** The conversations that the caller sees, locked in one order. */
async function lock(c: ProjectContext, ids: readonly string[]): Promise<Chosen[]> {
  const { rows } = await sql<Chosen>`
    select c.id, c.kind, c.channel_id, c.assignee_id, ${reachable(c, 'edit')} as editable from conversation c
    where c.org_id = ${c.org.orgId} and c.project_id = ${c.project.projectId} and c.id = any(${[...ids]}::uuid[]) and ${reachable(c)}
    order by c.id for update`.execute(c.tx)
  return rows
}

/** Those that the person can see; asked once for each kind and channel. Throws BAD_INPUT at `userId` when there are none. */
async function seenBy(c: ProjectContext, conversations: readonly Chosen[], userId: string): Promise<Chosen[]> {
  const places = new Map(conversations.map((one) => [placeOf(one), one]))
  const seen = new Set<string>()
  for (const [place, one] of places) if ((await readersOf(c, one, [userId])).has(userId)) seen.add(place)
  const shown = conversations.filter((one) => seen.has(placeOf(one)))
  if (shown.length === 0 && conversations.length > 0) throw cantSee()
  return shown
}
const placeOf = ({ kind, channel_id: channelId }: Chosen) => `${kind} ${channelId}`

async function edit(
  c: ProjectContext,
  chosen: readonly Chosen[],
  { status, userId, addLabelIds = [] }: Wish,
  day: string | null,
): Promise<void> {
  const ids = chosen.map(({ id }) => id)
  await changeLabels(c, 'conversation', ids, { add: addLabelIds, remove: [] }, 'addLabelIds')
  const columns: RawBuilder<unknown>[] = [sql`version = version + 1`]
  if (status !== undefined) columns.push(sql`status = ${status}`, sql`follow_up_on = ${day}::date`)
  if (userId !== undefined) columns.push(sql`assignee_id = ${userId}::uuid`)
  await sql`update conversation set ${sql.join(columns)} where org_id = ${c.org.orgId} and id = any(${ids}::uuid[])`.execute(
    c.tx,
  )
  const after = {
    ...(status !== undefined && { status, followUpOn: day }),
    ...(userId !== undefined && { assigneeId: userId }),
    ...(addLabelIds.length > 0 && { addedLabelIds: addLabelIds }),
  }
  await c.audit(ids.map((entityId) => ({ entityId, detail: { after } })))
  await c.emit(ids.map((ref) => ({ kind: 'conversation', ref })))
  if (status !== undefined && status !== 'OPEN') await withdrawReceived(c.tx, c.org, ids, c.now)
  if (userId === undefined) return
  const moved = chosen.filter((one) => one.assignee_id !== userId)
  await withdrawAssignment(
    c,
    moved.map(({ id }) => id),
  )
  if (userId !== null) await notifyAssignee(c, userId, moved)
}
