import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { insightsCampaigns } from '#contract/analytics/compared.ts'
import { engagementNames, viewNames } from '#contract/analytics/names.ts'
import { insightsChannels, insightsSeries, insightsSummary } from '#contract/analytics/overview.ts'
import { insightsPosts } from '#contract/analytics/posts.ts'
import { foldCounts } from '../dashboard/fold.ts'
import { contentOn } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import { gainByDay } from '../testing/gainByDay.ts'
import { modelRuns } from '../testing/modelRuns.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import { taxonomyOn } from '../testing/taxonomy.ts'
import { teamOn } from '../testing/team.ts'

/*
 * Whatever is published, read, corrected, deleted and filtered: every total, line, row and comparison equals a plain recount of
 * the readings, to the unit, for an admin and for a role with some channels.
 */
let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const FROM = '2026-11-10'
const TO = '2026-11-20'
const BEFORE = { from: '2026-10-31', to: '2026-11-09' }
const names = ['views', 'impressions', 'reactions', 'comments', 'shares', 'saves', 'clicks'] as const
const told = fc.record(Object.fromEntries(names.map((name) => [name, fc.option(fc.nat(500))])))
const nat = fc.nat(20)
const hours = fc.nat(500)
const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('publish' as const), channel: fc.nat(3), hours }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('find' as const), channel: fc.nat(3), hours }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('recognize' as const), post: nat, hours }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('read' as const), post: nat, hours, told }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('forget' as const), post: nat }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), post: nat }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const), post: nat }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('erase' as const), post: nat }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move' as const), post: nat, hours }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('join' as const), post: nat, campaign: fc.nat(1) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('day' as const), channel: fc.nat(3), hours, followers: fc.nat(900) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('zone' as const),
      zone: fc.constantFrom('Asia/Tokyo', 'America/New_York'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fold' as const) }) },
)
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

const instant = (after: number) => new Date(TEST_NOW.getTime() - after * 3_600_000).toISOString()

/** Does what the actions say. Returns the project, its channels and its campaigns. */
async function play(actions: readonly Action[]) {
  const { owner } = app.database
  const home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  const content = contentOn(app.parts)
  const taxonomy = taxonomyOn(app)
  const figures = figuresOn(app.database)
  const channels: string[] = []
  for (const platform of ['facebook', 'facebook', 'x', 'youtube'] as const)
    channels.push(await content.channel(home, { platform }))
  const campaigns = [await taxonomy.campaign(home), await taxonomy.campaign(home)]
  const posts: string[] = []
  for (const act of actions) {
    if (act.kind === 'publish')
      posts.push(await figures.published(home, channels[act.channel] ?? '', instant(act.hours)))
    else if (act.kind === 'find')
      posts.push(await figures.elsewhere(home, channels[act.channel] ?? '', instant(act.hours)))
    else if (act.kind === 'day')
      await figures.channelDay(channels[act.channel] ?? '', instant(act.hours).slice(0, 10), {
        followers: act.followers,
        reach: act.followers,
        profileViews: act.followers,
      })
    else if (act.kind === 'zone')
      await owner.query('update project set zone = $2 where id = $1', [home.projectId, act.zone])
    else if (act.kind === 'fold')
      await foldCounts({ databases: app.parts.databases, signal: new AbortController().signal })
    else {
      const post = posts[act.post % Math.max(1, posts.length)]
      if (post === undefined) continue
      const { rows } = await owner.query<{ channel_id: string; remote_id: string; elsewhere: boolean }>(
        'select channel_id, remote_id, elsewhere from measured_post where id = $1',
        [post],
      )
      const [measured] = rows
      if (!measured) continue
      if (act.kind === 'recognize') {
        // what was found on the platform turns out to be a post of ours
        if (measured.elsewhere)
          posts[posts.indexOf(post)] = await figures.published(home, measured.channel_id, instant(act.hours), {
            remoteId: measured.remote_id,
          })
      } else if (act.kind === 'read') await figures.reading(post, instant(act.hours), act.told)
      else if (act.kind === 'forget')
        await owner.query(
          'delete from post_metric where post_id = $1 and read_at = (select min(read_at) from post_metric where post_id = $1)',
          [post],
        )
      else if (act.kind === 'delete') await owner.query("update post set state = 'DELETED' where id = $1", [post])
      else if (act.kind === 'restore') await owner.query("update post set state = 'PUBLISHED' where id = $1", [post])
      else if (act.kind === 'erase') await owner.query('delete from post_metric where post_id = $1', [post])
      else if (act.kind === 'move')
        await owner.query(`update ${measured.elsewhere ? 'measured_post' : 'post'} set shown_at = $2 where id = $1`, [
          post,
          instant(act.hours),
        ])
      else if (!measured.elsewhere)
        await owner.query(
          'insert into post_campaign (org_id, post_id, campaign_id) values ($1, $2, $3) on conflict do nothing',
          [home.orgId, post, campaigns[act.campaign]],
        )
    }
  }
  return { home, channels, campaigns }
}

type Figures = Record<string, number>
type Post = {
  id: string
  channel: string
  isPublished: boolean
  day: string
  at: string
  campaigns: string[]
  latest: Figures
  gains: { day: string; name: string; gain: number }[]
}

/** Ours, and those published elsewhere. */
const ALL = `select id, project_id, channel_id, state, shown_at from post
  union all select id, project_id, channel_id, 'PUBLISHED', shown_at from measured_post where elsewhere`

/** The project's posts and channels' days as they lie in the tables, with what each reading gained. */
async function recount({ projectId }: TestHome) {
  const { owner } = app.database
  const { rows: posts } = await owner.query<{
    id: string
    channel: string
    state: string
    day: string
    at: string
    campaigns: string[]
  }>(
    `select p.id, p.channel_id as channel, p.state, (p.shown_at at time zone pr.zone)::date::text as day, p.shown_at::text as at,
       array(select campaign_id::text from post_campaign x where x.post_id = p.id) as campaigns
     from (${ALL}) p join project pr on pr.id = p.project_id where p.project_id = $1`,
    [projectId],
  )
  const { rows: readings } = await owner.query<{
    post_id: string
    at: Date
    since: Date | null
    zone: string
    figures: Record<string, number | null>
  }>(
    `select m.post_id, m.read_at as at, m.since, pr.zone, m.figures from post_metric m join (${ALL}) p on p.id = m.post_id join project pr on pr.id = p.project_id
     where p.project_id = $1 order by m.post_id, m.read_at`,
    [projectId],
  )
  const { rows: days } = await owner.query<{ channel: string; day: string; name: string; value: number }>(
    'select f.channel_id as channel, f.day::text as day, f.name, f.value::int as value from channel_figure f join channel ch on ch.id = f.channel_id where ch.project_id = $1 order by f.day',
    [projectId],
  )
  return {
    days,
    posts: posts.map(({ state, ...post }): Post => {
      const latest: Figures = {}
      const gains: Post['gains'] = []
      const readAt = new Map<string, Date>()
      for (const { at, since, zone, figures } of readings.filter(({ post_id: id }) => id === post.id))
        for (const [name, value] of Object.entries(figures)) {
          if (value === null) continue
          const gain = value - (latest[name] ?? 0)
          for (const { day, part } of gainByDay(readAt.get(name) ?? since, at, gain, zone))
            gains.push({ day, name, gain: part })
          latest[name] = value
          readAt.set(name, at)
        }
      return { ...post, isPublished: state === 'PUBLISHED', latest, gains }
    }),
  }
}

const within = (day: string, { from, to }: { from: string; to: string }) => day >= from && day <= to
const range = { from: FROM, to: TO }
const sum = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((a, b) => a + b, 0)
const partsOf = (name: string): readonly string[] =>
  name === 'viewsAndImpressions' ? viewNames : name === 'engagements' ? engagementNames : [name]
const gained = (posts: readonly Post[], name: string, days: { from: string; to: string }) =>
  sum(
    posts.flatMap(({ gains }) =>
      gains.filter((one) => partsOf(name).includes(one.name) && within(one.day, days)).map(({ gain }) => gain),
    ),
  )
const toldOf = ({ latest }: Post, name: string) => sum(partsOf(name).flatMap((part) => latest[part] ?? []))
const rated = (posts: readonly Post[]) => {
  const both = posts.flatMap((post) => {
    const [part, whole] = [toldOf(post, 'engagements'), toldOf(post, 'viewsAndImpressions')]
    return part === null || whole === null || whole === 0 ? [] : [{ part, whole }]
  })
  const whole = sum(both.map((one) => one.whole))
  return whole === null ? null : Math.round(((sum(both.map((one) => one.part)) ?? 0) / whole) * 10_000) / 100
}

async function check(
  world: Awaited<ReturnType<typeof play>>,
  as: TestPerson,
  visible: readonly string[],
): Promise<void> {
  const { home, channels, campaigns } = world
  const all = await recount(home)
  const youtube = channels[3]
  const posts = all.posts.filter(({ channel }) => visible.includes(channel))
  const added = posts.filter(({ channel }) => channel !== youtube)
  const days = all.days.filter(({ channel }) => visible.includes(channel) && channel !== youtube)
  const published = (list: readonly Post[], of: { from: string; to: string }) =>
    list.filter((post) => post.isPublished && within(post.day, of))
  const query = { ...range, compareFrom: BEFORE.from, compareTo: BEFORE.to }
  const at = { params: home.params, query }
  const summary = await app.call(insightsSummary, at, { as })
  const card = (name: string, subject = 'post') => {
    const found = summary.cards.find((one) => one.name === name && one.subject === subject)
    return [found?.value ?? null, found?.before ?? null]
  }
  for (const name of [...names, 'viewsAndImpressions', 'engagements'])
    expect(card(name), name).toEqual([gained(added, name, range), gained(added, name, BEFORE)])
  expect(card('published')).toEqual([published(posts, range).length, published(posts, BEFORE).length])
  expect(card('engagementRate')).toEqual([rated(published(added, range)), rated(published(added, BEFORE))])
  const apart = summary.apart.flatMap(({ figures }) =>
    figures.filter(({ subject }) => subject === 'post').map(({ name, value }) => [name, value]),
  )
  const film = posts.filter(({ channel }) => channel === youtube)
  const tellsBoth = (name: string) => gained(film, name, range) !== null || gained(film, name, BEFORE) !== null
  expect(new Map(apart as [string, number | null][])).toEqual(
    new Map(names.filter(tellsBoth).map((name) => [name, gained(film, name, range)])),
  )
  // levels: the last value of each channel; what adds up: all days
  const last = (days_: { from: string; to: string }) =>
    sum(
      channels.flatMap((id) =>
        days
          .filter((one) => one.channel === id && one.name === 'followers' && within(one.day, days_))
          .map(({ value }) => value)
          .slice(-1),
      ),
    )
  expect(card('followers', 'channel')).toEqual([last(range), last(BEFORE)])
  expect(card('profileViews', 'channel')[0]).toEqual(
    sum(days.filter((one) => one.name === 'profileViews' && within(one.day, range)).map(({ value }) => value)),
  )
  expect(summary.cards.some(({ name }) => name === 'reach')).toBe(false)

  const series = await app.call(
    insightsSeries,
    { params: home.params, query: { ...range, names: ['engagements', 'published'], by: 'total' } },
    { as },
  )
  for (const [i, day] of series.days.entries()) {
    const of = (name: string) => series.series.find((line) => line.name === name)?.values[i] ?? null
    expect(of('engagements'), day).toBe(gained(added, 'engagements', { from: day, to: day }))
    expect(of('published') ?? 0, day).toBe(published(posts, { from: day, to: day }).length)
  }
  const rows = await app.call(insightsChannels, at, { as })
  expect(rows.channels.map(({ channelId }) => channelId).toSorted()).toEqual([...visible].toSorted())
  for (const { channelId, figures } of rows.channels)
    for (const name of names)
      expect(figures.find((one) => one.name === name && one.subject === 'post')?.value ?? null).toBe(
        gained(
          posts.filter(({ channel }) => channel === channelId),
          name,
          range,
        ),
      )

  const table: string[] = []
  for (let cursor: string | undefined; ;) {
    const page = await app.call(
      insightsPosts,
      { params: home.params, query: { ...range, sort: 'reactions', limit: 3, cursor } },
      { as },
    )
    for (const row of page.posts) {
      const post = posts.find(({ id }) => id === row.postId)
      expect(
        Object.fromEntries(Object.entries(row.figures).filter(([name]) => names.some((one) => one === name))),
      ).toEqual(post?.latest)
    }
    table.push(...page.posts.map(({ postId }) => postId))
    if (page.next === null) break
    cursor = page.next
  }
  const listed = published(posts, range)
  const ranked = listed.filter((post) => post.channel !== youtube && post.latest['reactions'] !== undefined)
  const others = listed.filter((post) => !ranked.includes(post))
  const newest = (a: Post, b: Post) => (a.at === b.at ? (a.id < b.id ? 1 : -1) : a.at < b.at ? 1 : -1)
  ranked.sort((a, b) => (b.latest['reactions'] ?? 0) - (a.latest['reactions'] ?? 0) || (a.id < b.id ? 1 : -1))
  expect(table).toEqual([...ranked, ...others.toSorted(newest)].map(({ id }) => id))

  const { groups } = await app.call(
    insightsCampaigns,
    { params: home.params, query: { ...query, ids: campaigns } },
    { as },
  )
  for (const { id, posts: count, postsBefore, figures } of groups) {
    const own = posts.filter((post) => post.campaigns.includes(id))
    expect([count, postsBefore]).toEqual([published(own, range).length, published(own, BEFORE).length])
    const summed = published(own, range).filter(({ channel }) => channel !== youtube)
    for (const name of names)
      expect(figures.find((one) => one.name === name)?.value ?? null).toBe(
        sum(summed.flatMap(({ latest }) => latest[name] ?? [])),
      )
    expect(figures.find((one) => one.name === 'engagementRate')?.value ?? null).toBe(rated(summed))
  }
  // the posts of a campaign, from their readings
  const filtered = await app.call(
    insightsSummary,
    { params: home.params, query: { ...query, campaignId: campaigns[0] } },
    { as },
  )
  const inFirst = added.filter((post) => post.campaigns.includes(campaigns[0] ?? ''))
  for (const name of names) {
    const found = filtered.cards.find((one) => one.name === name)
    expect([found?.value ?? null, found?.before ?? null], name).toEqual([
      gained(inFirst, name, range),
      gained(inFirst, name, BEFORE),
    ])
  }
}

const { runs, seed, timeout } = modelRuns('analytics model')
it('equals a plain recount of the readings', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 15, maxLength: 45 }), async (actions) => {
      app.clock.set(TEST_NOW)
      const world = await play(actions)
      await check(world, world.home.person, world.channels)
      const bound = await app.colleague(world.home, 'editor', { channelIds: world.channels.slice(1, 3) })
      await check(world, bound, world.channels.slice(1, 3))
    }),
    { numRuns: runs, seed, endOnFailure: true },
  )
})
