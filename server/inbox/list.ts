import { sql, type RawBuilder } from 'kysely'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { listConversations as contract } from '#contract/inbox/conversations.ts'
import { conversationStatuses } from '#contract/inbox/terms.ts'
import type { PictureLink } from '../channels/foreignPictures.ts'
import type { InboxReader } from './access.ts'
import {
  assigneesIn,
  channelsOf,
  conditions,
  facetsOf,
  feeling,
  hasFacets,
  inFacet,
  isAssignedTo,
  isScoped,
  orders,
  saysIt,
  type Applied,
  type InboxQuery,
} from './filter.ts'
import { foundItem, hitOf, type FoundItem } from './hit.ts'
import { isUnsent, presentConversations, selectConversations, type ConversationRow } from './present.ts'

type Listed = ConversationRow & { mark: string; found?: FoundItem | null }

/**
 * A page of the conversations that the caller sees, by any mix of filters. Pages are continued from the last conversation
 * of the one before, so that a page costs the same wherever it is.
 */
export async function listConversations(
  c: InboxReader,
  query: InboxQuery,
  link: PictureLink,
): Promise<ReplyOf<typeof contract>> {
  await inOrder.execute(c.tx)
  const { rows } = await pageQuery(c, query).execute(c.tx)
  const page = rows.slice(0, query.limit)
  const last = rows.length > query.limit ? page.at(-1) : undefined
  const shown = query.q === undefined ? page : page.map((row) => ({ ...row, hit: hitOf(row.found, query.q ?? '') }))
  return { ...presentConversations(c, shown, link), next: last ? `${last.mark}_${last.id}` : null }
}

/**
 * For the rest of the transaction, what an index has in order is read in that order, until the page is full. Of a filter whose
 * conversations it underestimates, PostgreSQL would read all and sort them.
 */
export const inOrder = sql`select set_config('enable_sort', 'off', true), set_config('enable_incremental_sort', 'off', true)`

/** The statement of a page and of one row more. For those who look at its plan (bench/inbox.ts); everybody else reads lists. */
export function pageQuery(c: InboxReader, query: InboxQuery): RawBuilder<Listed> {
  const { way } = orders[query.sort]
  const collected = collectedBy(c, query)
  return sql<Listed>`
    with ${query.q ? beginning(c, query, query.q) : sql``}${collected ? sql`few as materialized (${collected.ids}), ` : sql``}page as materialized (${collected ? among(c, query, collected.applied) : walk(c, query)})
    select shown.*, (extract(epoch from page.at) * 1000000)::bigint::text as mark${query.q ? sql`, ${foundItem(c)} as found` : sql``}
    from page join lateral (${selectConversations(c)} where c.org_id = ${c.org.orgId} and c.id = page.id) shown on true
    order by page.at ${way}, page.id ${way}`
}

/** So many conversations of a label, a post, a search or a reply that wasn't sent are read whole and sorted. Where there are more, the list is walked in its order. */
const FEW = 2_000

/**
 * Walking a list in its order until enough conversations of a rare label have come by may walk through all of it, and
 * collecting all conversations of a frequent one may take as long. So up to FEW are collected: `ids` is null where there
 * are more.
 */
function collectedBy(
  c: InboxReader,
  { labels, q, postId, unsent, unread, assignee, sort }: InboxQuery,
): { ids: RawBuilder<unknown>; applied: Applied | undefined } | undefined {
  const org = c.org.orgId
  const upToFew = (which: RawBuilder<unknown>) =>
    sql`select case when count(*) <= ${FEW} then coalesce(array_agg(id), '{}') end as ids from (${which} limit ${FEW + 1}) f`
  if (q)
    return {
      ids: sql`select case when done then '{}' else search_conversations(${c.project.projectId}, ${q}, ${FEW}) end as ids from walked`,
      applied: 'q',
    }
  // the fewest
  if (unsent)
    return {
      ids: upToFew(sql`select distinct r.conversation_id as id from reply r where r.org_id = ${org} and ${isUnsent}`),
      applied: 'unsent',
    }
  if (postId)
    return {
      ids: upToFew(sql`select id from conversation where org_id = ${org} and post_id = ${postId}`),
      applied: 'postId',
    }
  if (labels)
    return {
      ids: upToFew(
        sql`select distinct conversation_id as id from conversation_label where org_id = ${org} and label_id = any(${labels}::uuid[])`,
      ),
      applied: 'labels',
    }
  // few that someone has read, or that are theirs among those who wait
  if (unread === false)
    return {
      ids: upToFew(
        sql`select conversation_id as id from conversation_read where org_id = ${org} and person_id = ${c.caller.personId}`,
      ),
      applied: undefined,
    }
  if (assignee && sort === 'waiting')
    return {
      ids: upToFew(
        sql`select a.id from unnest(${assigneesIn(c, assignee)}::uuid[]) m(id) cross join unnest('{OPEN,FOLLOWUP}'::text[]) s(status) cross join lateral (
          select c.id from conversation c where c.org_id = ${org} and c.project_id = ${c.project.projectId} and ${isAssignedTo} and c.status = s.status limit ${FEW + 1}) a`,
      ),
      applied: 'assignee',
    }
  return undefined
}

/** So many conversations are asked for the words of a search before the index of all words is. */
const BEGINNING = 500

/**
 * The beginning of the list, walked, with what holds the words of a search: `wanted`. For a frequent word that's the page
 * (`done`), and the index, which would collect everything with that word, isn't asked.
 */
function beginning(c: InboxReader, query: InboxQuery, q: string): RawBuilder<unknown> {
  const { q: _, ...others } = query
  return sql`
    search as materialized (select search_query(${c.project.projectId}, ${q}) as wanted),
    first as materialized (${walk(c, { ...others, limit: BEGINNING - 1 })}),
    early as materialized (select c.id, c.at from first c where exists (${saysIt(c)}) ${sliceOf(query)}),
    walked as materialized (select (select count(*) from early) > ${query.limit} or (select count(*) from first) < ${BEGINNING} as done),`
}

/** The page among few conversations, or by walking where they aren't few: only one of the two is run. */
function among(c: InboxReader, query: InboxQuery, applied: Applied | undefined): RawBuilder<unknown> {
  const slice = sliceOf(query)
  const early = query.q ? sql`select * from early where (select done from walked) union all ` : sql``
  return sql`
    select * from (
      ${early}(select * from (select c.id, ${orders[query.sort].by} as at from conversation c where ${conditions(c, query, applied ? [applied] : [])} and c.id = any((select ids from few)::uuid[]) offset 0) those ${slice})
      union all
      (select * from (${walk(c, query)}) walked where (select ids from few) is null)
    ) found ${slice}`
}

const sliceOf = ({ sort, limit }: InboxQuery): RawBuilder<unknown> =>
  sql`order by at ${orders[sort].way}, id ${orders[sort].way} limit ${limit + 1}`

/** The page by walking the list in its order: on the days on which the caller has something unread, if it's about that. */
function walk(c: InboxReader, query: InboxQuery): RawBuilder<unknown> {
  if (query.sort === 'waiting') return walkWaiting(c, query)
  if (query.unread !== true) return walkIndexes(c, query, sql``)
  // a day's conversations come before those of the next, so the first rows are the page's
  const within = sql` and c.last_at >= 'epoch'::timestamptz + d.day * interval '1 day' and c.last_at < 'epoch'::timestamptz + (d.day + 1) * interval '1 day'`
  return sql`select u.* from (${unreadDays(c, query)}) d cross join lateral (${walkIndexes(c, query, within)}) u limit ${query.limit + 1}`
}

/** The days on which the last item of something unread was written, in the list's order. */
function unreadDays(c: InboxReader, query: InboxQuery): RawBuilder<unknown> {
  const { status, after, sort } = query
  const { way } = orders[sort]
  const day = after === undefined ? undefined : Math.floor(Number(after.split('_')[0]) / 86_400_000_000)
  const from = day === undefined ? sql`` : sort === 'oldest' ? sql` and n.day >= ${day}` : sql` and n.day <= ${day}`
  return sql`select n.day from inbox_day n
    where n.org_id = ${c.org.orgId} and n.project_id = ${c.project.projectId} and (n.person_id is null or n.person_id = ${c.caller.personId})
      and n.status = any(${[...new Set(status ?? conversationStatuses)]}::text[])${from}${isScoped(c, query) ? sql` and n.channel_id in (${channelsOf(c, query)})` : sql``}
    group by n.day having sum(case when n.person_id is null then n.n else -n.n end) > 0 order by n.day ${way} offset 0`
}

/**
 * One index for each status, and for each channel or assignee where some are named, and for each combination of kind, sentiment
 * and answers where some are asked for. What comes first in each is merged.
 */
function walkIndexes(c: InboxReader, query: InboxQuery, within: RawBuilder<unknown>): RawBuilder<unknown> {
  const { by, way } = orders[query.sort]
  const { assignee, postId, status = conversationStatuses } = query
  const byFacet = hasFacets(c, query)
  const rows = (where: RawBuilder<unknown>, applied: readonly Applied[]) =>
    sql`select c.id, ${by} as at from conversation c where ${conditions(c, query, ['status', ...(byFacet ? (['facets'] as const) : []), ...applied])} and c.status = s.status${
      byFacet ? sql` and ${inFacet}` : sql``
    }${where}${within} order by ${by} ${way}, c.id ${way} limit ${query.limit + 1}`
  const statuses = sql`unnest(${[...new Set(status)]}::text[]) s(status)${byFacet ? sql` cross join ${facetsOf(c, query)}` : sql``}`
  const merged = (from: RawBuilder<unknown>, each: RawBuilder<unknown>) =>
    sql`select w.* from ${from} cross join lateral (${each}) w ${sliceOf(query)}`
  // its index has no facets: a post has few comments beside a project
  if (postId && !byFacet) return merged(statuses, rows(sql``, []))
  if (assignee)
    return merged(
      sql`unnest(${assigneesIn(c, assignee)}::uuid[]) m(id) cross join ${statuses}${byFacet ? sql`` : sql` cross join ${facetsOf(c, query)}`}`,
      rows(sql` and ${isAssignedTo}${byFacet ? sql`` : sql` and ${inFacet}`}`, ['assignee']),
    )
  if (isScoped(c, query))
    return merged(
      sql`(${channelsOf(c, query)}) ch cross join ${statuses}`,
      rows(sql` and c.channel_id = ch.id`, ['channel']),
    )
  return merged(statuses, rows(sql``, []))
}

/** Those who wait, who have indexes of their own: by channel and facets where some are asked for, for those that have anyone waiting. */
function walkWaiting(c: InboxReader, query: InboxQuery): RawBuilder<unknown> {
  const rows = (where: RawBuilder<unknown>, applied: readonly Applied[]) =>
    sql`select c.id, c.waiting_since as at from conversation c where ${conditions(c, query, applied)}${where} order by c.waiting_since, c.id limit ${query.limit + 1}`
  if (!hasFacets(c, query) && !isScoped(c, query)) return rows(sql``, [])
  const channels = isScoped(c, query) ? sql` and n.channel_id in (${channelsOf(c, query)})` : sql``
  return sql`select w.* from (
      select n.channel_id, n.kind from inbox_count n where n.org_id = ${c.org.orgId} and n.project_id = ${c.project.projectId} and n.person_id is null${channels}
      group by 1, 2 having sum(n.waiting) > 0
    ) ch join (select * from ${facetsOf(c, query)}) f on f.kind = ch.kind
    cross join lateral (${rows(sql` and c.channel_id = ch.channel_id and c.kind = f.kind and ${feeling} = f.feeling and c.answered = f.done`, ['facets', 'channel'])}) w ${sliceOf(query)}`
}
