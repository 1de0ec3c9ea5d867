import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import type { Batch, PageCount, Visitor } from './waiting.ts'

/** How many visitors a page's day is told apart by: later ones are only counted as views. */
const VISITORS_OF_DAY = 100_000

/** The day's salt; undefined once the day is over everywhere. */
export type Salts = ReadonlyMap<string, Buffer>

/**
 * Writes counts of one organization or several, and returns those that must wait because someone locks what they're of. What
 * belongs to a page or post that doesn't exist (any more) is dropped. Pages and posts are locked first and never waited for, and
 * rows are written in one order everywhere, so nodes wait for each other but never in a circle, and never with a deletion.
 */
export async function writeCounts(tx: Tx, batch: Batch, salts: Salts): Promise<Batch> {
  const pages = await lockParents(tx, 'bio_page', batch.pages, ({ pageId }) => pageId)
  const posts = await lockParents(tx, 'measured_post', batch.posts, ({ postId }) => postId)
  const ofPage = (row: Visitor): boolean => pages.locked.has(keyOf(row.orgId, row.pageId))
  const fresh = await writeVisitors(tx, batch.visitors.filter(ofPage), salts)
  const written = batch.pages.filter(({ orgId, pageId }) => pages.locked.has(keyOf(orgId, pageId)))
  await writePages(tx, written, fresh)
  const clicks = batch.posts.filter(({ orgId, postId }) => posts.locked.has(keyOf(orgId, postId)))
  if (clicks.length > 0)
    await sql`
      insert into post_click as c (org_id, post_id, name, day, n)
      select * from unnest(${clicks.map(({ orgId }) => orgId)}::uuid[], ${clicks.map(({ postId }) => postId)}::uuid[], ${clicks.map(({ name }) => name)}::text[], ${clicks.map(({ day }) => day)}::date[], ${clicks.map(({ n }) => n)}::bigint[])
      order by 1, 2, 3, 4
      on conflict (org_id, post_id, name, day) do update set n = c.n + excluded.n`.execute(tx)
  return {
    pages: batch.pages.filter(({ orgId, pageId }) => pages.busy.has(keyOf(orgId, pageId))),
    posts: batch.posts.filter(({ orgId, postId }) => posts.busy.has(keyOf(orgId, postId))),
    visitors: batch.visitors.filter(({ orgId, pageId }) => pages.busy.has(keyOf(orgId, pageId))),
  }
}

const keyOf = (orgId: string, id: string): string => `${orgId} ${id}`

/** Which of these exist and can't be deleted until the end of the transaction, and which exist but are being locked by someone. */
async function lockParents<T extends { orgId: string }>(
  tx: Tx,
  table: 'bio_page' | 'measured_post',
  counted: readonly T[],
  idOf: (row: T) => string,
): Promise<{ locked: Set<string>; busy: Set<string> }> {
  const wanted = new Map(counted.map((row) => [keyOf(row.orgId, idOf(row)), { orgId: row.orgId, id: idOf(row) }]))
  if (wanted.size === 0) return { locked: new Set(), busy: new Set() }
  const all = [...wanted.values()]
  const given = sql`unnest(${all.map(({ orgId }) => orgId)}::uuid[], ${all.map(({ id }) => id)}::uuid[]) as g(org_id, id)`
  const { rows } = await sql<{ org_id: string; id: string; locked: boolean }>`
    with locked as materialized (
      select t.org_id, t.id from ${sql.table(table)} t join ${given} on t.org_id = g.org_id and t.id = g.id order by t.org_id, t.id for key share of t skip locked
    )
    select t.org_id, t.id, l.id is not null as locked
    from ${given} join ${sql.table(table)} t on t.org_id = g.org_id and t.id = g.id left join locked l on l.org_id = t.org_id and l.id = t.id`.execute(
    tx,
  )
  const keys = (isLocked: boolean) =>
    new Set(rows.filter(({ locked }) => locked === isLocked).map((row) => keyOf(row.org_id, row.id)))
  return { locked: keys(true), busy: keys(false) }
}

type Fresh = { orgId: string; pageId: string; day: string; n: number }

/** Returns how many of each page's day weren't there before. */
async function writeVisitors(tx: Tx, visitors: readonly Visitor[], salts: Salts): Promise<Fresh[]> {
  const salted = visitors.flatMap((one) => {
    const salt = salts.get(one.day)
    return salt ? [{ ...one, hash: createHmac('sha256', salt).update(one.visitor).digest().subarray(0, 16) }] : []
  })
  if (salted.length === 0) return []
  const { rows } = await sql<Fresh>`
    with given as (
      select *, row_number() over (partition by org_id, page_id, day) as nth
      from unnest(${salted.map(({ orgId }) => orgId)}::uuid[], ${salted.map(({ pageId }) => pageId)}::uuid[], ${salted.map(({ day }) => day)}::date[], ${salted.map(({ hash }) => hash)}::bytea[]) as g(org_id, page_id, day, visitor)
    ), fresh as (
      insert into bio_visitor (org_id, page_id, day, visitor)
      select g.org_id, g.page_id, g.day, g.visitor
      from given g left join bio_count c on c.org_id = g.org_id and c.page_id = g.page_id and c.day = g.day and c.number = 0
      where g.nth <= ${VISITORS_OF_DAY} - coalesce(c.visitors, 0) order by 1, 2, 3, 4
      on conflict do nothing returning org_id, page_id, day
    )
    select org_id as "orgId", page_id as "pageId", day::text, count(*)::int as n from fresh group by 1, 2, 3`.execute(
    tx,
  )
  return rows
}

async function writePages(tx: Tx, pages: readonly PageCount[], fresh: readonly Fresh[]): Promise<void> {
  const rows = [
    ...pages.map((row) => ({ ...row, visitors: 0 })),
    ...fresh.map(({ n, ...row }) => ({ ...row, number: 0, views: 0, clicks: 0, visitors: n })),
  ]
  if (rows.length === 0) return
  await sql`
    insert into bio_count as c (org_id, page_id, day, number, views, visitors, clicks)
    select org_id, page_id, day, number, sum(views), sum(visitors), sum(clicks)
    from unnest(${rows.map(({ orgId }) => orgId)}::uuid[], ${rows.map(({ pageId }) => pageId)}::uuid[], ${rows.map(({ day }) => day)}::date[], ${rows.map(({ number }) => number)}::int[],
      ${rows.map(({ views }) => views)}::int[], ${rows.map(({ visitors }) => visitors)}::int[], ${rows.map(({ clicks }) => clicks)}::int[]) as g(org_id, page_id, day, number, views, visitors, clicks)
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (org_id, page_id, day, number) do update
      set views = c.views + excluded.views, visitors = c.visitors + excluded.visitors, clicks = c.clicks + excluded.clicks`.execute(
    tx,
  )
}
