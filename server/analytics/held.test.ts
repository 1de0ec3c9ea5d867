import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insightsChannels, insightsSeries, insightsSummary } from '#contract/analytics/overview.ts'
import { foldCounts } from '../dashboard/fold.ts'
import { contentOn } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import { modelRuns } from '../testing/modelRuns.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import { taxonomyOn } from '../testing/taxonomy.ts'
import { teamOn } from '../testing/team.ts'

/* Figures that are sent again while nothing that they are worked out from has changed, nor the day, nor what the plan includes. */

let app: TestApp
/** Another node on the same database, which holds nothing. */
let fresh: TestApp
let figures: ReturnType<typeof figuresOn>
beforeAll(async () => {
  app = await startApp()
  fresh = await startApp({ database: app.database, http: { heldReplyBytes: 0 } })
  figures = figuresOn(app.database)
})
afterAll(async () => {
  await fresh.close()
  await app.close()
})

type Place = { home: TestHome; editor: TestPerson; channels: string[]; posts: string[]; labelId: string }
let at: Place
beforeEach(async () => {
  at = await place()
})

async function place(): Promise<Place> {
  for (const node of [app, fresh]) node.clock.set(TEST_NOW)
  const home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  const content = contentOn(app.parts)
  const channels = [
    await content.channel(home, { platform: 'facebook', handle: '@page' }),
    await content.channel(home, { platform: 'x', handle: '@x' }),
    await content.channel(home, { platform: 'linkedin', handle: '@in' }),
  ]
  await sql("update channel set connected_at = '2020-01-01' where id = any($1)", [channels])
  const posts: string[] = []
  for (const [i, channelId] of channels.entries())
    posts.push(await figures.published(home, channelId, `2026-11-1${i}T12:00:00Z`))
  const editor = await app.colleague(home, 'editor', { channelIds: channels.slice(0, 2) })
  return { home, editor, channels, posts, labelId: await taxonomyOn(app).label(home) }
}

const sql = (text: string, values: unknown[] = []) => app.database.owner.query(text, values)
const week = { from: '2026-11-15', to: '2026-11-21', compareFrom: '2026-11-08', compareTo: '2026-11-14' }
const names = 'viewsAndImpressions,engagements,reactions,followers,clicks,comments'

type Ask = (
  node: TestApp,
  place: Place,
  as: TestPerson,
  headers?: Record<string, string>,
) => ReturnType<TestApp['send']>
const summary: Ask = (node, { home: { params } }, as, headers = {}) =>
  node.send(
    insightsSummary,
    { params, query: { ...week, names: `${names},published`, byPlatform: names } },
    { as, headers },
  )
const asked: Record<string, Ask> = {
  summary,
  labeled: (node, { home: { params }, labelId }, as, headers = {}) =>
    node.send(insightsSummary, { params, query: { ...week, labelId } }, { as, headers }),
  series: (node, { home: { params } }, as, headers = {}) =>
    node.send(
      insightsSeries,
      { params, query: { from: week.from, to: week.to, names, by: 'platform' } },
      { as, headers },
    ),
  channels: (node, { home: { params } }, as, headers = {}) =>
    node.send(insightsChannels, { params, query: { ...week, names } }, { as, headers }),
}

/** What can happen, given two numbers. */
const acts: Record<string, (place: Place, n: number, m: number) => Promise<unknown>> = {
  read: (place, n, m) =>
    figures.reading(pick(place.posts, n), `2026-11-${10 + (m % 11)}T15:00:00Z`, { views: m, reactions: n, clicks: 1 }),
  readAgain: (place, n, m) =>
    sql(`update post_metric set figures = '{"views": ${m}}' where post_id = $1`, [pick(place.posts, n)]),
  forget: (place, n) => sql('delete from post_metric where post_id = $1', [pick(place.posts, n)]),
  day: (place, n, m) =>
    figures.channelDay(pick(place.channels, n), `2026-11-${10 + (m % 11)}`, { views: m, followers: 100 + n }),
  forgetDays: (place, n) => sql('delete from channel_figure where channel_id = $1', [pick(place.channels, n)]),
  publish: async (place, n, m) =>
    place.posts.push(
      await figures.published(place.home, pick(place.channels, n), `2026-11-${10 + (m % 11)}T09:00:00Z`),
    ),
  elsewhere: async (place, n, m) =>
    place.posts.push(
      await figures.elsewhere(place.home, pick(place.channels, n), `2026-11-${10 + (m % 11)}T10:00:00Z`),
    ),
  unpublish: (place, n) => sql("update post set state = 'DELETED' where id = $1", [pick(place.posts, n)]),
  remove: (place, n) => sql('delete from measured_post where id = $1 and elsewhere', [pick(place.posts, n)]),
  sync: (place, n, m) =>
    sql(
      `insert into insight_sync (org_id, channel_id, kind, state, read_at) values ($1, $2, 'days', $3, now())
       on conflict (org_id, channel_id, kind) do update set state = excluded.state`,
      [place.home.orgId, pick(place.channels, n), ['done', 'off', 'rights'][m % 3]],
    ),
  disconnect: (place, n, m) =>
    sql('update channel set status = $2, name = $3 where id = $1', [
      pick(place.channels, n),
      m % 2 ? 'CONNECTED' : 'DISCONNECTED',
      `Channel ${m}`,
    ]),
  label: (place, n) =>
    sql('insert into post_label select org_id, id, $2 from post where id = $1 on conflict do nothing', [
      pick(place.posts, n),
      place.labelId,
    ]).then(() =>
      sql("insert into event (at, org_id, project_id, kind, ref) values (now(), $1, $2, 'post', $3)", [
        place.home.orgId,
        place.home.projectId,
        pick(place.posts, n),
      ]),
    ),
  click: (place, n, m) =>
    sql(
      `insert into post_click (org_id, post_id, name, day, n, told) select org_id, id, 'shortLinkClicks', '2026-11-16', $2, $2 from measured_post where id = $1
       on conflict (org_id, post_id, name, day) do update set n = post_click.n + 1`,
      [pick(place.posts, n), m],
    ),
  fold: () => foldCounts({ databases: app.parts.databases, signal: new AbortController().signal }),
  wait: async () => {
    for (const node of [app, fresh]) node.clock.advance({ hours: 9 })
  },
  zone: (place, n) =>
    sql('update project set zone = $2 where id = $1', [place.home.projectId, n % 2 ? 'Asia/Tokyo' : 'Europe/London']),
  plan: (place, n) => teamOn(app).plan(place.home, n % 3 === 0 ? 'free' : 'team'),
}
/** A refusal has an ID of its own. */
const shown = ({ statusCode, body }: Awaited<ReturnType<Ask>>) => [statusCode, statusCode === 200 ? body : '']
const pick = (from: readonly string[], n: number): string => from[n % from.length] ?? ''

const { runs, seed, timeout } = modelRuns('held figures')

describe('figures that were read before', () => {
  it(
    'are those that are read now, whatever happened, byte for byte',
    async () => {
      const anAct = fc.tuple(fc.constantFrom(...Object.keys(acts)), fc.nat(60), fc.nat(60))
      const someRounds = fc.array(fc.array(anAct, { maxLength: 3 }), { minLength: 4, maxLength: 14 })
      await fc.assert(fc.asyncProperty(someRounds, playRounds), { numRuns: runs, seed })
    },
    timeout,
  )

  async function playRounds(rounds: (readonly [string, number, number])[][]): Promise<void> {
    const here = await place()
    const last = new Map<string, { tag: string; body: string }>()
    for (const round of rounds) {
      for (const [name, n, m] of round) await acts[name]?.(here, n, m)
      for (const as of [here.home.person, here.editor])
        for (const [name, ask] of Object.entries(asked)) {
          const now = await ask(fresh, here, as)
          const held = await ask(app, here, as)
          expect(shown(held), name).toEqual(shown(now))
          const before = last.get(as.personId + name)
          const known = before && (await ask(app, here, as, { 'if-none-match': before.tag }))
          if (known?.statusCode === 304) expect(before?.body, name).toBe(now.body)
          last.set(as.personId + name, { tag: String(held.headers.etag), body: held.body })
        }
    }
  }

  it('are sent again, and 304 to who has them, until something changes', async () => {
    for (const ask of Object.values(asked)) {
      const first = await ask(app, at, at.home.person)
      expect(first.statusCode).toBe(200)
      const again = await ask(app, at, at.home.person)
      expect(again.body).toBe(first.body)
      const headers = { 'if-none-match': String(again.headers.etag) }
      expect((await ask(app, at, at.home.person, headers)).statusCode).toBe(304)
      await figures.channelDay(pick(at.channels, 0), '2026-11-16', { views: 7 })
      expect((await ask(app, at, at.home.person, headers)).statusCode).toBe(200)
    }
  })

  it("aren't another's: of another day, with fewer channels, of a plan without insights, or of another project", async () => {
    const ask = (as: TestPerson, headers = {}) => summary(app, at, as, headers)
    const headers = { 'if-none-match': String((await ask(at.home.person)).headers.etag) }
    expect((await ask(at.home.person, headers)).statusCode).toBe(304)
    expect((await ask(at.editor, headers)).statusCode).toBe(200)
    app.clock.advance({ hours: 20 })
    expect((await ask(at.home.person, headers)).statusCode).toBe(200)
    const next = { 'if-none-match': String((await ask(at.home.person)).headers.etag) }
    await teamOn(app).plan(at.home, 'free')
    const refused = await ask(at.home.person, next)
    expect([refused.statusCode, refused.json()]).toMatchObject([402, { code: 'PLAN_LIMIT' }])
    const stranger = await app.signedInOwner()
    expect((await ask(stranger.person, next)).statusCode).toBe(404)
  })

  it("aren't read again because of readings in another project", async () => {
    const headers = { 'if-none-match': String((await summary(app, at, at.home.person)).headers.etag) }
    const other = await place()
    await figures.reading(pick(other.posts, 0), '2026-11-16T12:00:00Z', { views: 5 })
    expect((await summary(app, at, at.home.person, headers)).statusCode).toBe(304)
  })
})
