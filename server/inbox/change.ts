import { sql } from 'kysely'
import type { ConversationStatus, Sentiment } from '#contract/inbox/terms.ts'
import { wallText, wallTimeOf } from '#contract/time.ts'
import { fail } from '../errors.ts'
import type { ProjectContext } from '../http/route.ts'
import { setLabels } from '../labels/tag.ts'
import { findConversation, loadConversation, readersOf, type ConversationRecord } from './access.ts'
import { dedupeKeys } from '../notifications/dedupeKeys.ts'
import { dismissNotifications } from '../notifications/dismiss.ts'
import { notifyAssignee, withdrawAssignment, withdrawReceived } from './notify.ts'
import { markRead } from './markRead.ts'
import { isUnsent } from './present.ts'
import { judgeAgain } from './recount.ts'

type Id = string
/** `version`: what the caller saw; undefined where they don't care. */
type Seen = { version?: number | undefined }
type Version = { version: number }

/**
 * Opens a conversation, closes it, or puts it off to a day after today in the project's zone. Throws as loadConversation,
 * and BAD_INPUT at `followUpOn`.
 */
export async function setStatus(
  c: ProjectContext,
  id: Id,
  { version, status, followUpOn }: Seen & { status: ConversationStatus; followUpOn?: string | undefined },
): Promise<Version> {
  const conversation = await loadConversation(c, id, version)
  const day = followUpDay(c, status, followUpOn)
  if (conversation.status === status && conversation.follow_up_on === day) return await unchanged(c, conversation)
  if (status !== 'OPEN') await withdrawReceived(c.tx, c.org, [id], c.now)
  return await changed(
    c,
    conversation,
    { status, follow_up_on: day },
    {
      before: { status: conversation.status, followUpOn: conversation.follow_up_on },
      after: { status, followUpOn: day },
    },
  )
}

/** The day of FOLLOWUP, null for other statuses. Throws BAD_INPUT at `followUpOn` for none, today or earlier. */
export function followUpDay(
  { project, now }: Pick<ProjectContext, 'project' | 'now'>,
  status: ConversationStatus,
  followUpOn: string | undefined,
): string | null {
  if (status !== 'FOLLOWUP') return null
  if (followUpOn === undefined) throw fail('BAD_INPUT', { errors: { followUpOn: ['Choose a day'] } })
  if (followUpOn <= wallText(wallTimeOf(now, project.zone)).slice(0, 10))
    throw fail('BAD_INPUT', { errors: { followUpOn: ['Choose a day after today'] } })
  return followUpOn
}

/**
 * Assigns a conversation to a member who can see it, or to nobody, and notifies them. Throws as loadConversation, and
 * BAD_INPUT at `userId`.
 */
export async function assign(
  c: ProjectContext,
  id: Id,
  { version, userId }: Seen & { userId: Id | null },
): Promise<Version> {
  const conversation = await loadConversation(c, id, version)
  if (conversation.assignee_id === userId) return await unchanged(c, conversation)
  if (userId !== null && !(await readersOf(c, conversation, [userId])).has(userId)) throw cantSee()
  const now = await changed(
    c,
    conversation,
    { assignee_id: userId },
    {
      before: { assigneeId: conversation.assignee_id },
      after: { assigneeId: userId },
    },
  )
  await withdrawAssignment(c, [id])
  if (userId !== null) await notifyAssignee(c, userId, [conversation])
  return now
}

export const cantSee = () => fail('BAD_INPUT', { errors: { userId: ["This person can't see this conversation"] } })

/** Gives a conversation exactly these labels. Throws as loadConversation, and as setLabels at `labelIds`. */
export async function label(
  c: ProjectContext,
  id: Id,
  { version, labelIds }: Seen & { labelIds: readonly Id[] },
): Promise<Version> {
  const conversation = await loadConversation(c, id, version)
  const before = await labelsOf(c, id)
  const after = [...new Set(labelIds)].toSorted()
  if (before.join() === after.join()) return await unchanged(c, conversation)
  await setLabels(c, 'conversation', [id], after, 'labelIds')
  return await changed(c, conversation, {}, { before: { labelIds: before }, after: { labelIds: after } })
}

async function labelsOf({ tx, org }: ProjectContext, id: Id): Promise<string[]> {
  const rows = await tx
    .selectFrom('conversation_label')
    .select('label_id')
    .where('org_id', '=', org.orgId)
    .where('conversation_id', '=', id)
    .orderBy('label_id')
    .execute()
  return rows.map((row) => row.label_id)
}

/** Sets the sentiment by a person, which nothing else overwrites; with null it is judged by its text again. Throws as loadConversation. */
export async function judge(
  c: ProjectContext,
  id: Id,
  { version, sentiment }: Seen & { sentiment: Sentiment | null },
): Promise<Version> {
  const conversation = await loadConversation(c, id, version)
  const after =
    sentiment === null ? await judgeAgain(c.tx, conversation) : { sentiment, sentiment_by: 'person' as const }
  if (conversation.sentiment === after.sentiment && conversation.sentiment_by === after.sentiment_by)
    return await unchanged(c, conversation)
  return await changed(c, conversation, after, {
    before: { sentiment: conversation.sentiment },
    after: { sentiment: after.sentiment },
  })
}

type Columns = Partial<
  Pick<ConversationRecord, 'status' | 'follow_up_on' | 'assignee_id' | 'sentiment' | 'sentiment_by'>
>

/** It is so already: nothing is written, and nobody is told. */
async function unchanged(c: ProjectContext, { version }: ConversationRecord): Promise<Version> {
  await c.audit([])
  return { version }
}

/** Writes the change with the next version, its audit entry and its event. */
async function changed(
  c: ProjectContext,
  { id }: ConversationRecord,
  columns: Columns,
  detail: Record<string, unknown>,
): Promise<Version> {
  const row = await c.tx
    .updateTable('conversation')
    .set({ ...columns, version: sql`version + 1` })
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow()
  await c.audit({ entityId: id, detail })
  await c.emit({ kind: 'conversation', ref: id })
  return row
}

/** Marks a conversation as read by the caller, up to what they saw, or as unread. Only their own screens are told. Throws NOT_FOUND. */
export async function setRead(
  c: ProjectContext,
  id: Id,
  { read, upTo }: { read: boolean; upTo?: string | undefined },
): Promise<void> {
  await findConversation(c, id)
  const marked = await markRead(c, [id], read, upTo)
  if (read) await dismissUnsent(c, id)
  if (marked.length > 0) await c.emit({ kind: 'conversation', ref: id, personId: c.caller.personId })
}

/** Who has the conversation on screen sees which replies of theirs weren't sent: the notifications say nothing new. */
async function dismissUnsent(c: ProjectContext, id: Id): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select r.id from reply r
    where r.org_id = ${c.org.orgId} and r.conversation_id = ${id} and r.author_id = ${c.caller.personId} and ${isUnsent}`.execute(
    c.tx,
  )
  const keys = rows.map((row) => dedupeKeys.reply(row.id))
  if (keys.length > 0) await dismissNotifications(c.tx, { orgId: c.org.orgId, dedupeKeys: keys }, c.now)
}
