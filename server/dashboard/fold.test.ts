import { randomUUIDv7 } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { asSystem } from '../db/system.ts'
import { gainedDays } from '../testing/figures.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { foldCounts, foldFigures, foldPosts } from './fold.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const STORED = 20_000
const fold = () => foldCounts({ databases: app.parts.databases, signal: new AbortController().signal })

/** Lines of posts and figures, of as many days as there are lines, for an organization of their own unless it's named. */
async function lines(count: number, folded: boolean, ids = { org: randomUUIDv7(), project: randomUUIDv7() }) {
  const given = [ids.org, ids.project, count, folded]
  await app.database.owner.query(
    `insert into post_count (org_id, project_id, day, state, n, folded)
     select $1, $2, date '2020-01-01' + i, 'PUBLISHED', 1, $4 from generate_series(1, $3::int) i`,
    given,
  )
  await app.database.owner.query(
    `insert into figure_line (org_id, project_id, channel_id, kind, day, name, amount, n, read_at)
     select $1, $2, $2, 'gains', date '2020-01-01' + i, 'reactions', 1, 1, now() from generate_series(1, $3::int) i`,
    given.slice(0, 3),
  )
  if (folded) await fold()
  return ids
}

const stored = async (org: string, table: 'post_count' | 'figure_month') =>
  (
    await app.database.owner.query<{ lines: number; versions: string }>(
      `select count(*)::int as lines, string_agg(distinct xmin::text, ',' order by xmin::text) as versions from ${table} where org_id = $1`,
      [org],
    )
  ).rows[0]

it('only folds organizations with new rows, and only the new rows', async () => {
  const quiet = await lines(50, true)
  const due = await lines(50, true)
  const before = { posts: await stored(quiet.org, 'post_count'), figures: await stored(quiet.org, 'figure_month') }
  await lines(3, false, due)
  await lines(3, false, due)
  expect(await fold()).toBe(12)
  expect(await fold()).toBe(0)
  expect({ posts: await stored(quiet.org, 'post_count'), figures: await stored(quiet.org, 'figure_month') }).toEqual(
    before,
  )
  for (const days of ['select day, n from post_count', `select day, gain from ${gainedDays}`]) {
    const { rows } = await app.database.owner.query(
      `select day - date '2020-01-01' as i, n::int as sum, count(*) over ()::int as lines from (${days} where org_id = $1) d(day, n) order by day limit 4`,
      [due.org],
    )
    expect(rows, days).toEqual([1, 2, 3, 4].map((i) => ({ i, sum: i < 4 ? 3 : 1, lines: 50 })))
  }
})

it('loses nothing when two add to the same month', async () => {
  const due = await lines(5, false)
  const { system } = app.parts.databases
  let other: Promise<unknown> | undefined
  await asSystem(system, async (tx) => {
    await foldFigures(due.org).execute(tx)
    await lines(5, false, due)
    // waits for the month until this transaction is over
    other = asSystem(system, (second) => foldFigures(due.org).execute(second))
  })
  await other
  const { rows } = await app.database.owner.query(`select gain::int, readings from ${gainedDays} where org_id = $1`, [
    due.org,
  ])
  expect(rows).toEqual(Array.from({ length: 5 }, () => ({ gain: 2, readings: 2 })))
})

it.each([
  ['posts', foldPosts],
  ['figures', foldFigures],
] as const)('costs what is new, not what is stored: %s', async (_, statement) => {
  await lines(STORED, true)
  const due = await lines(STORED, true)
  await lines(10, false, due)
  // without the pages of lines that were deleted: whether these are searched or skipped is a matter of a few pages
  await app.database.owner.query('vacuum (full, analyze) post_count, figure_line, figure_month')
  // 10 rows removed, 10 found and removed, 10 written into three indexes; the table has about 300 pages per
  // organization
  expect(await buffersOf(statement(due.org))).toBeLessThan(500)
})

const Plan = z.tuple([
  z.object({ Plan: z.looseObject({ 'Shared Hit Blocks': z.int(), 'Shared Read Blocks': z.int() }) }),
])

/** The pages that a statement read. */
async function buffersOf(statement: RawBuilder<unknown>): Promise<number> {
  const { rows } = await asSystem(app.parts.databases.system, (tx) =>
    sql<{ 'QUERY PLAN': unknown }>`explain (analyze, buffers, timing off, format json) ${statement}`.execute(tx),
  )
  const [{ Plan: top }] = Plan.parse(rows[0]?.['QUERY PLAN'])
  return top['Shared Hit Blocks'] + top['Shared Read Blocks']
}
