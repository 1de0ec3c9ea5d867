import { sql } from 'kysely'
import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import { definitionOf, type FigureName } from '#contract/analytics/catalog/names.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import { insertMany } from '../db/insertMany.ts'
import { tellSome } from '../clicks/tell.ts'
import { nextReading, type Planned } from '../insights/readingPlan.ts'
import type { PostType } from '#contract/platforms/rules.ts'
import { campaignAt, dayOf, growthAt, isoDay, windowOf } from './growth.ts'
import { HISTORY_DAYS } from './moments.ts'
import { seeded } from './random.ts'

const HOUR = 3_600_000
/** Two thirds of what a post gets come in these hours; the simulators know it, too (world.ts). */
export const READING_HOURS = 14
const DAY = 24 * HOUR
const AUDIENCE_WEEKS = 12
/** When every post is read, and a story last of all. */
const FIRST_HOURS: readonly number[] = [1, 6, 23.5, 24]
/** Since so many days, a channel that is disconnected has reported nothing. */
export const LOST_DAYS = 40
/** A batch as large as those of the job: what a statement writes is counted by triggers. */
const READINGS_AT_ONCE = 200
/** Of what sees a post or a channel: how many do what, roughly. */
const shares: Partial<Record<FigureName, number>> = {
  views: 1,
  impressions: 1,
  mapImpressions: 0.38,
  searchImpressions: 0.62,
  engagedViews: 0.7,
  videoViews: 0.22,
  reach: 0.8,
  interactions: 0.065,
  engagedAccounts: 0.04,
  reactions: 0.042,
  likes: 0.034,
  loves: 0.005,
  laughs: 0.0015,
  wows: 0.001,
  sads: 0.0003,
  angers: 0.0002,
  comments: 0.006,
  shares: 0.005,
  reposts: 0.003,
  quotes: 0.0008,
  sends: 0.0012,
  saves: 0.007,
  clicks: 0.012,
  linkClicks: 0.007,
  navigation: 0.3,
  watchSeconds: 8.4,
  followersGained: 0.004,
  followersLost: 0.0016,
  profileViews: 0.02,
  profileActions: 0.009,
  websiteClicks: 0.004,
  callClicks: 0.001,
  directionRequests: 0.003,
  chats: 0.0006,
  bookings: 0.0004,
}
/** What only posts of these kinds have. */
const ofKinds: Partial<Record<FigureName, readonly PostType[]>> = {
  navigation: ['story'],
  watchSeconds: ['reel', 'video', 'shorts'],
  averageWatchMs: ['reel', 'video', 'shorts'],
  skipRate: ['reel', 'video', 'shorts'],
  videoViews: ['reel', 'video', 'shorts'],
}
/** How many see a post of this kind, of those who see one with a picture. */
const seenOf: Partial<Record<PostType, number>> = { story: 0.4, reel: 1.6, video: 1.3, shorts: 1.9 }
/** Posts of a channel differ by so much, and so do its days: less than what a comparison should show. */
const POSTS_DIFFER = 0.08
const DAYS_DIFFER = 0.1
const FIGURES_DIFFER = 0.05

const buckets: Record<string, readonly string[]> = {
  age: ['18-24', '25-34', '35-44', '45-54', '55-64', '65+'],
  gender: ['F', 'M', 'U'],
  country: ['DE', 'AT', 'CH', 'NL', 'FR', 'US', 'GB'],
  city: ['Berlin', 'Hamburg', 'Leipzig', 'Munich', 'Vienna'],
  industry: ['Food and Beverages', 'Retail', 'Hospitality', 'Technology', 'Design'],
  seniority: ['Entry', 'Senior', 'Manager', 'Director', 'Owner'],
  trafficSource: ['YT_SEARCH', 'SUBSCRIBER', 'RELATED_VIDEO', 'EXT_URL', 'SHORTS'],
}

type Place = { orgId: string; projectId: string }
type Random = ReturnType<typeof seeded>
type Reported = Partial<Record<FigureName, number>>
/** `size`: how many follow it, roughly. `liked`: how much its posts are liked. */
type Channel = { id: string; platform: PlatformKey; status: string; size: number; liked: number; random: Random }

/** Two years of what platforms would have reported about a project's channels and posts, growing, with a weekly rhythm. */
export async function seedFigures(tx: Tx, place: Place, now: Date): Promise<void> {
  const { rows } = await sql<Pick<Channel, 'id' | 'platform' | 'status'>>`
    select id, platform, status from channel where org_id = ${place.orgId} and project_id = ${place.projectId} order by name, id`.execute(
    tx,
  )
  const channels = rows.map((channel, i): Channel => {
    const random = seeded(977 * (i + 1))
    return { ...channel, size: 1500 + random.below(9000), liked: 0.7 + random.next() * 0.6, random }
  })
  await seedPostFigures(tx, place, channels, now)
  await seedClicks(tx, place, now)
  for (const channel of channels) await seedChannelFigures(tx, place, channel, now)
}
/** A number around 1 that differs from it by at most so much. */
const around = (random: Random, most: number): number => 1 - most + random.next() * 2 * most

/** Posts' metrics, read when they would have been read, and growing from reading to reading. */
async function seedPostFigures(
  tx: Tx,
  { orgId, projectId }: Place,
  channels: readonly Channel[],
  now: Date,
): Promise<void> {
  const random = seeded(4211)
  const channelOf = new Map(channels.map((channel) => [channel.id, channel]))
  const lostAt = new Date(now.getTime() - LOST_DAYS * DAY)
  const { rows } = await sql<Planned & { channel_id: string; post_type: PostType; zone: string }>`
    select p.id, p.post_type, p.published_at, p.channel_id, c.platform, pr.zone
    from measured_post p join channel c on c.org_id = p.org_id and c.id = p.channel_id join project pr on pr.org_id = p.org_id and pr.id = p.project_id
    where p.org_id = ${orgId} and p.project_id = ${projectId} and p.listed and p.remote_id is not null
    order by p.published_at, p.id`.execute(tx)
  const readings = rows.flatMap((post) => {
    const channel = channelOf.get(post.channel_id)
    if (!channel) return []
    const told = platformFigures[post.platform].post
      .map(({ name }) => name)
      .filter((name) => ofKinds[name]?.includes(post.post_type) ?? true)
    const usual = (600 + channel.size * 0.4) * (seenOf[post.post_type] ?? 1)
    const seen =
      usual * around(random, POSTS_DIFFER) * growthAt(post.published_at, now) * campaignAt(post.published_at, now)
    const liking = channel.liked * around(random, POSTS_DIFFER)
    const readUntil = channel.status === 'CONNECTED' ? now : lostAt
    const { keepDays } = platformFigures[post.platform].terms
    const oldest = new Date(now.getTime() - (keepDays ?? HISTORY_DAYS) * DAY)
    const isOld = now.getTime() - post.published_at.getTime() > 60 * DAY
    const read = []
    for (
      let at = nextReading(post, post.published_at, post.zone);
      at !== null && at <= readUntil;
      at = nextReading(post, at, post.zone)
    ) {
      const hours = (at.getTime() - post.published_at.getTime()) / HOUR
      if (at < oldest) continue
      if (isOld && !isKept(hours)) continue
      // a post gets most of its reach on its first day
      const figures = figuresOf(told, seen * (1 - Math.exp(-hours / READING_HOURS)), liking)
      read.push({
        org_id: orgId,
        post_id: post.id,
        figures,
        read_at: at,
        since: post.published_at,
        // what was read before had to be deleted
        after_gap: read.length === 0 && post.published_at < oldest,
      })
    }
    return read
  })
  const told = readings.filter(({ figures }) => Object.keys(figures).length > 0)
  for (let from = 0; from < told.length; from += READINGS_AT_ONCE) {
    await insertMany(tx, 'post_metric', told.slice(from, from + READINGS_AT_ONCE))
    // the triggers' plans are those of empty tables until they're made again
    await sql`discard plans`.execute(tx)
  }
  await sql`
    update measured_post p set metrics_at = n.at from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map((post) => nextReading(post, now, post.zone))}::timestamptz[]) n(id, at)
    where p.org_id = ${orgId} and p.id = n.id`.execute(tx)
}

/** Clicks on posts' links that were counted here: a share of those who saw them, most on the first day. */
async function seedClicks(tx: Tx, { orgId, projectId }: Place, now: Date): Promise<void> {
  await sql`
    insert into post_click (org_id, post_id, name, day, n)
    select ${orgId}, f.post_id, c.name, (f.shown_at at time zone pr.zone)::date + d.age, (f.value * c.share * d.share)::int
    from post_figure f join project pr on pr.org_id = f.org_id and pr.id = f.project_id
      cross join (values ('shortLinkClicks', 0.02), ('bioClicks', 0.006)) c(name, share) cross join (values (0, 0.6), (1, 0.25), (2, 0.1), (3, 0.05)) d(age, share)
    where f.org_id = ${orgId} and f.project_id = ${projectId} and f.name = 'viewsAndImpressions'
      and (f.shown_at at time zone pr.zone)::date + d.age < (${now}::timestamptz at time zone pr.zone)::date and (f.value * c.share * d.share)::int > 0`.execute(
    tx,
  )
  while ((await tellSome(tx, orgId)) > 0);
}

/** Of an old post, some of its first three days: what is gained later belongs to many days, and writing these takes longer than anything else. */
const isKept = (hours: number): boolean => FIRST_HOURS.includes(hours) || (hours > 24 && hours <= 72)

function figuresOf(told: readonly FigureName[], seen: number, liking: number): Reported {
  const does = (name: FigureName) => !['views', 'impressions', 'reach', 'videoViews'].includes(name)
  const figures: Reported = Object.fromEntries(
    told.flatMap((name): [FigureName, number][] => {
      if (name === 'averageWatchMs') return [[name, 4000 + Math.round(liking * 5000)]]
      if (name === 'skipRate') return [[name, 4200 - Math.round(liking * 1200)]]
      const share = shares[name]
      return share === undefined ? [] : [[name, Math.round(seen * share * (does(name) ? liking : 1))]]
    }),
  )
  return { ...figures, ...addedUp(figures) }
}

/** What platforms add up themselves: the reposts of all kinds, and the views on Google's search and maps. */
function addedUp(figures: Reported): Reported {
  const sumOf = (name: FigureName, parts: readonly FigureName[]): Reported => {
    const known = parts.flatMap((part) => figures[part] ?? [])
    const isThere = figures[name] !== undefined && known.length > 0
    return isThere ? { [name]: known.reduce((sum, value) => sum + value, 0) } : {}
  }
  return {
    ...sumOf('shares', ['reposts', 'quotes', 'sends']),
    ...sumOf('impressions', ['searchImpressions', 'mapImpressions']),
  }
}

/** A channel's days up to the last one that its platform would have reported, with a few days that it didn't. */
async function seedChannelFigures(
  tx: Tx,
  { orgId }: Place,
  { id: channelId, platform, status, size, random }: Channel,
  now: Date,
): Promise<void> {
  const { channel: told, terms, audience } = platformFigures[platform]
  const first = -Math.min(HISTORY_DAYS, terms.keepDays ?? HISTORY_DAYS)
  const gap = first + random.below(-first)
  const figures: { org_id: string; channel_id: string; day: string; name: string; value: number; read_at: Date }[] = []
  let followers = Math.round(size * growthAt(dayOf(now, first), now))
  const reach: number[] = []
  for (let back = first; back < 0; back += 1) {
    const date = dayOf(now, back)
    const weekday = [0.72, 1, 1.06, 1.1, 1.12, 1.04, 0.8][date.getUTCDay()] ?? 1
    const seen = size * 0.3 * growthAt(date, now) * weekday * campaignAt(date, now) * around(random, DAYS_DIFFER)
    const gained = Math.round(seen * (shares.followersGained ?? 0) * 2)
    const lost = Math.round(seen * (shares.followersLost ?? 0) * 2)
    followers += gained - lost
    if (back >= gap && back < gap + 3) continue
    if (status !== 'CONNECTED' && back >= -LOST_DAYS) break
    const levels: Reported = {
      followers,
      followersGained: gained,
      followersLost: lost,
      posts: 240 + Math.round((back - first) * 0.4),
      likesReceived: size * 4 + (back - first) * 31,
      averageWatchMs: 21_000 + Math.round(random.next() * 9000),
      averageWatchedShare: 3800 + Math.round(random.next() * 900),
    }
    const reported: Reported = {}
    for (const { name, delayHours } of told) {
      // windows are read once, when they're final
      if (back * 24 > -Math.max(24, delayHours + (definitionOf(name).window ? 24 : 0))) continue
      const over = windowOf(name, reach)
      if (over !== null) reported[name] = over
      const share = shares[name]
      const value =
        levels[name] ?? (share === undefined ? undefined : Math.round(seen * share * around(random, FIGURES_DIFFER)))
      if (value !== undefined) reported[name] = value
      if (name === 'reach' && value !== undefined) reach.push(value)
    }
    for (const [name, value] of Object.entries({ ...reported, ...addedUp(reported) }))
      figures.push({ org_id: orgId, channel_id: channelId, day: isoDay(date), name, value, read_at: now })
  }
  await insertMany(tx, 'channel_figure', figures)
  // the simulated platforms know nothing of these accounts' past: reading them would break the series
  await insertMany(
    tx,
    'insight_sync',
    ['days', 'history', 'audience'].map((kind) => ({
      org_id: orgId,
      channel_id: channelId,
      kind,
      read_to: isoDay(dayOf(now, first)),
      until_day: isoDay(dayOf(now, first)),
      read_at: now,
      state: 'done',
    })),
  )
  const weeks = terms.keepDays === null ? AUDIENCE_WEEKS : Math.floor(terms.keepDays / 7)
  await insertMany(
    tx,
    'audience',
    (audience?.breakdowns ?? []).flatMap((breakdown) => {
      const names = buckets[breakdown] ?? []
      const weights = names.map((_, i) => (0.6 + random.next()) / (i + 1.4))
      const all = weights.reduce((sum, weight) => sum + weight, 0)
      return Array.from({ length: weeks }, (_, week) =>
        names.map((bucket, i) => ({
          org_id: orgId,
          channel_id: channelId,
          day: isoDay(dayOf(now, -7 * week - 1)),
          breakdown,
          bucket,
          value: Math.round((followers * (1 - week * 0.006) * (weights[i] ?? 0)) / all),
        })),
      ).flat()
    }),
  )
}
