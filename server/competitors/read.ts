import { termsOf } from '#contract/analytics/catalog/catalog.ts'
import { CompetitorState, type ComparedAccount, type insightsCompetitors } from '#contract/analytics/competitors.ts'
import { growthIn, postsPerWeek, type Level } from '#contract/analytics/growth.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { StoredReason } from '#contract/failures/define.ts'
import { percentChange } from '#contract/format.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { wallTimeOf } from '#contract/time.ts'
import type { Reader, Scope } from '../analytics/scope.ts'
import { readShownNames } from '../analytics/shownNames.ts'
import type { PictureLink } from '../channels/foreignPictures.ts'
import { addDays, daysIn } from '../rangeDays.ts'
import { readOwnSince } from './ownSince.ts'
import { levelKey, readFirstLevels, readLevels } from './levels.ts'
import {
  publishedKey,
  readBestPosts,
  readOwnPublished,
  readTheirPublished,
  tellsEngagements,
  type Published,
  type Span,
} from './published.ts'

type Reply = ReplyOf<typeof insightsCompetitors>
/** What is the same of channels and competitors. */
type Account = Pick<
  ComparedAccount,
  'id' | 'isOwn' | 'platformName' | 'name' | 'handle' | 'pictureUrl' | 'profileUrl' | 'reading'
> & {
  /** The first and the last instant between which all of its posts are known; null if none are. */
  known: { from: Date; to: Date } | null
}

type Ask = [c: Reader, scope: Scope, link: PictureLink, platforms: readonly PlatformKey[] | undefined]

/** Competitors beside the caller's channels of their platforms, with the competitors' best posts. */
export async function readComparison(...ask: Ask): Promise<Reply> {
  const [c, scope] = ask
  const accounts = await readAccounts(...ask)
  return {
    range: scope.range,
    accounts,
    posts: await readBestPosts(
      c,
      accounts.filter(({ isOwn }) => !isOwn),
      scope.range,
      scope.apart,
    ),
    apart: [...scope.apart],
    connected: [
      ...new Set(
        scope.channels.flatMap((one) => (one.status === 'CONNECTED' && !one.deleted ? [one.platformName] : [])),
      ),
    ],
  }
}

/** The caller's channels of platforms with competitors, and these. */
export async function readAccounts(...[c, scope, link, platforms]: Ask): Promise<ComparedAccount[]> {
  const theirs = await readCompetitors(c, scope, link, platforms)
  const compared = new Set(theirs.map(({ platformName }) => platformName))
  const channels = scope.channels.filter(({ deleted, platformName }) => !deleted && compared.has(platformName))
  const since = await readOwnSince(
    c,
    channels.map(({ channelId }) => channelId),
  )
  const names = channels.length > 0 ? await readShownNames(c) : undefined
  const own = channels.map((channel): Account => {
    const from = since.get(channel.channelId)
    return {
      id: channel.channelId,
      isOwn: true,
      platformName: channel.platformName,
      name: names?.get(channel.channelId) ?? channel.channelName,
      handle: channel.handle,
      pictureUrl: channel.profileUrl,
      profileUrl: null,
      reading: null,
      known: from ? { from, to: c.now } : null,
    }
  })
  const facts = await readFacts(c, scope, { own, theirs })
  return [...own, ...theirs].map((account) => comparedOf(c, scope, account, facts))
}

async function readCompetitors(
  { tx, org, project, now }: Reader,
  scope: Scope,
  link: PictureLink,
  platforms: readonly PlatformKey[] | undefined,
): Promise<Account[]> {
  const rows = await tx
    .selectFrom('competitor')
    .selectAll()
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('removed_at', 'is', null)
    .orderBy('added_at')
    .orderBy('id')
    .execute()
  return rows.flatMap((row): Account[] => {
    const platformName = PlatformKey.parse(row.platform)
    if (platforms && !platforms.includes(platformName)) return []
    const { keepDays } = termsOf(platformName, scope.accepted)
    const kept = keepDays === null ? 0 : now.getTime() - keepDays * 86_400_000
    return [
      {
        id: row.id,
        isOwn: false,
        platformName,
        name: row.name,
        handle: row.handle,
        pictureUrl: link(org.orgId, row.picture_url, now),
        profileUrl: row.profile_url,
        reading: {
          state: CompetitorState.parse(row.state),
          problem: row.problem === null ? null : StoredReason.parse(row.problem).code,
          lastReadAt: row.read_at?.toISOString() ?? null,
          nextReadAt: row.next_at?.toISOString() ?? null,
          addedAt: row.added_at.toISOString(),
        },
        known:
          row.posts_since && row.read_at
            ? { from: new Date(Math.max(row.posts_since.getTime(), kept)), to: row.read_at }
            : null,
      },
    ]
  })
}

type Facts = {
  levels: Map<string, Level>
  /** The first ones of the spans. */ firsts: Map<string, Level>
  published: Map<string, Published>
  spans: readonly Span[]
}

async function readFacts(
  c: Reader,
  { range }: Scope,
  { own, theirs }: { own: readonly Account[]; theirs: readonly Account[] },
): Promise<Facts> {
  const spans: Span[] = [
    { side: 'value', from: range.from, to: range.to },
    ...(range.compare ? [{ side: 'before' as const, ...range.compare }] : []),
  ]
  const days = [...new Set(spans.flatMap(({ from, to }) => [addDays(from, -1), to]))]
  const ids = (all: readonly Account[]) => all.map(({ id }) => id)
  const [ofOwn, ofTheirs] = [
    { table: 'channel_figure', key: 'channel_id', ids: ids(own) } as const,
    { table: 'competitor_figure', key: 'competitor_id', ids: ids(theirs) } as const,
  ]
  const levels = [await readLevels(c, ofOwn, days), await readLevels(c, ofTheirs, days)]
  const firsts = [await readFirstLevels(c, ofOwn, spans), await readFirstLevels(c, ofTheirs, spans)]
  const published = [await readOwnPublished(c, own, spans), await readTheirPublished(c, theirs, spans)]
  return {
    levels: new Map(levels.flatMap((one) => [...one])),
    firsts: new Map(firsts.flatMap((one) => [...one])),
    published: new Map(published.flatMap((one) => [...one])),
    spans,
  }
}

function comparedOf(c: Reader, scope: Scope, { known, ...account }: Account, facts: Facts): ComparedAccount {
  const isApart = scope.apart.includes(account.platformName)
  const sides = facts.spans.map((span) =>
    sideOf(
      c,
      scope,
      { id: account.id, known, isApart, isEngaged: tellsEngagements(account.platformName) },
      span,
      facts,
    ),
  )
  const [now, before] = [sides[0], sides[1]]
  const both = (name: Exclude<keyof Side, 'followersDay' | 'growthSince' | 'knownDays'>) => ({
    value: now?.[name] ?? null,
    before: before?.[name] ?? null,
  })
  return {
    ...account,
    followers: both('followers'),
    followersDay: now?.followersDay ?? null,
    // what only a part of the days grew isn't held against whole ones
    growth: { ...both('growth'), before: before?.growthSince === null ? before.growth : null },
    growthSince: now?.growthSince ?? null,
    growthPercent: both('growthPercent'),
    posts: both('posts'),
    postsPerWeek: both('postsPerWeek'),
    medianEngagements: both('medianEngagements'),
    engagements: both('engagements'),
    knownDays: now?.knownDays ?? 0,
  }
}

type Side = {
  followers: number | null
  followersDay: string | null
  growth: number | null
  growthSince: string | null
  growthPercent: number | null
  posts: number | null
  postsPerWeek: number | null
  medianEngagements: number | null
  engagements: number | null
  knownDays: number
}

/** What an account has in one of the ranges. Nothing is worked out where terms forbid it. */
function sideOf(
  c: Reader,
  scope: Scope,
  { id, known, isApart, isEngaged }: Pick<Account, 'id' | 'known'> & { isApart: boolean; isEngaged: boolean },
  { side, from, to }: Span,
  { levels, firsts, published }: Facts,
): Side {
  const [end, start] = [levels.get(levelKey(id, to)), levels.get(levelKey(id, addDays(from, -1)))]
  const read = [start, firsts.get(levelKey(id, from)), end].filter((one) => one !== undefined)
  const growth = isApart ? null : growthIn({ from, to }, read)
  const percent = growth?.isWhole ? percentChange(growth.last.value, growth.first.value) : undefined
  const passed = { from, to: to < scope.today ? to : scope.today }
  const days = known && passed.to >= passed.from ? knownDaysOf(c, known, passed) : 0
  const told = published.get(publishedKey(id, side))
  const isKnown = days > 0 && days * 2 >= daysIn(passed)
  const posts = days > 0 ? (told?.posts ?? 0) : null
  return {
    followers: end?.value ?? null,
    followersDay: end?.day ?? null,
    growth: growth?.gained ?? null,
    growthSince: growth && !growth.isWhole ? growth.first.day : null,
    growthPercent: percent === undefined ? null : Number(percent),
    posts,
    postsPerWeek: isApart || !isKnown || posts === null ? null : postsPerWeek(posts, days),
    medianEngagements: isApart ? null : (told?.median ?? null),
    // nothing was published, so there is nothing to engage with
    engagements: isApart || !isEngaged ? null : posts === 0 ? 0 : (told?.engagements ?? null),
    knownDays: days,
  }
}

/** Days of the range between two instants, in the project's zone. */
function knownDaysOf(
  { project }: Reader,
  known: { from: Date; to: Date },
  range: { from: string; to: string },
): number {
  const dayOf = (at: Date): string => {
    const { year, month, day } = wallTimeOf(at, project.zone)
    return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
  }
  const [first, last] = [dayOf(known.from), dayOf(known.to)]
  const from = first > range.from ? first : range.from
  const to = last < range.to ? last : range.to
  return to < from ? 0 : daysIn({ from, to })
}
