import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { insightsSummary } from '#contract/analytics/overview.ts'
import { foldCounts } from '../dashboard/fold.ts'
import { addDays } from '../rangeDays.ts'
import { contentOn } from '../testing/content.ts'
import { daysOfMonths } from '../testing/figures.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

// Figures by day are stored twice: as rows that are read and deleted one by one, and a month in a row, which totals are read from.

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const days = fc.integer({ min: 0, max: 70 }).map((n) => addDays('2026-01-20', n))
const write = fc.record({
  kind: fc.constant('write' as const),
  rows: fc.uniqueArray(fc.record({ day: days, name: fc.constantFrom('views', 'reach'), value: fc.nat(1_000) }), {
    selector: ({ day, name }) => `${day} ${name}`,
    maxLength: 12,
  }),
  hour: fc.nat(60),
})
const forget = fc.record({ kind: fc.constant('forget' as const), from: days, to: days })
type Action =
  typeof write extends fc.Arbitrary<infer W> ? W | (typeof forget extends fc.Arbitrary<infer F> ? F : never) : never

const byRow = `select channel_id, name, day::text, value::text, extract(epoch from read_at)::int as read from channel_figure where channel_id = any($1)`
const byMonth = `
  select channel_id, name, day::text, amount::text as value, extract(epoch from day::timestamp at time zone 'UTC')::int + read as read
  from ${daysOfMonths('days')} where channel_id = any($1) and read is not null`

const stored = async (channels: readonly string[], statement: string) =>
  (await app.database.owner.query(`${statement} order by 1, 2, 3`, [channels])).rows

const insert = `
  insert into channel_figure (org_id, channel_id, day, name, value, read_at)
  select $1, c, f.day, f.name, f.value, $4 from unnest($2::uuid[]) c cross join jsonb_to_recordset($3::jsonb) f(day date, name text, value bigint)
  on conflict (org_id, channel_id, name, day) do update set value = excluded.value, read_at = excluded.read_at`

it('are the same by row and by month, whatever is reported, corrected and forgotten', async () => {
  const home = await app.signedInOwner()
  const { owner } = app.database
  const content = contentOn(app.parts)
  const channels = [
    await content.channel(home, { platform: 'facebook' }),
    await content.channel(home, { platform: 'x' }),
  ]
  const actions = fc.array(fc.oneof({ weight: 3, arbitrary: write }, forget), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(actions, async (acts: Action[]) => {
      await owner.query('delete from channel_figure where channel_id = any($1)', [channels])
      // a month without a day is no row
      expect((await owner.query('select 1 from figure_month where channel_id = any($1)', [channels])).rows).toEqual([])
      for (const act of acts) {
        if (act.kind === 'write') {
          const readAt = new Date(Date.parse('2026-04-01T00:00:00Z') + act.hour * 3_600_000)
          await owner.query(insert, [home.orgId, channels, JSON.stringify(act.rows), readAt])
        } else
          await owner.query('delete from channel_figure where channel_id = $1 and day between $2 and $3', [
            channels[0],
            act.from,
            act.to,
          ])
        expect(await stored(channels, byMonth)).toEqual(await stored(channels, byRow))
      }
    }),
    { numRuns: 25 },
  )
})

it('lose no day of a month that two readings write side by side', async () => {
  const home = await app.signedInOwner()
  const channel = await contentOn(app.parts).channel(home, { platform: 'facebook' })
  const [one, other] = [await app.database.owner.connect(), await app.database.owner.connect()]
  try {
    const row = (day: string, value: number) => [
      home.orgId,
      [channel],
      JSON.stringify([{ day, name: 'views', value }]),
      '2026-04-01T00:00:00Z',
    ]
    await one.query('begin')
    await one.query(insert, row('2026-03-05', 5))
    const waiting = other.query(insert, row('2026-03-06', 6))
    await one.query('commit')
    await waiting
  } finally {
    one.release()
    other.release()
  }
  expect(await stored([channel], byMonth)).toMatchObject([
    { day: '2026-03-05', value: '5' },
    { day: '2026-03-06', value: '6' },
  ])
})

it('of what was gained amount to it in any range, added to their months or not', async () => {
  const home = await app.signedInOwner()
  const { owner } = app.database
  const channel = await contentOn(app.parts).channel(home, { platform: 'bluesky' })
  // often around the ends of months
  const edge = fc.oneof(
    fc
      .tuple(fc.integer({ min: 2, max: 9 }), fc.integer({ min: -2, max: 1 }))
      .map(([month, days]) => addDays(`2026-0${month}-01`, days)),
    fc.nat(300).map((n) => addDays('2026-01-10', n)),
  )
  const lines = fc.array(fc.record({ day: edge, amount: fc.integer({ min: -5, max: 50 }) }), { maxLength: 15 })
  const range = fc
    .tuple(edge, edge)
    .map(([one, other]) => ({ from: one < other ? one : other, to: one < other ? other : one }))
  await fc.assert(
    fc.asyncProperty(lines, lines, lines, range, range, async (first, second, fresh, now, before) => {
      await owner.query('delete from figure_month where channel_id = $1', [channel])
      await owner.query('delete from figure_line where channel_id = $1', [channel])
      for (const some of [first, second, fresh]) {
        await foldCounts({ databases: app.parts.databases, signal: new AbortController().signal })
        await owner.query(
          `insert into figure_line (org_id, project_id, channel_id, kind, day, name, amount, n, read_at)
           select $1, $2, $3, 'gains', l.day, name, l.amount, 1, now() from jsonb_to_recordset($4::jsonb) l(day date, amount bigint) cross join unnest('{reactions,readings}'::text[]) name`,
          [home.orgId, home.projectId, channel, JSON.stringify(some)],
        )
      }
      const { cards } = await app.call(
        insightsSummary,
        {
          params: home.params,
          query: { ...now, compareFrom: before.from, compareTo: before.to, names: 'reactions', postNames: '' },
        },
        { as: home.person },
      )
      const sumIn = ({ from, to }: { from: string; to: string }) => {
        const own = [...first, ...second, ...fresh].filter(({ day }) => day >= from && day <= to)
        return own.length === 0 ? null : own.reduce((sum, { amount }) => sum + amount, 0)
      }
      const card = cards.find(({ base }) => base === 'inTheseDays')
      expect([card?.value ?? null, card?.before ?? null]).toEqual([sumIn(now), sumIn(before)])
    }),
    { numRuns: 60 },
  )
})

it('go with their channel', async () => {
  const home = await app.signedInOwner()
  const channel = await contentOn(app.parts).channel(home, { platform: 'facebook' })
  const rows = JSON.stringify([{ day: '2026-03-05', name: 'views', value: 5 }])
  await app.database.owner.query(insert, [home.orgId, [channel], rows, '2026-04-01T00:00:00Z'])
  await app.database.owner.query('delete from project where id = $1', [home.projectId])
  expect((await app.database.owner.query('select 1 from figure_month where channel_id = $1', [channel])).rows).toEqual(
    [],
  )
})
