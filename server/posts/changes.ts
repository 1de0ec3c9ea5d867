import { sql } from 'kysely'
import { seesAllPosts, visibleTo } from '../access/visiblePosts.ts'
import { readAndCommit } from '../db/transaction.ts'
import { follows, isTellable, kindsOf, placeNow, readRevision, revisionAt, writeRevision } from '../http/revision.ts'
import { passThrough, type RawJson } from '../http/route.ts'
import { conditions, detailOf, type Asker, type Filter } from './list.ts'
import { namedPosts, namedPostsJson, type NamedPostsRow } from './rowJson.ts'

/** With more changes than this, reading the list again is cheaper. */
const MOST_CHANGES = 500
const order = { by: 'shown_at', way: 'asc' } as const
const nothing: NamedPostsRow = { posts: null, channels: null, people: null, labels: null, campaigns: null }

type ChangesRow = NamedPostsRow & { place: string; gone: string; events: number; kinds: string[] | null }

/**
 * What changed in the list of this filter since one of its revisions, as JSON that PostgreSQL wrote: changed posts
 * that are in it, and the IDs of changed posts that aren't (anymore, or for this caller). Ends the transaction, as
 * listPosts does.
 */
export async function listChanges(c: Asker, { since, ...filter }: Filter & { since: string }): Promise<RawJson> {
  const from = readRevision(since)
  const answer = (row: NamedPostsRow, revision: string, reset: boolean, gone = '[]') =>
    passThrough(namedPostsJson(c.project, row, `,"revision":"${revision}","reset":${reset},"gone":${gone}`))
  if (!from || !isTellable(from, c, c.now)) return answer(nothing, since, true)
  const which = sql`${conditions(c, filter)} and p.id = any(array(select post_id from changed)) order by p.shown_at, p.id`
  const { ctes, columns, written } = namedPosts(c.project, which, order, detailOf(filter))
  // a role limited to channels doesn't learn about others' posts outside of them; drafts may have left its channels
  const known = !seesAllPosts(c.project)
    ? sql` and (p.id is null or ${visibleTo(c)} or p.author_id = ${c.caller.personId} or p.state = 'DRAFTS')`
    : sql``
  const query = sql<ChangesRow>`
    with changed as materialized (
      select kind, case when kind = 'post' and pg_input_is_valid(ref, 'uuid') then ref::uuid end as post_id
      from project_events(${c.project.projectId}, ${from.xid}::xid8, ${kindsOf('posts')}::text[], ${MOST_CHANGES + 1})
    ), ${ctes}
    select ${columns}, ${placeNow} as place, (select count(*) from changed) as events, (select array_agg(distinct kind) from changed) as kinds,
      (select coalesce(json_agg(distinct g.post_id), '[]')::text from changed g left join post p on p.org_id = ${c.org.orgId} and p.id = g.post_id
        where g.post_id is not null and g.post_id not in (select id from listed)${known}) as gone
    from ${written}`
  const [row] = await readAndCommit<ChangesRow>(c.tx, { compile: () => query.compile(c.tx) })
  if (!row) throw new Error('a statement without a table answered no row')
  const reset = row.events > MOST_CHANGES || !follows(row.place, from) || concernsAll(row.kinds ?? [], filter)
  const revision = writeRevision(revisionAt(row.place, c, c.now))
  return reset ? answer(nothing, revision, true) : answer(row, revision, false, row.gone)
}

/** Whether something changed that affects posts without an event of their own, or the filters. */
function concernsAll(kinds: readonly string[], filter: Filter): boolean {
  if (kinds.includes('channel')) return true
  const named = filter.labels ?? filter.campaign ?? filter.campaigns
  return (
    (kinds.includes('taxonomy') && (named !== undefined || detailOf(filter) === 'full')) ||
    (kinds.includes('member') && detailOf(filter) === 'full')
  )
}
