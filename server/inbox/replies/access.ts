import type { Selectable } from 'kysely'
import { ReplyState } from '#contract/inbox/terms.ts'
import type { Action } from '#contract/permissions.ts'
import type { Database } from '../../db/schema.ts'
import { fail } from '../../errors.ts'
import type { ProjectContext } from '../../http/route.ts'
import { findConversation, mayOn, type ConversationRecord } from '../access.ts'

export type ReplyRecord = Omit<Selectable<Database['reply']>, 'state'> & { state: ReplyState }

/**
 * A reply, locked, with its conversation. Absent, or of a conversation that the caller doesn't see: NOT_FOUND. FORBIDDEN
 * without the right on the conversation's kind. Replies are locked before conversations, as the engine does.
 */
export async function loadReply(
  c: ProjectContext,
  replyId: string,
  action: Action,
): Promise<{ reply: ReplyRecord; conversation: ConversationRecord }> {
  const row = await c.tx
    .selectFrom('reply')
    .selectAll()
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', replyId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw fail('NOT_FOUND')
  const conversation = await findConversation(c, row.conversation_id)
  if (!mayOn(c.project, conversation.kind, action)) throw fail('FORBIDDEN')
  return { reply: { ...row, state: ReplyState.parse(row.state) }, conversation }
}

/** How far a reply got, and its conversation's version, for people. */
export async function presentReply(
  { tx, org }: Pick<ProjectContext, 'tx' | 'org'>,
  replyId: string,
  message?: string,
): Promise<{ replyId: string; state: ReplyState; version: number; message: string }> {
  const row = await tx
    .selectFrom('reply')
    .innerJoin('conversation', (join) =>
      join.onRef('conversation.org_id', '=', 'reply.org_id').onRef('conversation.id', '=', 'reply.conversation_id'),
    )
    .select(['reply.state', 'conversation.version'])
    .where('reply.org_id', '=', org.orgId)
    .where('reply.id', '=', replyId)
    .executeTakeFirst()
  if (!row) throw fail('NOT_FOUND')
  const state = ReplyState.parse(row.state)
  return { replyId, state, version: row.version, message: message ?? messages[state] }
}

const messages: Record<ReplyState, string> = {
  PENDING: "Your reply hasn't been sent yet",
  SENDING: 'Sending your reply',
  SENT: 'Reply sent',
  UNCONFIRMED: "We don't know yet whether your reply was sent",
  FAILED: "Your reply wasn't sent",
  CANCELLED: 'Reply withdrawn',
  DELETED: 'Reply deleted',
}
