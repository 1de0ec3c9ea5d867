import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { because } from '#contract/failures/catalog.ts'
import { setPlatformCost } from '#contract/inbox/costs.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { AccountFigures, FigureDay, Platform } from '../platforms/platform.ts'
import { modelRuns } from '../testing/modelRuns.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { NOW, postsOn } from '../testing/posts.ts'
import { quietLog } from '../testing/publishing.ts'
import { gainedDays } from '../testing/figures.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { addDays } from './claimAccounts.ts'
import { forgetFigures } from './forget.ts'
import { readDueAccounts } from './readAccounts.ts'

let app: TestApp
let home: TestHome
let asked: { from: string; to: string }[]
let account: AccountFigures
const budgets: Platform['budgets'] = [
  { name: 'calls', per: 'channel', windowSeconds: 3600, tokens: 100, cost: { metrics: 1 } },
]
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.database.owner.query('delete from insight_sync')
  await app.database.owner.query("update channel set status = 'DISCONNECTED'")
  home = await app.signedInOwner()
  asked = []
  account = byDay((range) => ({ kind: 'series', days: everyDay(range, (day) => ({ views: numberOf(day) })) }))
})

type Range = { from: string; to: string }
type Answer = Awaited<ReturnType<NonNullable<AccountFigures['series']>['read']>>
const byDay = (answer: (range: Range) => Answer | Promise<Answer>, mostDays = 90): AccountFigures => ({
  series: {
    mostDays,
    calls: () => 1,
    read: async (_reach, _secret, _account, range) => {
      asked.push(range)
      return await answer(range)
    },
  },
  snapshot: async () => ({ kind: 'snapshot', figures: { followers: 120 } }),
})
const everyDay = ({ from, to }: Range, figures: (day: string) => FigureDay['figures']): FigureDay[] => {
  const days: FigureDay[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push({ day, figures: figures(day) })
  return days
}
/** What was asked of the last days; history is asked for at the same time. */
const newest = () => asked.toSorted((a, b) => (a.to < b.to ? 1 : -1))[0]
/** A number for each day, so that a value tells which day it belongs to. */
const numberOf = (day: string) => Number(day.slice(5).replace('-', ''))

async function channelOf(platform: PlatformKey, of = home): Promise<string> {
  const id = await contentOn(app.parts).channel(of, { handle: `@${platform}${String(Math.random()).slice(2)}.example` })
  await app.database.owner.query('update channel set platform = $2 where id = $1', [id, platform])
  return id
}
const read = (
  { accepted = [], signal = new AbortController().signal }: { accepted?: PlatformKey[]; signal?: AbortSignal } = {},
  key: PlatformKey = 'facebook',
) =>
  readDueAccounts(
    {
      platforms: (wanted) => (wanted === key ? { ...testPlatform(), key, budgets, account } : undefined),
      secrets: app.parts.secrets,
      fetch: app.parts.fetch,
      apps: app.parts.apps,
      accepted,
    },
    { databases: app.parts.databases, clock: app.clock, log: quietLog, signal },
  )
const stored = async (channelId: string, name = 'views') =>
  (
    await app.database.owner.query<{ day: string; value: number }>(
      'select day::text, value::int from channel_figure where channel_id = $1 and name = $2 order by day',
      [channelId, name],
    )
  ).rows
const sync = async (channelId: string, kind = 'days') =>
  (
    await app.database.owner.query<{
      state: string
      read_to: string | null
      until_day: string | null
      next_at: Date | null
      problem: unknown
    }>(
      'select state, read_to::text, until_day::text, next_at, problem from insight_sync where channel_id = $1 and kind = $2',
      [channelId, kind],
    )
  ).rows[0]

describe("a channel's figures", () => {
  it('are read each day, with the days that the platform may still correct, and corrections replace them', async () => {
    const id = await channelOf('facebook')
    await read()
    const recent = newest()
    const today = recent?.to ?? ''
    expect(recent).toEqual({ from: addDays(today, -3), to: today })
    expect(await stored(id, 'followers')).toEqual([{ day: today, value: 120 }])
    expect(await read()).toBe(1)
    app.clock.advance({ hours: 24 })
    account = byDay((range) => ({ kind: 'series', days: everyDay(range, () => ({ views: 7777 })) }))
    await read()
    const days = await stored(id)
    // the first of the four days is final now; the others were corrected
    expect(days.find(({ day }) => day === addDays(today, -3))?.value).toBe(numberOf(addDays(today, -3)))
    expect(days.filter(({ day }) => day > addDays(today, -3)).map(({ value }) => value)).toEqual([
      7777, 7777, 7777, 7777,
    ])
  })

  it('go back as far as the platform reports them, step by step, without replacing what was read later', async () => {
    const id = await channelOf('facebook')
    for (let run = 0; run < 12; run += 1) await read()
    const history = await sync(id, 'history')
    expect(history).toMatchObject({ state: 'done', next_at: null })
    expect(history?.read_to).toBe(history?.until_day)
    const days = await stored(id)
    const first = history?.until_day ?? ''
    expect(days[0]?.day).toBe(first)
    expect(days.map(({ day }) => day)).toEqual(days.map((_, i) => addDays(first, i)))
    expect(days.every(({ day, value }) => value === numberOf(day))).toBe(true)
    for (const { from, to } of asked) expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBeLessThan(90)
    expect(asked).toHaveLength(1 + 9)
  })

  it('begin where the last reading ended when a channel could not be read for weeks', async () => {
    const id = await channelOf('facebook')
    await read()
    await app.database.owner.query("update channel set status = 'TOKEN_EXPIRED' where id = $1", [id])
    app.clock.advance({ days: 20 })
    await read()
    await app.database.owner.query("update channel set status = 'CONNECTED' where id = $1", [id])
    for (let run = 0; run < 12; run += 1) await read()
    const days = await stored(id)
    expect(days.map(({ day }) => day)).toEqual(days.map((_, i) => addDays(days[0]?.day ?? '', i)))
  })

  it('over several days are read of the days that became final, once each, and never with the history', async () => {
    const id = await channelOf('facebook')
    const ends: string[] = []
    account = {
      ...byDay((range) => ({ kind: 'series', days: everyDay(range, () => ({ reach: 5 })) })),
      windows: {
        calls: 2,
        read: async (_reach, _secret, _account, day) => {
          ends.push(day)
          return { kind: 'windows', figures: { reach7: numberOf(day), reach28: 100 + numberOf(day) } }
        },
      },
    }
    for (let run = 0; run < 12; run += 1) await read()
    const final = addDays(newest()?.to ?? '', -3)
    expect(ends).toEqual([final])
    app.clock.advance({ hours: 24 })
    await read()
    // a day that no run fell on
    app.clock.advance({ hours: 47 })
    await read()
    // and an outage of weeks, after which only the newest are read
    app.clock.advance({ days: 20 })
    for (let run = 0; run < 4; run += 1) await read()
    const last = addDays(newest()?.to ?? '', -3)
    expect(ends).toEqual([
      ...[0, 1, 2, 3].map((more) => addDays(final, more)),
      ...[-2, -1, 0].map((more) => addDays(last, more)),
    ])
    expect(await stored(id, 'reach7')).toEqual(ends.map((day) => ({ day, value: numberOf(day) })))
    expect((await stored(id, 'reach28')).map(({ day }) => day)).toEqual(ends)
  })

  it('are kept when what the platform counts over several days is refused, and count in the rate limits', async () => {
    const id = await channelOf('facebook')
    const refused = { kind: 'rejected', reason: because('slow-down', { platform: 'Facebook' }) } as const
    account = {
      ...byDay((range) => ({ kind: 'series', days: everyDay(range, () => ({ reach: 5 })) })),
      windows: { calls: 60, read: async () => refused },
    }
    await read()
    expect(await stored(id, 'reach')).not.toEqual([])
    expect(await sync(id)).toMatchObject({ state: 'done' })
    // the hour's 100 calls leave no second reading of 62
    await app.database.owner.query("update insight_sync set next_at = $2 where channel_id = $1 and kind = 'days'", [
      id,
      app.clock.now(),
    ])
    await app.database.owner.query('delete from channel_figure where channel_id = $1', [id])
    await read()
    expect(await stored(id, 'followers')).toEqual([])
  })

  it('leave a gap where the platform reports nothing, and ignore days and names that were not asked for', async () => {
    const id = await channelOf('facebook')
    account = byDay(({ from, to }) => ({
      kind: 'series',
      days: [
        { day: from, figures: { views: 5, calls: 3 } as FigureDay['figures'] }, // a name that isn't in the catalog
        { day: addDays(to, 1), figures: { views: 9 } },
      ],
    }))
    await read()
    const recent = newest()
    expect((await stored(id)).filter(({ day }) => day >= (recent?.from ?? ''))).toEqual([
      { day: recent?.from, value: 5 },
    ])
    expect(await stored(id, 'calls')).toEqual([])
  })

  it('are read again when a worker dies in the middle', async () => {
    const id = await channelOf('facebook')
    let isDying = true
    account = byDay((range) => {
      if (isDying) throw new Error('killed')
      return { kind: 'series', days: everyDay(range, () => ({ views: 1 })) }
    })
    await read()
    expect(await stored(id)).toEqual([])
    isDying = false
    await read()
    expect(await stored(id)).toEqual([])
    app.clock.advance({ minutes: 31 })
    await read()
    expect((await stored(id)).length).toBeGreaterThan(3)
  })

  it('wait for their turn in the rate limits, history longest', async () => {
    const id = await channelOf('facebook')
    account = {
      ...byDay((range) => ({ kind: 'series', days: everyDay(range, () => ({ views: 1 })) }), 4),
    }
    if (account.series) account = { ...account, series: { ...account.series, calls: () => 45 } }
    await read()
    // 46 calls for the days; 45 more would use more than half of the hour's 100
    expect((await stored(id)).length).toBe(4)
    const { read_to: before } = (await sync(id, 'history')) ?? {}
    app.clock.advance({ hours: 1, minutes: 1 })
    await read()
    expect((await sync(id, 'history'))?.read_to).toBe(addDays(before ?? '', -4))
  })
})

describe('what a platform refuses', () => {
  it('is told once where rights are missing, and read again after a new sign-in', async () => {
    const id = await channelOf('youtube')
    account = {
      ...byDay(() => ({ kind: 'rights', missing: ['analytics'] })),
      snapshot: async () => ({ kind: 'rights', missing: ['analytics'] }),
    }
    await read({}, 'youtube')
    expect(await sync(id)).toMatchObject({ state: 'rights', next_at: null, problem: { code: 'figures-need-rights' } })
    const calls = asked.length
    app.clock.advance({ days: 3 })
    await read({}, 'youtube')
    expect(asked).toHaveLength(calls)
    await app.database.owner.query('update channel set connected_at = $2 where id = $1', [id, app.clock.now()])
    account = byDay((range) => ({ kind: 'series', days: everyDay(range, () => ({ views: 3 })) }))
    await read({}, 'youtube')
    expect(await sync(id)).toMatchObject({ state: 'done', problem: null })
  })

  it('is tried again later and later, and holds up no other channel', async () => {
    const slow = await channelOf('facebook')
    const fine = await channelOf('facebook')
    const { rows } = await app.database.owner.query<{ remote_id: string }>(
      'select remote_id from channel where id = $1',
      [slow],
    )
    account = {
      snapshot: async (_reach, _secret, { remoteId }) =>
        remoteId === rows[0]?.remote_id
          ? { kind: 'retry', afterSeconds: 7200, reason: because('slow-down', { platform: 'Facebook' }) }
          : { kind: 'snapshot', figures: { followers: 5 } },
    }
    await read()
    expect(await sync(slow)).toMatchObject({
      state: 'late',
      next_at: new Date(app.clock.now().getTime() + 7_200_000),
      problem: { code: 'slow-down' },
    })
    expect(await stored(fine, 'followers')).toHaveLength(1)
  })

  it('costs nothing until an admin sets a limit, and never more than it', async () => {
    const id = await channelOf('x')
    let calls = 0
    account = {
      snapshot: async () => {
        calls += 1
        return { kind: 'snapshot', figures: { followers: 9 } }
      },
    }
    await read({}, 'x')
    expect(calls).toBe(0)
    expect(await sync(id)).toMatchObject({ state: 'off', problem: { code: 'inbox-spending-off' } })
    await app.call(
      setPlatformCost,
      { params: { orgId: home.orgId }, body: { platformName: 'x', monthlyLimit: 1 } },
      { as: home.person },
    )
    await read({}, 'x')
    expect(calls).toBe(1)
    const { rows } = await app.database.owner.query('select spent::int from inbox_cost where org_id = $1', [home.orgId])
    expect(rows).toEqual([{ spent: 10_000 }])
    await app.database.owner.query('update inbox_cost set spent = monthly_limit where org_id = $1', [home.orgId])
    app.clock.advance({ hours: 24 })
    await read({}, 'x')
    expect(calls).toBe(1)
    expect(await sync(id)).toMatchObject({ state: 'late', problem: { code: 'inbox-spending-used-up' } })
  })
})

describe('what may not be kept', () => {
  it('is deleted after as many days as the terms allow, and never looks like a gain afterwards', async () => {
    const id = await contentOn(app.parts).channel(home)
    const posts = postsOn(app, app.database)
    const postId = await posts.post(home, id, { schedule: NOW })
    await posts.put(postId, 'PUBLISHED', { remote_id: 'v1', published_at: app.clock.now() })
    await app.database.owner.query("update channel set platform = 'youtube' where id = $1", [id])
    const reading = (days: number, views: number) =>
      app.database.owner.query(
        'insert into post_metric (org_id, post_id, figures, read_at) select org_id, id, $3, $2 from post where id = $1',
        [postId, new Date(app.clock.now().getTime() - days * 86_400_000), JSON.stringify({ views })],
      )
    for (const [days, views] of [
      [40, 100],
      [31, 150],
      [20, 400],
      [1, 450],
    ] as const)
      await reading(days, views)
    const keep = (day: string, at: Date) =>
      app.database.owner.query(
        "insert into channel_figure (org_id, channel_id, day, name, value, read_at) values ($1, $2, $3, 'views', 1, $4)",
        [home.orgId, id, day, at],
      )
    await keep('2026-01-01', new Date(app.clock.now().getTime() - 31 * 86_400_000))
    await keep('2026-01-02', new Date(app.clock.now().getTime() - 29 * 86_400_000))
    const gained = async () =>
      (
        await app.database.owner.query<{ gain: number }>(
          `select coalesce(sum(gain), 0)::int as gain from ${gainedDays} where channel_id = $1 and name = 'views'`,
          [id],
        )
      ).rows[0]?.gain
    const forget = (accepted: PlatformKey[]) =>
      forgetFigures({ databases: app.parts.databases, clock: app.clock }, accepted)
    expect(await gained()).toBe(450)
    expect(await forget(['youtube'])).toBe(0)
    expect(await forget([])).toBe(3)
    expect(await gained()).toBe(50)
    expect(await stored(id)).toEqual([{ day: '2026-01-02', value: 1 }])
    expect(await forget([])).toBe(0)
    await app.database.owner.query('select recount_project($1, $2)', [home.orgId, home.projectId])
    expect(await gained()).toBe(50)
  })
})

it('is deleted for each organization alone, whatever another one has stored', async () => {
  const [home, other] = [await app.signedInOwner(), await app.signedInOwner()]
  const content = contentOn(app.parts)
  const old = new Date(app.clock.now().getTime() - 31 * 86_400_000)
  const { owner } = app.database
  for (const one of [home, other]) {
    const id = await content.channel(one, { handle: `@${one.orgId}.example` })
    await owner.query("update channel set platform = 'youtube' where id = $1", [id])
    await owner.query(
      "insert into channel_figure (org_id, channel_id, day, name, value, read_at) values ($1, $2, '2026-01-01', 'views', 1, $3)",
      [one.orgId, id, old],
    )
  }
  await owner.query(
    `create function refuse() returns trigger language plpgsql as $$ begin if old.org_id = '${home.orgId}' then raise 'broken'; end if; return old; end $$`,
  )
  await owner.query('create trigger refuse before delete on channel_figure for each row execute function refuse()')
  try {
    const context = { databases: app.parts.databases, clock: app.clock, log: quietLog }
    expect(await forgetFigures(context, [])).toBe(1)
  } finally {
    await owner.query('drop function refuse cascade')
  }
  const left = await owner.query('select org_id from channel_figure where org_id = any($1)', [
    [home.orgId, other.orgId],
  ])
  expect(left.rows).toEqual([{ org_id: home.orgId }])
})

const { runs, seed, timeout } = modelRuns('accounts model')
it(
  'has the last value that the platform reported of each day, after any readings, corrections and refusals',
  { timeout },
  async () => {
    const step = fc.record({
      hours: fc.integer({ min: 1, max: 40 }),
      refused: fc.boolean(),
      told: fc.array(fc.option(fc.nat(1000)), { minLength: 8, maxLength: 8 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
        await app.database.owner.query('delete from insight_sync')
        await app.database.owner.query("update channel set status = 'DISCONNECTED'")
        const id = await channelOf('facebook')
        const model = new Map<string, number>()
        for (const { hours, refused, told } of steps) {
          app.clock.advance({ hours })
          account = byDay((range) => {
            if (refused) return { kind: 'unknown', reason: because('slow-down', { platform: 'Facebook' }) }
            const days = everyDay(range, (day) => {
              const value = told[numberOf(day) % told.length]
              return value === null || value === undefined ? {} : { views: value }
            })
            const isHistory = range.to < addDays(app.clock.now().toISOString().slice(0, 10), -2)
            for (const { day, figures } of days)
              if (figures.views !== undefined && !(isHistory && model.has(day))) model.set(day, figures.views)
            return { kind: 'series', days }
          }, 40)
          await read()
        }
        expect(new Map((await stored(id)).map(({ day, value }) => [day, value]))).toEqual(model)
      }),
      { numRuns: runs, seed },
    )
  },
)
