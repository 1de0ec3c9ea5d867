import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { summedPostFigures } from '#contract/analytics/catalog/catalog.ts'
import { deletePost, reschedulePost, restorePost } from '#contract/posts.ts'
import { postStates } from '#contract/postStates.ts'
import { contentOn } from '../testing/content.ts'
import { gainByDay } from '../testing/gainByDay.ts'
import { modelRuns, timeoutFor } from '../testing/modelRuns.ts'
import { postsOn } from '../testing/posts.ts'
import { gainedDays } from '../testing/figures.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import { foldCounts } from './fold.ts'

/*
 * Whatever happens to posts and their metrics, in any order: the counts equal a plain recount of posts and readings,
 * for every project, day, status and channel.
 */
let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const nat = fc.nat(9)
const action = fc.oneof(
  fc.record({ kind: fc.constant('submit'), hours: fc.nat(400) }),
  fc.record({ kind: fc.constant('draft'), post: nat }),
  fc.record({ kind: fc.constant('move'), post: nat, hours: fc.nat(400) }),
  fc.record({ kind: fc.constant('delete'), post: nat }),
  fc.record({ kind: fc.constant('restore'), post: nat }),
  fc.record({ kind: fc.constant('state'), post: nat, state: fc.constantFrom(...postStates) }),
  fc.record({
    kind: fc.constant('read'),
    post: nat,
    hours: fc.nat(400),
    figures: fc.record({
      views: fc.option(fc.nat(900)),
      impressions: fc.option(fc.nat(900)),
      // never added over days
      reach: fc.option(fc.nat(500)),
      reactions: fc.option(fc.nat(90)),
      comments: fc.option(fc.nat(9)),
      shares: fc.constant(null),
    }),
  }),
  fc.record({
    kind: fc.constant('readAll'),
    figures: fc.array(fc.record({ post: nat, hours: fc.nat(400), impressions: fc.nat(900) }), {
      minLength: 2,
      maxLength: 6,
    }),
  }),
  fc.record({ kind: fc.constant('forget'), post: nat }),
  fc.record({ kind: fc.constant('expire'), post: nat }),
  fc.record({ kind: fc.constant('erase'), post: nat }),
  fc.record({
    kind: fc.constant('zone'),
    zone: fc.constantFrom('Europe/London', 'Asia/Tokyo', 'America/New_York', 'Asia/Kolkata'),
  }),
  fc.constant({ kind: 'fold' }),
)
type Action = { kind: string; post?: number; hours?: number; state?: string; zone?: string; figures?: unknown }

const instant = (hours = 0) => new Date(TEST_NOW.getTime() + (hours + 2) * 3_600_000)
const READ =
  "insert into post_metric (org_id, post_id, figures, read_at, since) select p.org_id, p.id, r.figures, r.at, r.at - interval '50 hours' from unnest($1::uuid[], $2::timestamptz[], $3::jsonb[]) r(id, at, figures) join measured_post p on p.id = r.id"
const KEEP = `${READ} on conflict (org_id, post_id, read_at) do update set figures = excluded.figures`

async function play(actions: readonly Action[], tally: Map<string, number>): Promise<void> {
  const { owner } = app.database
  const home = await app.signedInOwner()
  await owner.query("update plan set plan_id = 'team', status = 'ACTIVE', trial_ends_at = null where org_id = $1", [
    home.orgId,
  ])
  const content = contentOn(app.parts)
  const channels = [await content.channel(home), await content.channel(home)]
  const posts = postsOn(app, app.database)
  const ids: string[] = []
  const deleted: string[] = []
  // only what was published is read
  const publish = (of: readonly (string | undefined)[]) =>
    owner.query(
      "update post set state = 'PUBLISHED', channel_id = coalesce(channel_id, $2) where id = any($1) and not exists (select from measured_post m where m.id = post.id and m.channel_id = post.channel_id)",
      [of, channels[0]],
    )
  const count = (what: string) => void tally.set(what, (tally.get(what) ?? 0) + 1)
  for (const act of actions) {
    const postId = ids[(act.post ?? 0) % Math.max(1, ids.length)] ?? ''
    const params = { ...home.params, postId }
    const schedule = {
      type: 'ONCE' as const,
      details: { utc: instant(act.hours).toISOString(), timezone: 'Europe/London' },
    }
    if (act.kind !== 'submit' && act.kind !== 'fold' && act.kind !== 'zone' && !postId) continue
    let done = true
    if (act.kind === 'submit') ids.push(await posts.post(home, channels[ids.length % 2] ?? '', { schedule }))
    // a post with metrics was published, and stays on its channel
    else if (act.kind === 'draft')
      done =
        (
          await owner.query(
            "update post set state = 'DRAFTS', channel_id = null where id = $1 and not exists (select from post_metric m where m.post_id = post.id)",
            [postId],
          )
        ).rowCount === 1
    else if (act.kind === 'move')
      done = (await app.send(reschedulePost, { params, body: { schedule } }, { as: home.person })).statusCode === 200
    else if (act.kind === 'delete') {
      done = (await app.send(deletePost, { params }, { as: home.person })).statusCode === 200
      if (done) deleted.push(postId)
    } else if (act.kind === 'restore') {
      const restored = { ...params, postId: deleted.at(-1) ?? postId }
      done = (await app.send(restorePost, { params: restored }, { as: home.person })).statusCode === 200
    } else if (act.kind === 'state')
      await owner.query('update post set state = $2, channel_id = coalesce(channel_id, $3) where id = $1', [
        postId,
        act.state,
        channels[0],
      ])
    else if (act.kind === 'read') {
      await publish([postId])
      await owner.query(KEEP, [[postId], [instant(act.hours)], [JSON.stringify(act.figures)]])
    } else if (act.kind === 'readAll') {
      // many readings, also of one post, in one statement
      const wanted = act.figures as { post: number; hours: number; impressions: number }[] // created by the arbitrary above
      const days = new Map(
        wanted.map(({ post, hours, impressions }) => [
          `${post % ids.length} ${instant(hours).toISOString().slice(0, 10)}`,
          { id: ids[post % ids.length], at: instant(hours), figures: JSON.stringify({ impressions }) },
        ]),
      )
      const rows = [...days.values()]
      await publish(rows.map(({ id }) => id))
      await owner.query(`${READ} on conflict do nothing`, [
        rows.map(({ id }) => id),
        rows.map(({ at }) => at),
        rows.map(({ figures }) => figures),
      ])
    } else if (act.kind === 'forget')
      await owner.query(
        'delete from post_metric where post_id = $1 and read_at = (select min(read_at) from post_metric where post_id = $1)',
        [postId],
      )
    else if (act.kind === 'expire') {
      // the platform's terms require it: what is left no longer says what it gained
      await owner.query(
        'update post_metric set after_gap = true where post_id = $1 and read_at = (select min(read_at) from post_metric where post_id = $1 and read_at > (select min(read_at) from post_metric where post_id = $1))',
        [postId],
      )
      await owner.query(
        'delete from post_metric where post_id = $1 and read_at = (select min(read_at) from post_metric where post_id = $1)',
        [postId],
      )
    } else if (act.kind === 'erase') {
      await owner.query('delete from post_metric where post_id = $1', [postId])
      await owner.query('delete from post where id = $1', [postId])
      ids.splice(ids.indexOf(postId), 1)
    } else if (act.kind === 'zone')
      await owner.query('update project set zone = $2 where id = $1', [home.projectId, act.zone])
    else await foldCounts({ databases: app.database.databases, signal: new AbortController().signal })
    if (done) count(act.kind)
  }
  expect(await counted(home.projectId)).toEqual(await recounted(home.projectId))
  const gained = await readFigures(home.projectId)
  expect(gained).toEqual(await regained(home.projectId))
  if (gained.length > 0) count('gained')
  // starting the count over gives the same result
  await owner.query('select recount_project($1, $2)', [home.orgId, home.projectId])
  expect(await counted(home.projectId)).toEqual(await recounted(home.projectId))
  expect(await readFigures(home.projectId)).toEqual(gained)
}

const rowsOf = async (text: string, projectId: string): Promise<Record<string, unknown>[]> =>
  (await app.database.owner.query<Record<string, unknown>>(text, [projectId])).rows

const counted = (projectId: string) =>
  rowsOf(
    'select coalesce(channel_id, author_id)::text as whose, day::text, state, sum(n)::int as n from post_count where project_id = $1 group by 1, 2, 3 having sum(n) <> 0 order by 1, 2, 3',
    projectId,
  )
const recounted = (projectId: string) =>
  rowsOf(
    'select coalesce(p.channel_id, p.author_id)::text as whose, (p.shown_at at time zone pr.zone)::date::text as day, p.state, count(*)::int as n from post p join project pr on pr.id = p.project_id where p.project_id = $1 group by 1, 2, 3 order by 1, 2, 3',
    projectId,
  )

const readFigures = (projectId: string) =>
  rowsOf(
    `select channel_id as whose, day::text, name, sum(gain)::int as gain, sum(readings)::int as readings from ${gainedDays} where channel_id in (select id from channel where project_id = $1) group by 1, 2, 3 having sum(gain) <> 0 or sum(readings) <> 0 order by channel_id::text, 2, name collate "C"`,
    projectId,
  )

type Reading = {
  whose: string
  post_id: string
  read_at: Date
  since: Date | null
  zone: string
  figures: Record<string, unknown>
  after_gap: boolean
}

/** The same by hand: post by post, reading by reading, each metric against its previous reading, over the days between. */
async function regained(projectId: string) {
  const { rows } = await app.database.owner.query<Reading>(
    'select p.channel_id as whose, m.post_id, m.read_at, m.since, pr.zone, m.figures, m.after_gap from post_metric m join post p on p.id = m.post_id join project pr on pr.id = p.project_id where p.project_id = $1 and p.channel_id is not null order by m.post_id, m.read_at',
    [projectId],
  )
  const told = new Map<string, { value: number; at: Date }>()
  const lines = new Map<string, { whose: string; day: string; name: string; gain: number; readings: number }>()
  const add = (whose: string, day: string, name: string, gain: number) => {
    const key = `${whose} ${day} ${name}`
    const line = lines.get(key) ?? { whose, day, name, gain: 0, readings: 0 }
    lines.set(key, { ...line, gain: line.gain + gain, readings: line.readings + 1 })
  }
  for (const { whose, post_id: post, read_at: at, since, zone, figures, after_gap: isAfterGap } of rows) {
    for (const { day } of gainByDay(null, at, 1, zone)) add(whose, day, 'readings', 1)
    for (const name of summedPostFigures) {
      const value = figures[name]
      if (typeof value !== 'number') continue
      const before = told.get(`${post} ${name}`)
      // what was gained since a reading that had to be deleted isn't known
      if (before !== undefined || !isAfterGap)
        for (const { day, part } of gainByDay(before?.at ?? since, at, value - (before?.value ?? 0), zone))
          add(whose, day, name, part)
      told.set(`${post} ${name}`, { value, at })
    }
  }
  return [...lines.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line)
}

const { runs, seed, timeout } = modelRuns('dashboard model')
/** How many sequences may miss that a trigger is missing. */
const MOST = 60

describe('the counts', () => {
  it('equal a recount after random actions on posts and metrics', { timeout }, async () => {
    const tally = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 40 }), (actions) =>
        play([{ kind: 'submit', hours: 1 }, { kind: 'submit', hours: 30 }, ...actions], tally),
      ),
      { numRuns: runs, seed, endOnFailure: true },
    )
    expect(
      [
        'submit',
        'draft',
        'move',
        'delete',
        'restore',
        'state',
        'read',
        'readAll',
        'forget',
        'expire',
        'erase',
        'zone',
        'fold',
        'gained',
      ].filter((what) => !tally.has(what)),
    ).toEqual([])
  })

  it('reveal a missing trigger', { timeout: timeoutFor(MOST, 10_000) }, async () => {
    const sequences = fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 40 }), (actions) =>
      play([{ kind: 'submit', hours: 1 }, { kind: 'submit', hours: 30 }, ...actions], new Map()),
    )
    for (const [table, trigger] of [
      ['post', 'count_moved_posts'],
      ['post', 'count_lost_posts'],
      ['post_metric', 'count_figures_update'],
      ['post_metric', 'count_figures_delete'],
      ['project', 'recount_days'],
    ]) {
      await app.database.owner.query(`alter table ${table} disable trigger ${trigger}`)
      try {
        expect((await fc.check(sequences, { numRuns: MOST, seed, endOnFailure: true })).failed, trigger).toBe(true)
      } finally {
        await app.database.owner.query(`alter table ${table} enable trigger ${trigger}`)
      }
    }
  })
})

describe('changes at the same time', () => {
  it('neither wait for each other nor lose a count, with folding between them', async () => {
    const home = await app.signedInOwner()
    await app.database.owner.query(
      "update plan set plan_id = 'team', status = 'ACTIVE', trial_ends_at = null where org_id = $1",
      [home.orgId],
    )
    const channelId = await contentOn(app.parts).channel(home)
    const posts = postsOn(app, app.database)
    const fold = () => foldCounts({ databases: app.database.databases, signal: new AbortController().signal })
    const ids = await Promise.all(Array.from({ length: 12 }, () => posts.post(home, channelId)))
    const rounds = ['PUBLISHED', 'FAILED', 'SCHEDULED', 'PUBLISHED'] as const
    await Promise.all([
      ...ids.map(async (id) => {
        for (const state of rounds) await posts.put(id, state)
      }),
      fold(),
      fold(),
      fold(),
    ])
    await app.database.owner.query("update project set zone = 'Asia/Tokyo' where id = $1", [home.projectId])
    expect(await counted(home.projectId)).toEqual(await recounted(home.projectId))
    // one change keeps its day open; another of the same day succeeds in the meantime
    const [first, second] = [await app.database.owner.connect(), await app.database.owner.connect()]
    try {
      await first.query('begin')
      await first.query("update post set state = 'FAILED' where id = $1", [ids[0]])
      await second.query('begin')
      await second.query("set local lock_timeout = '2s'")
      await second.query("update post set state = 'FAILED' where id = $1", [ids[1]])
      await second.query('commit')
      await first.query('commit')
    } finally {
      first.release()
      second.release()
    }
    await fold()
    await fold()
    expect(await counted(home.projectId)).toEqual(await recounted(home.projectId))
    const { rows } = await app.database.owner.query(
      'select count(*)::int as n, count(distinct (channel_id, day, state))::int as kinds from post_count where project_id = $1',
      [home.projectId],
    )
    expect(rows[0].n).toBe(rows[0].kinds)
  })
})
