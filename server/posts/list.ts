import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { paginationOf } from '#contract/common.ts'
import { PAGE_SIZE } from '#contract/constants.ts'
import type { PostFilter } from '#contract/postLists.ts'
import type { PostState } from '#contract/postStates.ts'
import { readAndCommit } from '../db/transaction.ts'
import { revisionAt, seenColumns, writeRevision, type Seen } from '../http/revision.ts'
import { passThrough, type RawJson, type ProjectContext } from '../http/route.ts'
import { limitOffset } from '../http/limitOffset.ts'

import { namedPosts, namedPostsJson, type Detail, type NamedPostsRow } from './rowJson.ts'
import { andVisible } from '../access/visiblePosts.ts'

/** `among` narrows a list further than callers can, such as to posts that need someone's approval. */
export type Filter = z.output<typeof PostFilter> & { among?: RawBuilder<unknown> }
export type Asker = Pick<ProjectContext, 'tx' | 'org' | 'project' | 'caller' | 'now'>

const upcoming: readonly PostState[] = ['SCHEDULED', 'QUEUED', 'NEEDS_APPROVAL', 'APPROVED', 'PROCESSING']
// the same few statements for every caller: only which filters are set changes the text
const and = (there: unknown, condition: RawBuilder<unknown>): RawBuilder<unknown> =>
  there === undefined || there === null ? sql`` : sql` and ${condition}`

/**
 * A page of posts, or with `from` and `to` the whole range of up to 2,000 unless pages are requested, as JSON that
 * PostgreSQL wrote. Upcoming posts are sorted soonest first, everything else newest first, a whole range by time.
 * Deleted posts only on request. Ends the transaction: together with its start the request takes two round trips.
 */
export async function listPosts(c: Asker, filter: Filter): Promise<RawJson> {
  const isRange = isWholeRange(filter)
  const ascending =
    isRange ||
    (filter.status !== undefined &&
      filter.status.length > 0 &&
      filter.status.every((state) => upcoming.includes(state)))
  const order = ascending ? soonestFirst : newestFirst
  return await readPage(c, filter, isRange ? rangePage : filter, order, detailOf(filter))
}

const isWholeRange = ({ from, to, view }: Filter) => from !== undefined && to !== undefined && view !== 'pages'
export const detailOf = (filter: Filter): Detail =>
  !isWholeRange(filter) || filter.view === undefined ? 'full' : filter.view === 'month' ? 'month' : 'calendar'

/** Drafts, last changed first. */
export async function listDrafts(c: Asker, filter: Filter): Promise<RawJson> {
  return await readPage(c, { ...filter, status: ['DRAFTS'] }, filter, { by: 'updated_at', way: 'desc' })
}

type Page = { page: number; limit: number }
type Order = { by: 'shown_at' | 'updated_at'; way: 'asc' | 'desc' }
const newestFirst: Order = { by: 'shown_at', way: 'desc' }
const soonestFirst: Order = { by: 'shown_at', way: 'asc' }
const rangePage: Page = { page: 1, limit: PAGE_SIZE.rangeMost }

type PageRow = NamedPostsRow & Seen & { total: number }

/** The statement of a page, for inspecting its plan (bench/filters.ts); everything else uses listPosts. */
export function pageQuery(
  c: Asker,
  filter: Filter,
  page: Page,
  order: Order = newestFirst,
  detail: Detail = 'full',
): RawBuilder<PageRow> {
  const where = conditions(c, filter)
  const sorted = sql.raw(`p.${order.by} ${order.way}, p.id ${order.way}`)
  const { limit, offset } = limitOffset(page)
  const slice = sql`order by ${sorted} limit ${limit} offset ${offset}`
  const { author, campaign } = namedTwice(filter)
  if (filter.labels || campaign || author || filter.q !== undefined) {
    // computed once, for the page and its count: walking a list in its order until a page is full may walk through
    // all of it. Only indexed columns are read for all matches
    const which = sql`where p.org_id = ${c.org.orgId} and p.id = any(array(select p.id from found p ${slice})) order by ${sorted}`
    const { ctes, columns, written } = namedPosts(c.project, which, order, detail)
    return sql<PageRow>`
      with found as materialized (select p.id, p.${sql.raw(order.by)} from post p ${where}), ${ctes}
      select ${columns}, (select count(*) from found) as total, ${seenColumns(c.project.projectId)} from ${written}`
  }
  const { ctes, columns, written } = namedPosts(c.project, sql`${where} ${slice}`, order, detail)
  const count = sql`(select count(*) from post p ${where})`
  // a range that isn't full was counted by reading it
  const total =
    page === rangePage ? sql`case when written.number < ${limit} then written.number else ${count} end` : count
  return sql<PageRow>`with ${ctes} select ${columns}, ${total} as total, ${seenColumns(c.project.projectId)} from ${written}`
}

async function readPage(c: Asker, filter: Filter, page: Page, order: Order, detail: Detail = 'full'): Promise<RawJson> {
  const query = pageQuery(c, filter, page, order, detail)
  const [row] = await readAndCommit<PageRow>(c.tx, { compile: () => query.compile(c.tx) })
  if (!row) throw new Error('a statement without a table answered no row')
  const pagination = paginationOf(page === rangePage ? { page: 1, limit: Infinity } : page, row.total)
  const truncated = page === rangePage && row.total > rangePage.limit
  const revision = revisionAt(row.place, c, c.now)
  const more = `,"pagination":${JSON.stringify(pagination)},"truncated":${truncated},"revision":"${writeRevision(revision)}"`
  return passThrough(namedPostsJson(c.project, row, more), { revision, recent: row.recent })
}

/** The filters that have two names, each with the values from both. */
function namedTwice(filter: Filter) {
  const both = <T>(one: readonly T[] | undefined, other: readonly T[] | undefined): T[] | undefined =>
    one || other ? [...(one ?? []), ...(other ?? [])] : undefined
  return {
    platform: both(filter.platform, filter.platforms),
    channelId: both(filter.channelId, filter.channelIds),
    author: both(filter.author, filter.userIds),
    campaign: both(filter.campaign, filter.campaigns),
  }
}

function isLabeled(orgId: string, labels: readonly string[], match: Filter['labelMatch']): RawBuilder<unknown> {
  const wanted = [...new Set(labels)]
  const carrying = sql`select post_id from post_label where org_id = ${orgId} and label_id = any(${wanted}::uuid[])`
  return match === 'any'
    ? sql`p.id in (${carrying})`
    : sql`p.id in (${carrying} group by post_id having count(*) = ${wanted.length})`
}

/** The posts (`p`) that pass the filter and that the caller can see. */
export function conditions(c: Asker, filter: Filter): RawBuilder<unknown> {
  const { status, labels, labelMatch, batchId, origin, q, from, to, among } = filter
  const { platform, channelId, author, campaign } = namedTwice(filter)
  return sql`where p.org_id = ${c.org.orgId} and p.project_id = ${c.project.projectId}${
    status ? sql` and p.state = any(${status}::text[])` : sql` and p.state <> 'DELETED'`
  }${and(from, sql`p.shown_at >= ${from}::timestamptz`)}${and(to, sql`p.shown_at < ${to}::timestamptz`)}${and(
    channelId,
    sql`p.channel_id = any(${channelId}::uuid[])`,
  )}${and(author, sql`p.author_id = any(${author}::uuid[])`)}${and(batchId, sql`p.batch_id = ${batchId}::uuid`)}${and(origin, sql`p.origin = ${origin}`)}${and(
    platform,
    sql`p.channel_id in (select id from channel where org_id = ${c.org.orgId} and platform = any(${platform}::text[]))`,
  )}${and(
    campaign,
    sql`p.id in (select post_id from post_campaign where org_id = ${c.org.orgId} and campaign_id = any(${campaign}::uuid[]))`,
  )}${
    labels && labels.length > 0 ? sql` and ${isLabeled(c.org.orgId, labels, labelMatch)}` : sql``
  }${and(q, sql`p.id = any(array(select search_posts(${c.project.projectId}, ${q})))`)}${and(among, sql`${among}`)}${andVisible(c)}`
}
