import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { listConversations } from '#contract/inbox/conversations.ts'
import { conversationKinds, type ConversationKind } from '#contract/inbox/terms.ts'
import { kindsFor, type InboxReader } from './access.ts'
import { isUnread, isUnsent } from './present.ts'

/* The filters of the inbox's list, as conditions on conversations (`c`). */

export type InboxQuery = z.output<(typeof listConversations)['query']>
/** A filter that the rest of a query already applies. `channel` is all that decides on channels, the role included. */
export type Applied = 'status' | 'channel' | 'assignee' | 'labels' | 'postId' | 'unsent' | 'q'

export const orders = {
  newest: { by: sql`c.last_at`, way: sql`desc`, beyond: sql`<` },
  oldest: { by: sql`c.last_at`, way: sql`asc`, beyond: sql`>` },
  waiting: { by: sql`c.waiting_since`, way: sql`asc`, beyond: sql`>` },
} as const

/**
 * Which conversations pass the filter, come after the page before, and are the caller's to see. Words are those of `few`, so
 * that they're made of the search once (list.ts).
 */
export function conditions(c: InboxReader, query: InboxQuery, applied: readonly Applied[] = []): RawBuilder<unknown> {
  const { kind, status, assignee, labels, sentiment, unread, answered, unsent, postId, from, to, q, sort } = query
  const kinds = kindsFor(c.project, 'view').filter((one) => kind === undefined || kind.includes(one))
  const people = assignee && membersIn(c, assignee)
  // the same few statements for every caller: only which filters are there changes the text
  const and = (there: unknown, condition: RawBuilder<unknown>, filter?: Applied): RawBuilder<unknown> =>
    there === undefined || there === false || (filter && applied.includes(filter)) ? sql`` : sql` and ${condition}`
  return sql`c.org_id = ${c.org.orgId} and c.project_id = ${c.project.projectId}${ofKinds(kinds)}${sql.join(
    [
      and(isScoped(c, query), sql`c.channel_id in (${channelsOf(c, query)})`, 'channel'),
      and(status, sql`c.status = any(${status}::text[])`, 'status'),
      and(
        assignee,
        assignee?.includes('nobody')
          ? sql`(c.assignee_id is null or c.assignee_id = any(${people}::uuid[]))`
          : sql`c.assignee_id = any(${people}::uuid[])`,
        'assignee',
      ),
      and(
        labels,
        sql`exists (select from conversation_label cl where cl.org_id = c.org_id and cl.conversation_id = c.id and cl.label_id = any(${labels}::uuid[]))`,
        'labels',
      ),
      and(
        sentiment,
        sentiment?.includes('unknown')
          ? sql`(c.sentiment is null or c.sentiment = any(${sentiment}::text[]))`
          : sql`c.sentiment = any(${sentiment}::text[])`,
      ),
      and(unread === undefined ? undefined : true, unread ? isUnread(c) : sql`not ${isUnread(c)}`),
      and(answered === undefined ? undefined : true, sql`c.answered = ${answered}`),
      and(
        unsent === undefined ? undefined : true,
        sql`${unsent ? sql`` : sql`not `}exists (select from reply r where r.org_id = c.org_id and r.conversation_id = c.id and ${isUnsent})`,
        'unsent',
      ),
      and(postId, sql`c.post_id = ${postId}`, 'postId'),
      and(from, sql`c.last_at >= ${from}::timestamptz`),
      and(to, sql`c.last_at < ${to}::timestamptz`),
      and(
        q,
        sql`exists (select from inbox_text t where t.org_id = c.org_id and t.conversation_id = c.id and t.words @@ (select wanted from few))`,
        'q',
      ),
      // what is closed waits for nobody
      and(sort === 'waiting', sql`c.waiting_since is not null and c.status <> 'CLOSED'`),
    ],
    sql``,
  )}${afterPage(query)}`
}

const ofKinds = (kinds: readonly ConversationKind[]): RawBuilder<unknown> =>
  kinds.length === conversationKinds.length ? sql`` : sql` and c.kind = any(${[...kinds]}::text[])`

/** `after` is the end of the page before: microseconds and an id. */
function afterPage({ after, sort }: InboxQuery): RawBuilder<unknown> {
  if (after === undefined) return sql``
  const [micros, id] = after.split('_')
  const { by, beyond } = orders[sort]
  return sql` and (${by}, c.id) ${beyond} ('epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond', ${id}::uuid)`
}

/** The members that the filter names, each once. */
export const membersIn = (c: InboxReader, assignee: NonNullable<InboxQuery['assignee']>): string[] => [
  ...new Set(assignee.flatMap((one) => (one === 'nobody' ? [] : one === 'me' ? c.caller.personId : one))),
]

/** Whether only some channels are listed. */
export const isScoped = (c: InboxReader, { channelId, platform }: InboxQuery): boolean =>
  c.project.channelIds !== null || channelId !== undefined || platform !== undefined

/** The ids of the channels that the caller reaches and the filter names. */
export function channelsOf(c: InboxReader, { channelId, platform }: InboxQuery): RawBuilder<unknown> {
  const scope = c.project.channelIds && [...c.project.channelIds]
  return sql`select id from channel where org_id = ${c.org.orgId} and project_id = ${c.project.projectId}${
    scope ? sql` and id = any(${scope}::uuid[])` : sql``
  }${channelId ? sql` and id = any(${channelId}::uuid[])` : sql``}${platform ? sql` and platform = any(${platform}::text[])` : sql``}`
}
