import { sql, type RawBuilder } from 'kysely'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { listConversations as contract } from '#contract/inbox/conversations.ts'
import { conversationStatuses } from '#contract/inbox/terms.ts'
import type { PictureLink } from '../channels/foreignPictures.ts'
import type { InboxReader } from './access.ts'
import { channelsOf, conditions, isScoped, membersIn, orders, type Applied, type InboxQuery } from './filter.ts'
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
  const { rows } = await pageQuery(c, query).execute(c.tx)
  const page = rows.slice(0, query.limit)
  const last = rows.length > query.limit ? page.at(-1) : undefined
  const shown = query.q === undefined ? page : page.map((row) => ({ ...row, hit: hitOf(row.found, query.q ?? '') }))
  return { ...presentConversations(c, shown, link), next: last ? `${last.mark}_${last.id}` : null }
}

/** The statement of a page and of one row more. For those who look at its plan (bench/inbox.ts); everybody else reads lists. */
export function pageQuery(c: InboxReader, query: InboxQuery): RawBuilder<Listed> {
  const { way } = orders[query.sort]
  const collected = collectedBy(c, query)
  return sql<Listed>`
    with ${collected ? sql`few as materialized (${collected.ids}), page` : sql`page`} as materialized (${collected ? among(c, query, collected.applied) : walk(c, query)})
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
  { labels, q, postId, unsent }: InboxQuery,
): { ids: RawBuilder<unknown>; applied: Applied } | undefined {
  const org = c.org.orgId
  const upToFew = (which: RawBuilder<unknown>) =>
    sql`select case when count(*) <= ${FEW} then coalesce(array_agg(id), '{}') end as ids from (${which} limit ${FEW + 1}) f`
  if (q)
    return {
      ids: sql`select search_conversations(${c.project.projectId}, ${q}, ${FEW}) as ids, search_query(${c.project.projectId}, ${q}) as wanted`,
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
  return undefined
}

/** The page among few conversations, or by walking where they aren't few: only one of the two is run. */
function among(c: InboxReader, query: InboxQuery, applied: Applied): RawBuilder<unknown> {
  const slice = sliceOf(query)
  return sql`
    select * from (
      (select c.id, ${orders[query.sort].by} as at from conversation c where ${conditions(c, query, [applied])} and c.id = any((select ids from few)::uuid[]) ${slice})
      union all
      (select * from (${walk(c, query)}) walked where (select ids from few) is null)
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
  const rows = (where: RawBuilder<unknown>, applied: readonly Applied[]) =>
    sql`select c.id, ${by} as at from conversation c where ${conditions(c, query, applied)}${where} order by ${by} ${way}, c.id ${way} limit ${query.limit + 1}`
  // those who wait have an index of their own
  if (query.sort === 'waiting') return rows(sql``, [])
  const { assignee, status = conversationStatuses } = query
  const statuses = sql`unnest(${[...new Set(status)]}::text[]) s(status)`
  const merged = (from: RawBuilder<unknown>, each: RawBuilder<unknown>) =>
    sql`select w.* from ${from} cross join lateral (${each}) w ${sliceOf(query)}`
  if (assignee && !assignee.includes('nobody'))
    return merged(
      sql`unnest(${membersIn(c, assignee)}::uuid[]) m(id) cross join ${statuses}`,
      rows(sql` and c.assignee_id = m.id and c.status = s.status`, ['status', 'assignee']),
    )
  if (isScoped(c, query))
    return merged(
      sql`(${channelsOf(c, query)}) ch cross join ${statuses}`,
      rows(sql` and c.channel_id = ch.id and c.status = s.status`, ['status', 'channel']),
    )
  return merged(statuses, rows(sql` and c.status = s.status`, ['status']))
}
