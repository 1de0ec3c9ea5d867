import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { listConversations as contract } from '#contract/inbox/conversations.ts'
import { conversationKinds, conversationStatuses, type ConversationKind } from '#contract/inbox/terms.ts'
import type { PictureLink } from '../channels/foreignPictures.ts'
import { kindsFor, type InboxReader } from './access.ts'
import { isUnread, presentConversations, selectConversations, type ConversationRow } from './present.ts'

type InboxQuery = z.output<(typeof contract)['query']>
type Listed = ConversationRow & { mark: string }

/**
 * A page of the conversations that the caller sees, by any mix of filters. Pages are continued from the last conversation
 * of the one before, so that a page costs the same wherever it is.
 */
export async function listConversations(
  c: InboxReader,
  query: InboxQuery,
  link: PictureLink,
): Promise<ReplyOf<typeof contract>> {
  const { rows } = await pageQuery(c, query).execute(c.tx)
  const page = rows.slice(0, query.limit)
  const last = rows.length > query.limit ? page.at(-1) : undefined
  return { ...presentConversations(c, page, link), next: last ? `${last.mark}_${last.id}` : null }
}

/** The statement of a page and of one row more. For those who look at its plan (bench/inbox.ts); everybody else reads lists. */
export function pageQuery(c: InboxReader, query: InboxQuery): RawBuilder<Listed> {
  const { way } = orders[query.sort]
  return sql<Listed>`
    with ${rareOf(c, query)} page as materialized (${query.labels || query.q || query.postId ? among(c, query) : walk(c, query)})
    select shown.*, (extract(epoch from page.at) * 1000000)::bigint::text as mark
    from page join lateral (${selectConversations(c)} where c.org_id = ${c.org.orgId} and c.id = page.id) shown on true
    order by page.at ${way}, page.id ${way}`
}

const orders = {
  newest: { by: sql`c.last_at`, way: sql`desc`, beyond: sql`<` },
  oldest: { by: sql`c.last_at`, way: sql`asc`, beyond: sql`>` },
  waiting: { by: sql`c.waiting_since`, way: sql`asc`, beyond: sql`>` },
} as const

/** So many conversations of a label or a search are read whole and sorted. Where there are more, the list is walked in its order. */
const FEW = 2_000

/**
 * Walking a list in its order until enough conversations of a rare label have come by may walk through all of it, and
 * collecting all conversations of a frequent one may take as long. So up to FEW are collected first.
 */
function rareOf(c: InboxReader, { labels, q, postId }: InboxQuery): RawBuilder<unknown> {
  const org = c.org.orgId
  if (q)
    return sql`few as materialized (select id from search_conversations(${c.project.projectId}, ${q}) s(id) limit ${FEW + 1}),`
  if (postId)
    return sql`few as materialized (select id from conversation where org_id = ${org} and post_id = ${postId} limit ${FEW + 1}),`
  if (labels)
    return sql`few as materialized (select distinct conversation_id as id from conversation_label where org_id = ${org} and label_id = any(${labels}::uuid[]) limit ${FEW + 1}),`
  return sql``
}

/** The page among few conversations, or by walking where they aren't few: only one of the two is run. */
const among = (c: InboxReader, query: InboxQuery): RawBuilder<unknown> => {
  const { by } = orders[query.sort]
  const slice = sliceOf(query)
  return sql`
    select * from (
      (select c.id, ${by} as at from conversation c where ${conditions(c, query)} and c.id = any(array(select id from few)) and (select count(*) from few) <= ${FEW} ${slice})
      union all
      (select * from (${walk(c, query)}) walked where (select count(*) from few) > ${FEW})
    ) found ${slice}`
}

const sliceOf = ({ sort, limit }: InboxQuery): RawBuilder<unknown> =>
  sql`order by at ${orders[sort].way}, id ${orders[sort].way} limit ${limit + 1}`

/**
 * The page by walking indexes in the list's order: one index for each status, and for each channel or assignee where some
 * are named. What comes first in each is merged.
 */
function walk(c: InboxReader, query: InboxQuery): RawBuilder<unknown> {
  const { by, way } = orders[query.sort]
  const slice = sliceOf(query)
  const { assignee, status } = query
  const statuses = status ?? conversationStatuses
  const rows = (where: RawBuilder<unknown>) =>
    sql`select c.id, ${by} as at from conversation c where ${conditions(c, query)}${where} order by ${by} ${way}, c.id ${way} limit ${query.limit + 1}`
  // who waits is few: what was closed isn't among them
  if (query.sort === 'waiting')
    return rows(sql` and c.status = any(${statuses}::text[]) and c.status <> 'CLOSED' and c.waiting_since is not null`)
  const byStatus = sql`unnest(${[...statuses]}::text[]) s(status)`
  const people = assignee && !assignee.includes('nobody') ? membersIn(c, assignee) : undefined
  const scoped = c.project.channelIds !== null || query.channelId !== undefined || query.platform !== undefined
  if (people)
    return sql`select w.* from unnest(${people}::uuid[]) m(id) cross join ${byStatus}
      cross join lateral (${rows(sql` and c.assignee_id = m.id and c.status = s.status`)}) w ${slice}`
  if (scoped)
    return sql`select w.* from (${channelsOf(c, query)}) ch cross join ${byStatus}
      cross join lateral (${rows(sql` and c.channel_id = ch.id and c.status = s.status`)}) w ${slice}`
  return sql`select w.* from ${byStatus} cross join lateral (${rows(sql` and c.status = s.status`)}) w ${slice}`
}

const membersIn = (c: InboxReader, assignee: NonNullable<InboxQuery['assignee']>): string[] => [
  ...new Set(assignee.flatMap((one) => (one === 'nobody' ? [] : one === 'me' ? c.caller.personId : one))),
]

/** The ids of the channels that the caller reaches and the filter names. */
function channelsOf(c: InboxReader, { channelId, platform }: InboxQuery): RawBuilder<unknown> {
  const scope = c.project.channelIds && [...c.project.channelIds]
  return sql`select id from channel where org_id = ${c.org.orgId} and project_id = ${c.project.projectId}${
    scope ? sql` and id = any(${scope}::uuid[])` : sql``
  }${channelId ? sql` and id = any(${channelId}::uuid[])` : sql``}${platform ? sql` and platform = any(${platform}::text[])` : sql``}`
}

// the same few statements for every caller: only which filters are there changes the text
const and = (there: unknown, condition: RawBuilder<unknown>): RawBuilder<unknown> =>
  there === undefined ? sql`` : sql` and ${condition}`

/** Which conversations (`c`) pass the filter, come after the page before, and are the caller's to see. */
function conditions(c: InboxReader, query: InboxQuery): RawBuilder<unknown> {
  const { channelId, platform, kind, status, assignee, labels, sentiment, unread, answered, postId, from, to, q } =
    query
  const scoped = c.project.channelIds !== null || channelId !== undefined || platform !== undefined
  const kinds = kindsFor(c.project, 'view').filter((one) => kind === undefined || kind.includes(one))
  const people = assignee && membersIn(c, assignee)
  return sql`c.org_id = ${c.org.orgId} and c.project_id = ${c.project.projectId}${ofKinds(kinds)}${
    scoped ? sql` and c.channel_id in (${channelsOf(c, query)})` : sql``
  }${and(status, sql`c.status = any(${status}::text[])`)}${and(
    assignee,
    assignee?.includes('nobody')
      ? sql`(c.assignee_id is null or c.assignee_id = any(${people}::uuid[]))`
      : sql`c.assignee_id = any(${people}::uuid[])`,
  )}${and(
    labels,
    sql`exists (select from conversation_label cl where cl.org_id = c.org_id and cl.conversation_id = c.id and cl.label_id = any(${labels}::uuid[]))`,
  )}${and(
    sentiment,
    sentiment?.includes('unknown')
      ? sql`(c.sentiment is null or c.sentiment = any(${sentiment}::text[]))`
      : sql`c.sentiment = any(${sentiment}::text[])`,
  )}${and(unread, unread ? isUnread(c) : sql`not ${isUnread(c)}`)}${and(answered, sql`c.answered = ${answered}`)}${and(
    postId,
    sql`c.post_id = ${postId}`,
  )}${and(from, sql`c.last_at >= ${from}::timestamptz`)}${and(to, sql`c.last_at < ${to}::timestamptz`)}${and(
    q,
    sql`c.id in (select search_conversations(${c.project.projectId}, ${q}))`,
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
