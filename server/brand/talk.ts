import { sql, type RawBuilder } from 'kysely'
import { MOST_BRAND_AUTHORS, TALK_MOST_DAYS, type BrandSounds, type BrandTalk } from '#contract/analytics/brand.ts'
import type { conversationKinds } from '#contract/inbox/terms.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { publishedIn } from '../analytics/postFigures.ts'
import { platformsOf, type Reader, type Scope } from '../analytics/scope.ts'
import type { PictureLink } from '../channels/foreignPictures.ts'
import { kindsFor, type InboxReader } from '../inbox/access.ts'
import { addDays, daysIn } from '../rangeDays.ts'
import { talkChange, type SameOnDay } from './talkChange.ts'

/* What people wrote where others can read it: how much, on which days, how it sounds, and who wrote most. */

type Speaker = Reader & InboxReader
type Public = Exclude<(typeof conversationKinds)[number], 'message'>
const isPublic = (kind: (typeof conversationKinds)[number]): kind is Public => kind !== 'message'

const mentions = ['MENTION_POST', 'MENTION_COMMENT', 'POST', 'FOREIGN_POST']
const comments = ['COMMENT', 'REPLY']

const nothing = { mentions: 0, comments: 0, reviews: 0 }
type Spoken = typeof nothing
const sumOf = (all: readonly Spoken[]): Spoken => ({
  mentions: all.reduce((sum, one) => sum + one.mentions, 0),
  comments: all.reduce((sum, one) => sum + one.comments, 0),
  reviews: all.reduce((sum, one) => sum + one.reviews, 0),
})
const wholeOf = ({ mentions: m, comments: n, reviews: r }: Spoken): number => m + n + r

/** Why what people wrote isn't counted for the caller, or for this range. */
export function whyNoTalk({ project }: Speaker, { range }: Scope): 'role' | 'tooLong' | null {
  if (!kindsFor(project, 'view').some(isPublic)) return 'role'
  const longest = Math.max(daysIn(range), range.compare ? daysIn(range.compare) : 0)
  return longest > TALK_MOST_DAYS ? 'tooLong' : null
}

/** What was written in the range on the caller's channels. */
export async function readTalk(c: Speaker, scope: Scope, link: PictureLink): Promise<BrandTalk> {
  const { range, apart } = scope
  const same = await readSame(c, scope)
  const counted = await readCounts(c, scope, same)
  const sounds = await readSounds(c, scope)
  const added = counted.filter(({ platform }) => !apart.includes(platform))
  const now = (all: typeof counted) => all.filter(({ side }) => side === 'value')
  const before = (all: typeof counted) => (range.compare ? all.filter(({ side }) => side === 'before') : null)
  const total = (all: typeof counted) => wholeOf(sumOf(all))
  const byDay = Map.groupBy(now(added), ({ day }) => day)
  // word lists judge what models may not read; but nothing is worked out of some platforms
  const notJudged = platformsOf(scope.channels).filter((platform) => apart.includes(platform))
  return {
    total: {
      value: total(now(added)),
      before: range.compare ? total(before(added) ?? []) : null,
      ...talkChange(added, { range, today: scope.today, channels: same.size }),
    },
    days: Array.from({ length: daysIn(range) }, (_, nth) => {
      const date = addDays(range.from, nth)
      return { date, ...sumOf(byDay.get(date) ?? []) }
    }),
    platforms: [...Map.groupBy(counted, ({ platform }) => platform)]
      .map(([platform, all]) => {
        const earlier = before(all)
        return {
          platform,
          ...sumOf(now(all)),
          before: earlier && total(earlier),
          sounds: notJudged.includes(platform) ? null : (sounds.get(platform) ?? silent),
        }
      })
      .toSorted((one, other) => wholeOf(other) - wholeOf(one)),
    sounds: [...sounds].reduce(
      (sum, [platform, one]) => (notJudged.includes(platform) ? sum : addSounds(sum, one)),
      silent,
    ),
    authors: await readAuthors(c, scope, link),
    apart: [...apart],
    notJudged,
  }
}

/**
 * What was received in the days, `i` on channel `ch`, from the index `inbox_item_received` alone. Everything but messages asks for the
 * same right, which the caller has, so conversations needn't be looked at, unless posts are chosen.
 */
function spokenIn(
  c: Speaker,
  { channels, posts }: Scope,
  days: { from: string; to: string },
  same: ReadonlySet<string> = new Set(),
): RawBuilder<unknown> {
  const of =
    posts === null
      ? sql``
      : sql`join conversation c on c.org_id = i.org_id and c.id = i.conversation_id and c.post_id in (${posts})`
  return sql`
    unnest(${channels.map(({ channelId }) => channelId)}::uuid[], ${channels.map(({ platformName }) => platformName)}::text[], ${channels.map(({ channelId }) => same.has(channelId))}::boolean[]) ch(id, platform, is_same)
    join inbox_item i on i.org_id = ${c.org.orgId} and i.channel_id = ch.id and i.direction = 'received' and i.deleted_at is null and not i.held
      and i.type <> 'DIRECT_MESSAGE' and ${publishedIn(days, c.project.zone, sql`i.at`)} ${of}`
}

type Counted = Spoken & SameOnDay & { platform: PlatformKey }

/** The channels whose figures may be added that were connected before the days compared: what others had before isn't known. */
async function readSame(c: Speaker, { range, channels, apart }: Scope): Promise<ReadonlySet<string>> {
  if (!range.compare) return new Set()
  const ids = channels.flatMap((one) => (one.deleted || apart.includes(one.platformName) ? [] : [one.channelId]))
  const { rows } = await sql<{ id: string }>`
    select id from channel where org_id = ${c.org.orgId} and id = any(${ids}::uuid[]) and connected_at < day_begins(${range.compare.from}::date, ${c.project.zone})`.execute(
    c.tx,
  )
  return new Set(rows.map(({ id }) => id))
}

async function readCounts(c: Speaker, scope: Scope, same: ReadonlySet<string>): Promise<Counted[]> {
  const { range } = scope
  const of = (side: string, days: { from: string; to: string }) => sql`
    select ${side}::text as side, ch.platform, (i.at at time zone ${c.project.zone})::date as day,
      (count(*) filter (where i.type = any(${mentions}::text[])))::int as mentions, (count(*) filter (where i.type = any(${comments}::text[])))::int as comments,
      (count(*) filter (where i.type = 'REVIEW'))::int as reviews,
      (count(*) filter (where ch.is_same and i.type = any(${[...mentions, ...comments, 'REVIEW']}::text[])))::int as same
    from ${spokenIn(c, scope, days, same)} group by ch.platform, 3`
  const { rows } = await sql<Counted>`
    select side, platform, day::text, mentions, comments, reviews, same
    from (${of('value', range)} ${range.compare ? sql`union all ${of('before', range.compare)}` : sql``}) counted`.execute(
    c.tx,
  )
  return rows.map((row) => ({ ...row, platform: PlatformKey.parse(row.platform) }))
}

const silent: BrandSounds = { positive: 0, neutral: 0, negative: 0, notJudged: 0 }
const addSounds = (one: BrandSounds, other: BrandSounds): BrandSounds => ({
  positive: one.positive + other.positive,
  neutral: one.neutral + other.neutral,
  negative: one.negative + other.negative,
  notJudged: one.notJudged + other.notJudged,
})

/** How the conversations sound in which something was written in the range. */
async function readSounds(c: Speaker, scope: Scope): Promise<Map<PlatformKey, BrandSounds>> {
  const { rows } = await sql<BrandSounds & { platform: string }>`
    select platform, (count(*) filter (where sentiment = 'positive'))::int as positive, (count(*) filter (where sentiment = 'neutral'))::int as neutral,
      (count(*) filter (where sentiment = 'negative'))::int as negative, (count(*) filter (where sentiment is null))::int as "notJudged"
    from (select distinct ch.platform, i.conversation_id from ${spokenIn(c, scope, scope.range)}) heard
      cross join lateral (select sentiment from conversation where org_id = ${c.org.orgId} and id = heard.conversation_id offset 0) one
    group by platform`.execute(c.tx)
  return new Map(rows.map(({ platform, ...sounds }) => [PlatformKey.parse(platform), sounds]))
}

/** The people who wrote most, on each platform one by their ID there. Nobody whose name had to be deleted. */
async function readAuthors(c: Speaker, scope: Scope, link: PictureLink): Promise<BrandTalk['authors']> {
  const { rows } = await sql<{
    platform: string
    name: string
    handle: string
    picture_url: string | null
    url: string | null
    n: number
  }>`
    select w.platform, max(p.name) as name, max(p.handle) as handle, max(p.picture_url) as picture_url, max(p.url) as url, sum(w.n)::int as n
    from (
      select ch.platform, i.person_id, count(*) as n from ${spokenIn(c, scope, scope.range)}
      where i.person_id is not null and not ch.platform = any(${[...scope.apart]}::text[]) group by ch.platform, i.person_id
    ) w join inbox_person p on p.org_id = ${c.org.orgId} and p.id = w.person_id
    where p.name <> '' and (p.keep_until is null or p.keep_until > ${c.now})
    group by w.platform, p.remote_id order by n desc, name, w.platform limit ${MOST_BRAND_AUTHORS}`.execute(c.tx)
  return rows.map((row) => ({
    platform: PlatformKey.parse(row.platform),
    name: row.name,
    handle: row.handle,
    pictureUrl: link(c.org.orgId, row.picture_url, c.now),
    profileUrl: row.url,
    count: row.n,
  }))
}
