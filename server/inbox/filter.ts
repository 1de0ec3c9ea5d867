import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { listConversations } from '#contract/inbox/conversations.ts'
import { conversationKinds, sentiments, type ConversationKind } from '#contract/inbox/terms.ts'
import { kindsFor, type InboxReader } from './access.ts'
import { isUnread, isUnsent } from './present.ts'

/* The filters of the inbox's list, as conditions on conversations (`c`). */

export type InboxQuery = z.output<(typeof listConversations)['query']>
/** A filter that the rest of a query already applies. `channel` is all that decides on channels, the role included. */
export type Applied = 'status' | 'channel' | 'assignee' | 'facets' | 'labels' | 'postId' | 'unsent' | 'q'

export const orders = {
  newest: { by: sql`c.last_at`, way: sql`desc`, beyond: sql`<` },
  oldest: { by: sql`c.last_at`, way: sql`asc`, beyond: sql`>` },
  waiting: { by: sql`c.waiting_since`, way: sql`asc`, beyond: sql`>` },
} as const

/**
 * Which conversations pass the filter, come after the page before, and are the caller's to see. Words are those of `search`,
 * so that they're made of the search once (list.ts).
 */
export function conditions(c: InboxReader, query: InboxQuery, applied: readonly Applied[] = []): RawBuilder<unknown> {
  const { status, assignee, labels, sentiment, unread, answered, unsent, postId, from, to, q, sort } = query
  const kinds = kindsIn(c, query)
  // the same few statements for every caller: only which filters are there changes the text
  const and = (there: unknown, condition: RawBuilder<unknown>, filter?: Applied): RawBuilder<unknown> =>
    there === undefined || there === false || (filter && applied.includes(filter)) ? sql`` : sql` and ${condition}`
  return sql`c.org_id = ${c.org.orgId} and c.project_id = ${c.project.projectId}${sql.join(
    [
      and(kinds.length < conversationKinds.length, sql`c.kind = any(${kinds}::text[])`, 'facets'),
      and(isScoped(c, query), sql`c.channel_id in (${channelsOf(c, query)})`, 'channel'),
      and(status, sql`c.status = any(${status}::text[])`, 'status'),
      and(assignee, sql`${assigned} = any(${assignee && assigneesIn(c, assignee)}::uuid[])`, 'assignee'),
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
        'facets',
      ),
      and(unread === undefined ? undefined : true, unread ? isUnread(c) : sql`not ${isUnread(c)}`),
      and(answered === undefined ? undefined : true, sql`c.answered = ${answered}`, 'facets'),
      and(
        unsent === undefined ? undefined : true,
        sql`${unsent ? sql`` : sql`not `}exists (select from reply r where r.org_id = c.org_id and r.conversation_id = c.id and ${isUnsent})`,
        'unsent',
      ),
      and(postId, sql`c.post_id = ${postId}`, 'postId'),
      and(from, sql`c.last_at >= ${from}::timestamptz`),
      and(to, sql`c.last_at < ${to}::timestamptz`),
      and(q, sql`exists (${saysIt(c)})`, 'q'),
      // what is closed waits for nobody
      and(sort === 'waiting', sql`c.waiting_since is not null and c.status <> 'CLOSED'`),
    ],
    sql``,
  )}${afterPage(query)}`
}

/** An item of the conversation `c.id` that holds every word of a search. */
export const saysIt = (c: Pick<InboxReader, 'org'>): RawBuilder<unknown> =>
  sql`select from inbox_text t where t.org_id = ${c.org.orgId} and t.conversation_id = c.id and t.words @@ (select wanted from search)`

/** The kinds that the caller sees and the filter names. */
const kindsIn = (c: InboxReader, { kind }: InboxQuery): ConversationKind[] =>
  kindsFor(c.project, 'view').filter((one) => kind === undefined || kind.includes(one))

/** Whether the list is one of some kinds or sentiments, or of what was answered or not. */
export const hasFacets = (c: InboxReader, query: InboxQuery): boolean =>
  query.sentiment !== undefined || query.answered !== undefined || kindsIn(c, query).length < conversationKinds.length

/** In the words of the indexes, which the planner wouldn't use with `coalesce` (migration 0086). */
export const feeling = sql`case when c.sentiment is null then 'unknown' else c.sentiment end`
const assigned = sql`case when c.assignee_id is null then '00000000-0000-0000-0000-000000000000' else c.assignee_id end`

/** What their indexes are sorted by: every combination of a kind (`kind`), sentiment (`feeling`) and of being answered (`done`) that passes. */
export const facetsOf = (c: InboxReader, query: InboxQuery): RawBuilder<unknown> =>
  sql`unnest(${kindsIn(c, query)}::text[]) f1(kind) cross join unnest(${[...new Set(query.sentiment ?? [...sentiments, 'unknown'])]}::text[]) f2(feeling) cross join unnest(${query.answered === undefined ? [true, false] : [query.answered]}::boolean[]) f3(done)`

export const inFacet = sql`c.kind = f1.kind and ${feeling} = f2.feeling and c.answered = f3.done`

/** `after` is the end of the page before: microseconds and an id. */
function afterPage({ after, sort }: InboxQuery): RawBuilder<unknown> {
  if (after === undefined) return sql``
  const [micros, id] = after.split('_')
  const { by, beyond } = orders[sort]
  return sql` and (${by}, c.id) ${beyond} ('epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond', ${id}::uuid)`
}

/** Nobody, in the index of assignees. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** The members that the filter names, each once, and nobody as one of them. */
export const assigneesIn = (c: InboxReader, assignee: NonNullable<InboxQuery['assignee']>): string[] => [
  ...new Set(assignee.map((one) => (one === 'nobody' ? NOBODY : one === 'me' ? c.caller.personId : one))),
]

/** Whether it's assigned to `m.id`, in the words of its index. */
export const isAssignedTo = sql`${assigned} = m.id`

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
