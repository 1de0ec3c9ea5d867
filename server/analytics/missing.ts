import { sql } from 'kysely'
import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import { isCountedHere, type FigureBase, type FigureKey } from '#contract/analytics/names.ts'
import { figureSource } from '#contract/analytics/sources.ts'
import type { MissingChannels, MissingReason } from '#contract/analytics/overview.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { addDays } from '../rangeDays.ts'
import { idOf } from './channelTotals.ts'
import { DAYS_TO_END } from './gainSums.ts'
import { readTotals, type Totals } from './totals.ts'
import { isWorkedOut, type Reader, type Scope, type ScopeChannel } from './scope.ts'
import { rateFor, sourceFor } from './wanted.ts'

type Figure = { base: FigureBase; name: FigureKey }
/** How a reading of a channel's own figures stands. */
type SyncState = { channel_id: string; state: string; isRead: boolean }

/** How the readings of channels stand, which is why figures can be missing. */
type Readings = {
  syncs: ReadonlyMap<string, SyncState>
  /** Of what was published elsewhere. */
  lists: ReadonlyMap<string, SyncState>
  followers: ReadonlyMap<string, number>
}
export async function readReadings(c: Reader, scope: Scope): Promise<Readings> {
  const [syncs, lists, followers] = await Promise.all([
    readSyncs(c, scope.channels),
    readSyncs(c, scope.channels, 'posts'),
    followersOf(c, scope),
  ])
  return { syncs, lists, followers }
}

/**
 * Which channels aren't in which figures and why: one entry for all of a platform that have the same reason for the same figures.
 * With `isAlone`, each channel's figures are its own: terms only forbid what is worked out of several.
 */
export function missingIn(
  scope: Scope,
  totals: Totals,
  figures: readonly Figure[],
  { isAlone = false, syncs, lists, followers }: Readings & { isAlone?: boolean },
): MissingChannels[] {
  const groups = new Map<string, MissingChannels>()
  for (const channel of scope.channels) {
    if (channel.deleted) continue
    const { channelId, platformName: platform } = channel
    const facts = {
      sync: syncs.get(channelId),
      list: lists.get(channelId),
      followers: followers.get(channelId) ?? null,
    }
    const place = { scope, channel, totals, isAlone, ...facts }
    const reasons = Map.groupBy(
      figures.flatMap((figure) => {
        const reason = whyMissing(place, figure)
        return reason ? [{ figure, reason }] : []
      }),
      ({ reason }) => reason,
    )
    for (const [reason, missing] of reasons) {
      const key = `${platform} ${reason} ${missing.map(({ figure }) => idOf(figure.base, figure.name)).join()}`
      const group = groups.get(key)
      if (group) group.channelIds.push(channelId)
      else
        groups.set(key, {
          platform,
          reason,
          channelIds: [channelId],
          figures: byBase(missing.map(({ figure }) => figure)),
        })
    }
  }
  return [...groups.values()]
}

function byBase(figures: readonly Figure[]): MissingChannels['figures'] {
  const found: MissingChannels['figures'] = {}
  for (const { base, name } of figures) found[base] = [...(found[base] ?? []), name]
  return found
}

type Place = {
  scope: Scope
  channel: ScopeChannel
  totals: Totals
  isAlone: boolean
  sync: SyncState | undefined
  /** Of what was published elsewhere. */
  list: SyncState | undefined
  followers: number | null
}

/** Why a channel isn't in a figure; null if it is. */
function whyMissing(
  { scope, channel, totals, isAlone, sync, list, followers }: Place,
  { base, name }: Figure,
): MissingReason | null {
  if (isCountedHere(name)) return null
  const { channelId, platformName: platform } = channel
  const kind = sourceKind(scope, channel, { base, name })
  if (kind === undefined) return hasBothSides(scope, channel, { base, name }) ? 'countedDifferently' : 'notReported'
  if (scope.apart.includes(platform) && (!isAlone || isWorkedOut(name))) return 'termsForbid'
  const own = totals.get(channelId)
  const id = idOf(base, name)
  const known = own?.sums.get(id) ?? own?.rates.get(id)
  // what a channel had until it was disconnected is no more than that
  if (known && known.value !== null)
    return channel.status !== 'CONNECTED' && kind === 'series' && endsEarly(known, scope) ? 'disconnected' : null
  if (kind === 'series') return whyNotRead(channel, { sync, followers })
  if (channel.status !== 'CONNECTED') return 'disconnected'
  if (sync?.state === 'off' || list?.state === 'off') return 'off'
  if (kind === 'posts') {
    // until the channel's list was read, nobody knows of posts from elsewhere
    if ((own?.sums.get(idOf('postsPublished', 'published'))?.value ?? 0) === 0)
      return list && !list.isRead ? 'notReadYet' : 'noPosts'
    return [...(own?.sources.keys() ?? [])].some(
      (one) => one.startsWith('postsPublished.') && !one.endsWith('.published'),
    )
      ? 'nothingReported'
      : 'notReadYet'
  }
  // what was read later is no reading of these days
  return own?.isRead === true || scope.range.to < addDays(scope.today, -DAYS_TO_END) ? 'nothingReported' : 'notReadYet'
}

/** Whether a channel's values end before the range does, and before they'd have to. */
function endsEarly(
  { finalUntil, delayDays }: { finalUntil: string | null; delayDays: number },
  { range, today }: Scope,
): boolean {
  const final = addDays(today, -1 - delayDays)
  return finalUntil === null || finalUntil < (range.to < final ? range.to : final)
}

function sourceKind(scope: Scope, channel: ScopeChannel, { base, name }: Figure) {
  if (base === 'inTheseDays')
    return name === 'engagementRate' ? rateFor(scope, channel)?.whole.kind : sourceFor(scope, channel, name)?.kind
  const sides = name === 'engagementRate' ? (['viewsAndImpressions', 'engagements'] as const) : [name]
  const sources = sides.map((side) => figureSource(channel.platformName, base, side)?.kind)
  return sources.includes(undefined) ? undefined : sources[0]
}

/** Whether a rate lacks only that its two sides are counted in the same way. */
const hasBothSides = (scope: Scope, channel: ScopeChannel, { base, name }: Figure): boolean =>
  base === 'inTheseDays' &&
  name === 'engagementRate' &&
  (['viewsAndImpressions', 'engagements'] as const).every((side) => sourceFor(scope, channel, side) !== undefined)

/** Why nothing is known of a channel's own figures: what is in the way of its reading. */
export function whyNotRead(
  { status, platformName, missingRights }: Pick<ScopeChannel, 'status' | 'platformName' | 'missingRights'>,
  {
    sync,
    followers,
    leastFollowers = platformFigures[platformName].leastFollowers,
  }: { sync: SyncState | undefined; followers: number | null; leastFollowers?: number | undefined },
): MissingReason {
  const { needs = [] } = platformFigures[platformName]
  if (status !== 'CONNECTED') return 'disconnected'
  if (sync?.state === 'rights' || needs.some((right) => missingRights.includes(right))) return 'rightsMissing'
  if (sync?.state === 'off') return 'off'
  if (leastFollowers !== undefined && followers !== null && followers < leastFollowers) return 'tooFewFollowers'
  return sync?.isRead === true ? 'nothingReported' : 'notReadYet'
}

/** How the reading of these channels' own figures stands, by channel. */
export async function readSyncs(
  { tx, org }: Reader,
  channels: readonly Pick<ScopeChannel, 'channelId'>[],
  kind: 'days' | 'audience' | 'posts' = 'days',
): Promise<Map<string, SyncState>> {
  const { rows } = await sql<SyncState>`
    select s.channel_id, s.state, s.read_at is not null as "isRead" from insight_sync s
    where s.org_id = ${org.orgId} and s.kind = ${kind} and s.channel_id = any(${channels.map(({ channelId }) => channelId)}::uuid[])`.execute(
    tx,
  )
  return new Map(rows.map((row) => [row.channel_id, row]))
}

/** Followers of the channels whose platform reports nothing about small accounts. */
async function followersOf(c: Reader, scope: Scope): Promise<Map<string, number>> {
  const asks = (platform: PlatformKey) => platformFigures[platform].leastFollowers !== undefined
  const channels = scope.channels.filter(({ platformName }) => asks(platformName))
  if (channels.length === 0) return new Map()
  const names = { inTheseDays: ['followers'], postsPublished: [] } as const
  const totals = await readTotals(c, { ...scope, channels, posts: null }, names)
  return new Map(
    [...totals].flatMap(([id, { sums }]) => {
      const value = sums.get(idOf('inTheseDays', 'followers'))?.value ?? null
      return value === null ? [] : [[id, value] as const]
    }),
  )
}
