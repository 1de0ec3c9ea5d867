import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { insightsCampaigns } from '#contract/analytics/compared.ts'
import { engagementNames, viewNames } from '#contract/analytics/names.ts'
import { insightsChannels, insightsSeries, insightsSummary } from '#contract/analytics/overview.ts'
import { insightsPostMedians, insightsPosts } from '#contract/analytics/posts.ts'
import { foldCounts } from '../dashboard/fold.ts'
import { addDays, daysIn } from '../rangeDays.ts'
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
/** All posts of these days had a week; of the range, about half. */
const OLD = { from: '2026-11-07', to: '2026-11-13' }
const BEFORE_OLD = { from: '2026-10-31', to: '2026-11-06' }
const names = ['views', 'impressions', 'reactions', 'comments', 'shares', 'saves', 'clicks'] as const
const told = fc.record(Object.fromEntries(names.map((name) => [name, fc.option(fc.nat(500))])))
const nat = fc.nat(20)
const hours = fc.nat(500)
const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('publish' as const), channel: fc.nat(4), hours }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('find' as const), channel: fc.nat(4), hours }) },
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
    arbitrary: fc.record({
      kind: fc.constant('day' as const),
      channel: fc.nat(4),
      hours,
      count: fc.integer({ min: 1, max: 12 }),
      read: fc.integer({ min: 0, max: 4 }),
      followers: fc.nat(900),
      without: fc.constantFrom('none', 'views', 'interactions'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('zone' as const),
      zone: fc.constantFrom('Asia/Tokyo', 'America/New_York'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fold' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('connect' as const), channel: fc.nat(4), hours: fc.nat(700) }),
  },
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
  for (const platform of ['facebook', 'facebook', 'x', 'youtube', 'facebook'] as const)
    channels.push(await content.channel(home, { platform }))
  // unless an action says otherwise, all posts of these days are known
  await owner.query("update channel set connected_at = '2026-01-01' where org_id = $1", [home.orgId])
  const campaigns = [await taxonomy.campaign(home), await taxonomy.campaign(home)]
  const posts: string[] = []
  for (const act of actions) {
    if (act.kind === 'publish')
      posts.push(await figures.published(home, channels[act.channel] ?? '', instant(act.hours)))
    else if (act.kind === 'find')
      posts.push(await figures.elsewhere(home, channels[act.channel] ?? '', instant(act.hours)))
    else if (act.kind === 'day')
      for (let i = 0; i < act.count; i++) {
        const day = addDays(instant(act.hours).slice(0, 10), -i)
        const { [act.without]: _, ...told } = {
          none: 0,
          views: act.followers + i,
          interactions: i,
          profileViews: i % 3,
        }
        const { none: __, ...reported } = { none: 0, ...told }
        await figures.channelDay(
          channels[act.channel] ?? '',
          day,
          { followers: act.followers, reach: act.followers, ...reported },
          `${addDays(day, act.read)}T20:00:00Z`,
        )
      }
    else if (act.kind === 'zone')
      await owner.query('update project set zone = $2 where id = $1', [home.projectId, act.zone])
    else if (act.kind === 'connect')
      await owner.query('update channel set connected_at = $2 where id = $1', [
        channels[act.channel],
        instant(act.hours),
      ])
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
type ChannelDay = { channel: string; day: string; name: string; value: number; isOver: boolean }
type Post = {
  id: string
  channel: string
  isPublished: boolean
  day: string
  at: string
  campaigns: string[]
  latest: Figures
  gains: { day: string; name: string; gain: number }[]
  /** The days of its readings. */
  readings: string[]
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
    day: string
    at: Date
    since: Date | null
    zone: string
    figures: Record<string, number | null>
  }>(
    `select m.post_id, (m.read_at at time zone pr.zone)::date::text as day, m.read_at as at, m.since, pr.zone, m.figures from post_metric m join (${ALL}) p on p.id = m.post_id join project pr on pr.id = p.project_id
     where p.project_id = $1 order by m.post_id, m.read_at`,
    [projectId],
  )
  const { rows: days } = await owner.query<ChannelDay>(
    `select f.channel_id as channel, f.day::text as day, f.name, f.value::int as value, (f.read_at at time zone 'America/Los_Angeles')::date > f.day as "isOver"
     from channel_figure f join channel ch on ch.id = f.channel_id where ch.project_id = $1 order by f.day`,
    [projectId],
  )
  const { rows: today } = await owner.query<{ day: string }>(
    'select ($2::timestamptz at time zone zone)::date::text as day from project where id = $1',
    [projectId, TEST_NOW],
  )
  const { rows: connected } = await owner.query<{ id: string; day: string }>(
    'select ch.id, ((ch.connected_at at time zone pr.zone)::date + 1)::text as day from channel ch join project pr on pr.id = ch.project_id where pr.id = $1',
    [projectId],
  )
  return {
    days,
    /** The first day of which all posts of each channel are known. */
    known: new Map(connected.map(({ id, day }) => [id, day])),
    today: today[0]?.day ?? '',
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
      const own = readings.filter(({ post_id: id }) => id === post.id).map(({ day }) => day)
      return { ...post, isPublished: state === 'PUBLISHED', latest, gains, readings: own }
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
const hasBothSides = (post: Post) =>
  toldOf(post, 'engagements') !== null && (toldOf(post, 'viewsAndImpressions') ?? 0) > 0
const rated = (posts: readonly Post[]) => {
  const both = posts.flatMap((post) => {
    const [part, whole] = [toldOf(post, 'engagements'), toldOf(post, 'viewsAndImpressions')]
    return part === null || whole === null || whole === 0 ? [] : [{ part, whole }]
  })
  const whole = sum(both.map((one) => one.whole))
  return whole === null ? null : Math.round(((sum(both.map((one) => one.part)) ?? 0) / whole) * 10_000) / 100
}

type Spans = Record<'now' | 'before', { from: string; to: string }>
/** What a channel's figure amounts to on both sides, and on the days that both have; counted day by day. */
type Sides = {
  value: number | null
  before: number | null
  like: { value: number; before: number; days: number } | null
  days: number
  daysBefore: number
}
const daysOf = ({ from, to }: { from: string; to: string }) =>
  Array.from({ length: daysIn({ from, to }) }, (_, i) => addDays(from, i))

function sidesOf(
  { range: now, before }: Ranges,
  valueOn: (day: string) => number | null,
  { isOver, isCovered }: { isOver: (day: string) => boolean; isCovered: (day: string) => boolean },
): Sides {
  const [days, daysBefore] = [daysOf(now), daysOf(before)]
  const valuesOf = (list: readonly string[]) => sum(list.flatMap((day) => valueOn(day) ?? []))
  const common = days.flatMap((day, i) => {
    const other = daysBefore[i]
    return other !== undefined && [day, other].every((one) => isCovered(one) && isOver(one))
      ? [[day, other] as const]
      : []
  })
  const counts = { days: days.filter(isCovered).length, daysBefore: daysBefore.filter(isCovered).length }
  const [value, then] = [valuesOf(days), valuesOf(daysBefore)]
  const isEnough = common.length > 0 && common.length * 2 >= Math.max(counts.days, counts.daysBefore)
  return {
    value,
    before: then,
    ...counts,
    like:
      isEnough && value !== null && then !== null
        ? {
            value: valuesOf(common.map(([day]) => day)) ?? 0,
            before: valuesOf(common.map(([, day]) => day)) ?? 0,
            days: common.length,
          }
        : null,
  }
}
type Ranges = { range: { from: string; to: string }; before: { from: string; to: string } }

/** The parts of a figure of one channel together. */
function together(parts: readonly Sides[]): Sides[] {
  const told = parts.filter(({ value, before }) => value !== null || before !== null)
  if (told.length === 0) return []
  const likes = told.flatMap(({ like }) => like ?? [])
  return [
    {
      value: sum(told.flatMap(({ value }) => value ?? [])),
      before: sum(told.flatMap(({ before }) => before ?? [])),
      days: Math.max(...told.map(({ days }) => days)),
      daysBefore: Math.max(...told.map(({ daysBefore }) => daysBefore)),
      like:
        likes.length === 0
          ? null
          : {
              value: sum(likes.map(({ value }) => value)) ?? 0,
              before: sum(likes.map(({ before }) => before)) ?? 0,
              days: Math.max(...likes.map(({ days }) => days)),
            },
    },
  ]
}

const most = (values: readonly number[]) => (values.length === 0 ? null : Math.max(...values))
/** What a card says of these channels. */
function cardOf(channels: readonly Sides[]) {
  const likes = channels.flatMap(({ like }) => like ?? [])
  const [now, then] = [channels.filter(({ value }) => value !== null), channels.filter(({ before }) => before !== null)]
  const compared =
    likes.length === 0
      ? null
      : { value: sum(likes.map(({ value }) => value)), before: sum(likes.map(({ before }) => before)) }
  return {
    value: sum(now.flatMap(({ value }) => value ?? [])),
    before: sum(then.flatMap(({ before }) => before ?? [])),
    compared,
    coverage: {
      reportedDays: most(now.map(({ days }) => days)),
      reportedDaysBefore: most(then.map(({ daysBefore }) => daysBefore)),
      comparedDays: most(likes.map(({ days }) => days)),
      channels: {
        both: likes.length,
        onlyNow: now.filter(({ before }) => before === null).length,
        onlyBefore: then.filter(({ value }) => value === null).length,
        notComparable: now.filter(({ before, like }) => before !== null && like === null).length,
      },
    },
  }
}

/** What the catalog says of the platforms here: figures of a page by day, what posts gained, or both, by name. */
const pageHas = {
  viewsAndImpressions: ['views'],
  engagements: ['interactions'],
  profileViews: ['profileViews'],
} as const
const postsOf: Record<string, readonly string[]> = {
  facebook: ['views', 'reactions', 'comments', 'shares', 'clicks'],
  x: ['impressions', 'reactions', 'comments', 'shares', 'saves', 'clicks'],
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
  const summed = channels.filter((id) => visible.includes(id) && id !== youtube)
  const days = all.days.filter(({ channel }) => summed.includes(channel))
  const published = (list: readonly Post[], of: { from: string; to: string }) =>
    list.filter((post) => post.isPublished && within(post.day, of))
  const query = { ...range, compareFrom: BEFORE.from, compareTo: BEFORE.to }
  const at = { params: home.params, query }
  const summary = await app.call(insightsSummary, at, { as })
  const cardIn = (reply: typeof summary, base: string, name: string) =>
    reply.cards.find((one) => one.name === name && one.base === base)
  const valuesOf = (base: string, name: string, reply = summary) => {
    const found = cardIn(reply, base, name)
    return [found?.value ?? null, found?.before ?? null]
  }

  // in these days: the page's own days, else what posts gained between the channel's first and last reading
  const ranges = { range, before: BEFORE }
  const platformOf = (channel: string) => (channel === channels[2] ? 'x' : 'facebook')
  const pageDays = (channel: string, name: string): Sides => {
    const own = new Map(days.filter((one) => one.channel === channel && one.name === name).map((one) => [one.day, one]))
    return sidesOf(ranges, (day) => own.get(day)?.value ?? null, {
      isCovered: (day) => own.has(day),
      isOver: (day) => own.get(day)?.isOver === true,
    })
  }
  const gains = (channel: string, name: string, list = posts): Sides => {
    const own = posts.filter((post) => post.channel === channel)
    const read = own.flatMap(({ readings }) => readings).toSorted((one, other) => (one < other ? -1 : 1))
    return sidesOf(
      ranges,
      (day) =>
        gained(
          list.filter((post) => post.channel === channel),
          name,
          { from: day, to: day },
        ),
      {
        isCovered: (day) => day >= (read[0] ?? '9999') && day <= (read.at(-1) ?? ''),
        // the first reading is in the middle of its day, and after a day all posts are read within the next one
        isOver: (day) => day > (read[0] ?? '9999') && day <= addDays(read.at(-1) ?? '2000-01-01', -2),
      },
    )
  }
  const sources = (channel: string, name: string, list = posts): Sides[] => {
    const told = partsOf(name).filter((part) => postsOf[platformOf(channel)]?.includes(part))
    return name === 'profileViews' && list === posts && platformOf(channel) === 'x'
      ? []
      : together(told.map((part) => gains(channel, part, list)))
  }
  const inTheseDays = (name: string) =>
    summed.flatMap((channel) =>
      platformOf(channel) === 'facebook' && name in pageHas
        ? // the keys were just checked
          together(pageHas[name as keyof typeof pageHas].map((part) => pageDays(channel, part)))
        : sources(channel, name),
    )
  for (const name of [
    'viewsAndImpressions',
    'engagements',
    'reactions',
    'comments',
    'shares',
    'saves',
    'clicks',
    'profileViews',
  ]) {
    const [found, expected] = [cardIn(summary, 'inTheseDays', name), cardOf(inTheseDays(name))]
    if (!found) expect([name, expected.value, expected.before]).toEqual([name, null, null])
    else expect(found, name).toMatchObject({ ...expected, compared: found.compared && expected.compared })
    if (found) {
      const isLike = expected.compared !== null && (expected.compared.before ?? 0) > 0
      expect([name, found.changePercent === null, found.whyNotComparable === null]).toEqual(
        isLike ? [name, false, true] : [name, true, expected.value === null && expected.before === null],
      )
    }
  }
  // what posts gained on the days that have both sides of the rate
  const gainedBoth = (channel: string, list: readonly Post[]): number[] => {
    const own = list.filter((post) => post.channel === channel)
    const on = (name: string, day: string) =>
      sum(
        partsOf(name).flatMap((part) =>
          postsOf[platformOf(channel)]?.includes(part) ? (gained(own, part, { from: day, to: day }) ?? []) : [],
        ),
      )
    const both = daysOf(range).flatMap((day) => {
      const [engaged, seen] = [on('engagements', day), on('viewsAndImpressions', day)]
      return engaged === null || seen === null ? [] : [{ engaged, seen }]
    })
    return both.length === 0
      ? []
      : [both.reduce((all, { engaged }) => all + engaged, 0), both.reduce((all, { seen }) => all + seen, 0)]
  }
  const expectRate = (found: (typeof summary)['cards'][number] | undefined, pairs: readonly number[][]) => {
    const [part, whole] = [0, 1].map((side) => sum(pairs.flatMap((pair) => pair[side] ?? [])))
    if (whole && whole > 0)
      expect(found).toMatchObject({
        value: Math.round(((part ?? 0) / whole) * 10_000) / 100,
        quotient: { part, whole },
      })
    else expect(found?.value ?? null).toBe(null)
  }
  const quotients = summed.map((channel) => {
    if (platformOf(channel) === 'x') return gainedBoth(channel, posts)
    const of = (name: string) =>
      days.filter((one) => one.channel === channel && one.name === name && within(one.day, range))
    const both = of('views').filter(({ day }) => of('interactions').some((one) => one.day === day))
    const part = of('interactions').filter(({ day }) => both.some((one) => one.day === day))
    return both.length === 0 ? [] : [sum(part.map(({ value }) => value)) ?? 0, sum(both.map(({ value }) => value)) ?? 0]
  })
  expectRate(cardIn(summary, 'inTheseDays', 'engagementRate'), quotients)

  /** The days of both ranges whose posts are known and over before `until`: too few of them, or none, are empty. */
  const knownPairs = (channel: string, { now, before }: Spans, until: string): (readonly [string, string])[] => {
    const isKnown = (day: string) => day >= (all.known.get(channel) ?? '')
    const [days, daysBefore] = [daysOf(now), daysOf(before)]
    const common = days.flatMap((day, i) => {
      const other = daysBefore[i]
      return other !== undefined && day < until && isKnown(day) && isKnown(other) ? [[day, other] as const] : []
    })
    const isWhole = [...days, ...daysBefore].every(isKnown)
    const most = Math.max(days.filter(isKnown).length, daysBefore.filter(isKnown).length)
    return isWhole || common.length * 2 >= most ? common : []
  }
  const onDays = (list: readonly Post[], days: readonly string[]) =>
    list.filter((post) => post.isPublished && days.includes(post.day))

  // posts published in these days, now and once they had a week
  for (const { range: now, before } of [ranges, { range: OLD, before: BEFORE_OLD }]) {
    const reply =
      now === range
        ? summary
        : await app.call(
            insightsSummary,
            { params: home.params, query: { ...now, compareFrom: before.from, compareTo: before.to } },
            { as },
          )
    for (const name of ['reactions', 'comments', 'shares', 'saves', 'clicks', 'viewsAndImpressions', 'engagements']) {
      const found = cardIn(reply, 'postsPublished', name)
      const sums = (of: { from: string; to: string }, channel?: string) =>
        sum(
          published(added, of).flatMap((post) =>
            channel === undefined || post.channel === channel ? (toldOf(post, name) ?? []) : [],
          ),
        )
      expect([found?.value ?? null, found?.before ?? null], name).toEqual([sums(now), sums(before)])
      const own = published(added, now)
      const known = own.filter((post) => toldOf(post, name) !== null).length
      const films = published(posts, now).length - own.length
      const apart = films === 0 ? {} : { apart: [{ platform: 'youtube', posts: films }] }
      if (found)
        expect(found.posts ?? null, name).toEqual(own.length === 0 ? null : { known, all: own.length, ...apart })
      // the first days of each, as many as have posts that are a week old
      const most = Math.min(daysIn(now), daysIn(before))
      const settled = daysOf(now).filter((day, i) => i < most && day <= addDays(all.today, -7)).length
      // channels with posts on the days compared of both sides
      const likes = summed.flatMap((channel) => {
        const pairs = knownPairs(channel, { now, before }, addDays(all.today, -6))
        const [value, earlier] = [0, 1].map((side) =>
          sum(
            onDays(
              added.filter((post) => post.channel === channel),
              pairs.flatMap((pair) => pair[side] ?? []),
            ).flatMap((post) => toldOf(post, name) ?? []),
          ),
        )
        return typeof value === 'number' && typeof earlier === 'number' ? [{ value, before: earlier }] : []
      })
      expect(found?.compared ?? null, name).toEqual(
        settled * 2 >= most && likes.length > 0
          ? { value: sum(likes.map(({ value }) => value)), before: sum(likes.map((one) => one.before)) }
          : null,
      )
    }
    const ofChannels = visible.flatMap((channel) => {
      const own = posts.filter((post) => post.channel === channel)
      const [here, then] = [published(own, now).length, published(own, before).length]
      const isKnown = daysOf(before).some((day) => day >= (all.known.get(channel) ?? ''))
      return here + then === 0 ? [] : [then === 0 && !isKnown ? null : then]
    })
    expect(valuesOf('postsPublished', 'published', reply)).toEqual([
      published(posts, now).length,
      ofChannels.length > 0 && ofChannels.every((then) => then === null) ? null : published(posts, before).length,
    ])
    // the rate, where its two sides are compared
    const most = Math.min(daysIn(now), daysIn(before))
    const settled = daysOf(now).filter((day, i) => i < most && day <= addDays(all.today, -7)).length
    const both = summed.map((channel) => {
      const pairs = settled * 2 < most ? [] : knownPairs(channel, { now, before }, addDays(all.today, -6))
      const own = added.filter((post) => post.channel === channel)
      return [0, 1].map((side) =>
        onDays(
          own,
          pairs.flatMap((pair) => pair[side] ?? []),
        ),
      )
    })
    const withRate = both.filter((sides) => sides.every((list) => list.some(hasBothSides)))
    const [rateNow, rateThen] = [0, 1].map((side) => rated(withRate.flatMap((sides) => sides[side] ?? [])))
    expect(cardIn(reply, 'postsPublished', 'engagementRate')?.compared ?? null).toEqual(
      typeof rateNow === 'number' && typeof rateThen === 'number' ? { value: rateNow, before: rateThen } : null,
    )
    expect(valuesOf('postsPublished', 'engagementRate', reply)).toEqual([
      rated(published(added, now)),
      rated(published(added, before)),
    ])
  }
  const counts = visible.flatMap((channel) => {
    const own = posts.filter((post) => post.channel === channel)
    const pairs = knownPairs(channel, { now: range, before: BEFORE }, all.today)
    if (pairs.length === 0 || published(own, range).length + published(own, BEFORE).length === 0) return []
    const [value, earlier] = [0, 1].map(
      (side) =>
        onDays(
          own,
          pairs.flatMap((pair) => pair[side] ?? []),
        ).length,
    )
    return [{ value: value ?? 0, before: earlier ?? 0 }]
  })
  expect(cardIn(summary, 'postsPublished', 'published')?.compared ?? null).toEqual(
    counts.length === 0
      ? null
      : { value: sum(counts.map(({ value }) => value)), before: sum(counts.map((one) => one.before)) },
  )
  const film = posts.filter(({ channel }) => channel === youtube)
  const apart = summary.apart.flatMap(({ figures }) =>
    figures.filter(({ base }) => base === 'postsPublished').map(({ name, value }) => [name, value] as const),
  )
  const filmed = (name: string, of: { from: string; to: string }) =>
    sum(published(film, of).flatMap((post) => toldOf(post, name) ?? []))
  const told = ['viewsAndImpressions', 'reactions', 'comments', 'shares', 'saves', 'clicks'].filter(
    (name) => filmed(name, range) !== null || filmed(name, BEFORE) !== null,
  )
  expect(new Map(apart)).toEqual(new Map(told.map((name) => [name, filmed(name, range)])))

  // levels: the last value of each channel, at most a week old
  const lastOf = (end: string) =>
    sum(
      summed.flatMap((id) =>
        days
          .filter(
            (one) => one.channel === id && one.name === 'followers' && one.day <= end && one.day >= addDays(end, -7),
          )
          .map(({ value }) => value)
          .slice(-1),
      ),
    )
  expect(valuesOf('inTheseDays', 'followers')).toEqual([lastOf(TO), lastOf(BEFORE.to)])
  expect(summary.cards.some(({ name }) => name === 'reach')).toBe(false)

  const linesOf = (
    base: 'inTheseDays' | 'postsPublished',
    name: 'engagements' | 'published' | 'viewsAndImpressions' | 'followers',
    more = {},
  ) =>
    app.call(
      insightsSeries,
      { params: home.params, query: { ...range, base, names: [name], by: 'total', ...more } },
      { as },
    )
  const engaged = await linesOf('inTheseDays', 'engagements', { subject: 'post' })
  const counted = await linesOf('postsPublished', 'published')
  const seen = await linesOf('inTheseDays', 'viewsAndImpressions')
  const followed = await linesOf('inTheseDays', 'followers')
  for (const [i, day] of engaged.days.entries()) {
    const of = ({ series }: typeof engaged) => series[0]?.values[i] ?? null
    const gainedOn = (name: string) =>
      sum(
        summed.flatMap((channel) =>
          partsOf(name).flatMap((one) =>
            postsOf[platformOf(channel)]?.includes(one)
              ? (gained(
                  added.filter((post) => post.channel === channel),
                  one,
                  { from: day, to: day },
                ) ?? [])
              : [],
          ),
        ),
      )
    expect(of(engaged), day).toBe(gainedOn('engagements'))
    // before the first channel was connected, nothing is known
    const isKnown = visible.some((channel) => day >= (all.known.get(channel) ?? ''))
    const on = published(posts, { from: day, to: day }).length
    expect(of(counted), day).toBe(on === 0 && !isKnown ? null : on)
    expect(of(seen), day).toBe(
      sum([
        ...days
          .filter((one) => one.name === 'views' && one.day === day && platformOf(one.channel) === 'facebook')
          .map(({ value }) => value),
        ...summed
          .filter((channel) => platformOf(channel) === 'x')
          .flatMap(
            (channel) =>
              gained(
                added.filter((post) => post.channel === channel),
                'impressions',
                { from: day, to: day },
              ) ?? [],
          ),
      ]),
    )
    const level = (channel: string) => {
      const own = days.filter((one) => one.channel === channel && one.name === 'followers' && one.day <= TO)
      const last = own.filter((one) => one.day <= day).at(-1)
      if (!last) return []
      return last.day >= addDays(day, -7) || own.some((one) => one.day > day) ? [last.value] : []
    }
    expect(of(followed), day).toBe(sum(summed.flatMap(level)))
  }
  const rows = await app.call(insightsChannels, at, { as })
  expect(rows.channels.map(({ channelId }) => channelId).toSorted()).toEqual([...visible].toSorted())
  for (const { channelId, figures } of rows.channels)
    for (const name of ['reactions', 'comments', 'shares'])
      if (channelId !== youtube)
        expect(figures.find((one) => one.name === name && one.base === 'inTheseDays')?.value ?? null).toBe(
          gained(
            posts.filter(({ channel }) => channel === channelId),
            name,
            range,
          ),
        )
  // the median and quartiles of the three pages, for those who see all of them
  const pages = summed.filter((channel) => platformOf(channel) === 'facebook')
  const ofPages: Record<string, (number | null)[]> = {
    reactions: pages.map((page) =>
      gained(
        posts.filter(({ channel }) => channel === page),
        'reactions',
        range,
      ),
    ),
    followers: pages.map(
      (page) =>
        days
          .filter(({ channel, name, day }) => channel === page && name === 'followers' && day <= TO)
          .filter(({ day }) => day >= addDays(TO, -7))
          .at(-1)?.value ?? null,
    ),
    published: pages.map(
      (page) =>
        published(
          posts.filter(({ channel }) => channel === page),
          range,
        ).length,
    ),
  }
  for (const [name, values] of Object.entries(ofPages)) {
    const base = name === 'published' ? 'postsPublished' : 'inTheseDays'
    const found = rows.medians.find((one) => one.platform === 'facebook' && one.base === base && one.name === name)
    const [first, second, third] = values.flatMap((value) => value ?? []).toSorted((a, b) => a - b)
    expect(found && [found.q1, found.value, found.q3, found.channels], name).toEqual(
      first === undefined || second === undefined || third === undefined
        ? undefined
        : [(first + second) / 2, second, (second + third) / 2, 3],
    )
  }

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

  const { medians } = await app.call(insightsPostMedians, { params: home.params, query: range }, { as })
  for (const name of names) {
    const values = listed
      .filter((post) => post.channel !== youtube)
      .flatMap(({ latest }) => latest[name] ?? [])
      .toSorted((a, b) => a - b)
    const middle = [values[Math.floor((values.length - 1) / 2)] ?? 0, values[Math.ceil((values.length - 1) / 2)] ?? 0]
    expect(medians?.find((one) => one.name === name)).toEqual(
      values.length === 0
        ? undefined
        : { name, posts: values.length, median: (sum(middle) ?? 0) / 2, total: sum(values) },
    )
  }

  const { groups } = await app.call(
    insightsCampaigns,
    { params: home.params, query: { ...query, ids: campaigns } },
    { as },
  )
  for (const { id, posts: count, postsBefore, figures } of groups) {
    const own = posts.filter((post) => post.campaigns.includes(id))
    expect([count, postsBefore]).toEqual([published(own, range).length, published(own, BEFORE).length])
    const listedOnes = published(own, range).filter(({ channel }) => channel !== youtube)
    for (const name of names)
      expect(figures.find((one) => one.name === name)?.value ?? null).toBe(
        sum(listedOnes.flatMap(({ latest }) => latest[name] ?? [])),
      )
    expect(figures.find((one) => one.name === 'engagementRate')?.value ?? null).toBe(rated(listedOnes))
  }
  // the posts of a campaign, from their readings
  const filtered = await app.call(
    insightsSummary,
    { params: home.params, query: { ...query, campaignId: campaigns[0] } },
    { as },
  )
  const inFirst = added.filter((post) => post.campaigns.includes(campaigns[0] ?? ''))
  for (const name of ['viewsAndImpressions', 'engagements', 'reactions', 'saves']) {
    const expected = cardOf(summed.flatMap((channel) => sources(channel, name, inFirst)))
    expect(valuesOf('inTheseDays', name, filtered), name).toEqual([expected.value, expected.before])
  }
  expectRate(
    cardIn(filtered, 'inTheseDays', 'engagementRate'),
    summed.map((channel) => gainedBoth(channel, inFirst)),
  )
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
