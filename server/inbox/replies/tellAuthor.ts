import { sql } from 'kysely'
import { rightOf } from '#contract/inbox/terms.ts'
import { memberMay } from '../../access/memberMay.ts'
import type { Tx } from '../../db/kysely.ts'
import type { Claimed } from '../../delivery/claim.ts'
import type { Notify } from '../../notifications/create.ts'
import { dedupeKeys } from '../../notifications/dedupeKeys.ts'
import { hearsOf } from '../../notifications/list.ts'
import { replyOf } from './loaded.ts'

/**
 * Notifies a reply's author that it wasn't sent, or that nobody knows, also when they sent it a moment ago: "Send and close"
 * has taken them elsewhere by then. Who has the conversation open sees it there, and their screen marks it as read
 * (`readConversation`). Not someone who may no longer open the conversation.
 */
export async function tellAuthor(
  tx: Tx,
  claimed: Pick<Claimed, 'org_id' | 'channel_id' | 'subject_id' | 'handle' | 'platform' | 'loaded'>,
  state: 'failed' | 'unsure',
  notify: Notify,
  now: Date,
): Promise<void> {
  const { org_id: orgId, channel_id: channelId, subject_id: replyId, handle, platform } = claimed
  const { project_id: projectId, author_id: authorId, conversation_id: conversationId, kind } = replyOf(claimed)
  const { rows } = await sql`
    select from member m
    left join project_member pm on pm.org_id = m.org_id and pm.project_id = ${projectId} and pm.person_id = m.person_id
    left join role r on r.org_id = pm.org_id and r.id = pm.role_id
    where m.org_id = ${orgId} and m.person_id = ${authorId} and m.removed_at is null
      and ${memberMay('inbox', 'view')} and ${memberMay(rightOf(kind), 'view')}
      and (m.is_admin or ${hearsOf(sql`${[channelId]}::uuid[]`, sql`pm.channel_ids`)})`.execute(tx)
  if (rows.length === 0) return
  await notify(
    tx,
    {
      orgId,
      projectId,
      dedupeKey: dedupeKeys.reply(replyId),
      channelIds: [channelId],
      people: [authorId],
      kind: state === 'failed' ? 'inbox-reply-failed' : 'inbox-reply-unconfirmed',
      params: { conversationId, conversation: kind, handle, platform },
    },
    now,
  )
}
