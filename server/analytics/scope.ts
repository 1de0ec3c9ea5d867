import { sql, type RawBuilder } from 'kysely'
import { termsOf } from '#contract/analytics/catalog/catalog.ts'
import type { InsightsFilter, InsightsRange } from '#contract/analytics/filter.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import type { insightsChannels } from '#contract/analytics/overview.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { TAG_SIGNS } from '#contract/hashtag.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import { wallTimeOf } from '#contract/time.ts'
import { pictureAddress } from '../access/channels.ts'
import { daysOf } from '../rangeDays.ts'
import type { Tx } from '../db/kysely.ts'
import type { CallerOrg, CallerProject } from '../http/route.ts'
import { mustHaveGate } from '../plans/gates.ts'

/** What the calls of the insights need of a request. */
export type Reader = {
  tx: Tx
  org: CallerOrg
  project: Pick<CallerProject, 'projectId' | 'channelIds' | 'zone'>
  now: Date
}

type Named = Omit<ReplyOf<typeof insightsChannels>['channels'][number], 'figures' | 'asOf'>
/** A channel with what decides whether its figures can be read. */
export type ScopeChannel = Named & {
  missingRights: string[]
  projectId: string
  /** What kind of account it is, as connecting named it. */
  kind: string | null
}

/** What a call covers: its days, the channels of its filter that the caller's role includes, and which of their posts. */
export type Scope = {
  range: InsightsRange
  /** Today in the project's zone. */
  today: string
  channels: ScopeChannel[]
  /** Platforms whose terms forbid adding their figures to others', rates and rankings. */
  apart: readonly PlatformKey[]
  /** Platforms whose further terms the operator has accepted. */
  accepted: readonly PlatformKey[]
  /** The projects of these channels. */
  projectIds: string[]
  /** A query of the posts' IDs; null for all posts. */
  posts: RawBuilder<unknown> | null
}

/**
 * Reads what a call covers. Throws PLAN_LIMIT on plans without analytics; with `free`, such plans get the last days that
 * Free includes.
 */
export async function loadScope(
  c: Reader,
  query: InsightsFilter,
  { accepted, free = false }: { accepted: readonly PlatformKey[]; free?: boolean },
): Promise<Scope> {
  const range = rangeOf(c, query)
  const newest = daysOf('seven', c.now, c.project.zone)
  if (!free || range.from < newest.from) mustHaveGate(c, 'analytics')
  const posts = await readPostsOf(c, query)
  if (posts !== null) await planEachTime(c.tx)
  return {
    range,
    today: todayIn(c),
    channels: await readChannels(c, query),
    apart: apartOf(accepted),
    accepted,
    projectIds: [c.project.projectId],
    posts,
  }
}

/** The platforms of the channels, each once. */
export const platformsOf = (channels: readonly Pick<ScopeChannel, 'platformName'>[]): PlatformKey[] => [
  ...new Set(channels.map(({ platformName }) => platformName)),
]

/** What is worked out of several figures of a platform, which terms can forbid. */
export const isWorkedOut = (name: FigureKey): boolean => name === 'engagements' || name === 'engagementRate'

/** Today in the project's zone. */
export function todayIn({ now, project }: { now: Date; project: Pick<Reader['project'], 'zone'> }): string {
  const { year, month, day } = wallTimeOf(now, project.zone)
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
}

/**
 * Has PostgreSQL plan the transaction's statements for their values. How a statement is best run depends on how many posts a campaign
 * or label has and on how long the range is: a plan for all of them, which it makes after five calls, takes up to ten times as long.
 */
export async function planEachTime(tx: Tx): Promise<void> {
  await sql`set local plan_cache_mode = force_custom_plan`.execute(tx)
}

/** Platforms whose terms forbid adding their figures to others', given the further terms that the operator has accepted. */
export const apartOf = (accepted: readonly PlatformKey[]): PlatformKey[] =>
  platformKeys.filter((key) => !termsOf(key, accepted).mayBeSummed)

function rangeOf({ now, project }: Reader, query: InsightsFilter): InsightsRange {
  const { from, to, compareFrom, compareTo } = query
  if (from === undefined || to === undefined) {
    const seven = daysOf('seven', now, project.zone)
    return { from: seven.from, to: seven.to, compare: { from: seven.compareFrom, to: seven.compareTo } }
  }
  return {
    from,
    to,
    compare: compareFrom === undefined || compareTo === undefined ? null : { from: compareFrom, to: compareTo },
  }
}

type Which = Pick<InsightsFilter, 'channelIds' | 'platforms'> & {
  /** All projects of the organization; only for its admins. */ isAcross?: boolean
}
/** The channels that the caller's role includes, deleted ones too, oldest connection first. */
export async function readChannels(
  c: Reader,
  { channelIds, platforms, isAcross = false }: Which,
): Promise<ScopeChannel[]> {
  const scope = c.project.channelIds && [...c.project.channelIds]
  const { rows } = await sql<ScopeChannel>`
    select ch.id as "channelId", ch.name as "channelName", ch.handle, ch.platform as "platformName", ${pictureAddress('ch')} as "profileUrl", ch.status, ch.simulated,
      ch.deleted_at is not null as deleted, ch.missing_rights as "missingRights", ch.kind, ch.project_id as "projectId"
    from channel ch
    where ch.org_id = ${c.org.orgId}
      ${isAcross ? sql`` : sql`and ch.project_id = ${c.project.projectId}`}
      ${scope ? sql`and ch.id = any(${scope}::uuid[])` : sql``}
      ${channelIds ? sql`and ch.id = any(${channelIds}::uuid[])` : sql``}
      ${platforms ? sql`and ch.platform = any(${platforms}::text[])` : sql``}
    order by ch.connected_at, ch.id`.execute(c.tx)
  return rows
}

/** A query of the IDs of the filter's posts. Those with a hashtag are looked up at once: a call asks for them up to fifty times. */
async function readPostsOf(
  c: Reader,
  { campaignId, labelId, hashtag }: InsightsFilter,
): Promise<RawBuilder<unknown> | null> {
  const { orgId } = c.org
  const queries: RawBuilder<unknown>[] = []
  if (campaignId !== undefined)
    queries.push(sql`select x.post_id from post_campaign x where x.org_id = ${orgId} and x.campaign_id = ${campaignId}`)
  if (labelId !== undefined)
    queries.push(sql`select x.post_id from post_label x where x.org_id = ${orgId} and x.label_id = ${labelId}`)
  if (hashtag !== undefined) queries.push(sql`select unnest(${await readTagged(c, hashtag)}::uuid[])`)
  return queries.length > 0 ? sql.join(queries, sql` intersect `) : null
}

/** What ends a word: the marks of accents and other scripts don't, as in `search_words`. */
const other = String.raw`[^[:alnum:]_\u0300-\u036f\u0591-\u05af\u06df-\u06ec\u093c\u094d\u09bc\u09cd\u0a3c\u0a4d\u0abc\u0acd\u0b3c\u0b4d\u0bcd\u0c3c\u0c4d\u0cbc\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e47-\u0e4e\u0ec8-\u0ece\u0f39\u0f84\u1037\u1039\u103a\u17c9-\u17d3\u200c\u200d\u3099\u309a\u30fb\u00b7]`

async function readTagged({ tx, org, project }: Reader, hashtag: string): Promise<string[]> {
  const word = hashtag.normalize('NFC').replace(/^[#＃]/, '')
  // the index of words finds the candidates; the text decides, because the index knows no #
  const { rows } = await sql<{ id: string }>`
    select o.id from post o where o.org_id = ${org.orgId} and o.id in (select search_posts(${project.projectId}::uuid, ${word})) and exists (
      select from jsonb_path_query(o.contents, 'strict $.**.text') t where (t #>> '{}') collate pg_unicode_fast ~* ${`(^|${other})[${TAG_SIGNS}]${word}($|${other})`})
    union select posts_with_hashtag(${project.projectId}::uuid, ${word})`.execute(tx)
  return rows.map(({ id }) => id)
}
