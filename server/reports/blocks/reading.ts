import type { FigureKey } from '#contract/analytics/names.ts'
import type { ReportContent } from '#contract/reports/content.ts'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import { daysOfReport } from '#contract/reports/range.ts'
import { nameOnPlatform } from '#contract/channelNames.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { readChannelTotals } from '../../analytics/channels.ts'
import { loadScope, platformsOf, readChannels, todayIn, type Scope, type ScopeChannel } from '../../analytics/scope.ts'
import { readShownNames } from '../../analytics/shownNames.ts'
import { namesOfBases, readSummary } from '../../analytics/summary.ts'
import { readTotals, type Totals } from '../../analytics/totals.ts'
import type { Tx } from '../../db/kysely.ts'
import type { CallerOrg, CallerProject } from '../../http/route.ts'
import { narrowKey, narrowScope, type Narrowed } from './narrow.ts'
import { needsOf, type Need } from './needs.ts'

/** Whose rights a report is read with, in a transaction of their tenant: a request's, or those of someone who isn't there. */
export type ReportReader = { tx: Tx; org: CallerOrg; project: CallerProject; now: Date }

/** Platforms whose further terms on figures the operator has accepted. */
export type ReadDeps = { accepted: readonly PlatformKey[] }

/** What blocks are read from. What several of them need is read once. */
export type Reading = {
  c: ReportReader
  content: ReportContent
  range: InsightsRange
  /** What the report covers as a whole. */
  scope: Scope
  /** The channels of the reader's role. */
  channels: readonly ScopeChannel[]
  /** "Northlight (Instagram)": what a channel is called, by its ID. */
  nameOf: (channelId: string) => string
  /** Its place among the project's channels, by which it gets its color. */
  placeOf: (channelId: string) => number
  scopeOf: (narrowed: Narrowed) => Scope
  summaryOf: (narrowed: Narrowed) => ReturnType<typeof readSummary>
  channelsOf: (narrowed: Narrowed) => ReturnType<typeof readChannelTotals>
  /** Runs `read` once for a key. */
  once: <T>(key: string, read: () => Promise<T>) => Promise<T>
}

/** Prepares the reading of a report. Throws PLAN_LIMIT on plans without analytics. */
export async function openReading(
  c: ReportReader,
  { content, today }: { content: ReportContent; today?: string | undefined },
  { accepted }: ReadDeps,
): Promise<Reading> {
  const range = daysOfReport(content.days, today ?? todayIn(c))
  const scope = await loadScope(c, queryOf(content, range), { accepted })
  const channels = await readChannels(c, {})
  const names = await readShownNames(c)
  const byId = new Map(channels.map((channel) => [channel.channelId, channel]))
  const inOrder = [...channels.filter(({ deleted }) => !deleted), ...channels.filter(({ deleted }) => deleted)]
  const places = new Map(inOrder.map(({ channelId }, place) => [channelId, place]))
  const once = remembering()
  const needs = needsOf(content.blocks)
  const scopeOf = (narrowed: Narrowed) => narrowScope(scope, narrowed)
  const totalsOf = (narrowed: Narrowed): Promise<Totals> =>
    once(`totals ${narrowKey(narrowed)}`, () =>
      readTotals(c, scopeOf(narrowed), namesIn(needs.get(narrowKey(narrowed)))),
    )
  return {
    c,
    content,
    range,
    scope,
    channels,
    nameOf: (id) => {
      const channel = byId.get(id)
      return channel ? nameOnPlatform(names.get(id) ?? channel.channelName, channel.platformName) : 'A deleted channel'
    },
    placeOf: (id) => places.get(id) ?? places.size,
    scopeOf,
    summaryOf: (narrowed) =>
      once(`summary ${narrowKey(narrowed)}`, async () => {
        const need = needs.get(narrowKey(narrowed))
        return await readSummary(c, scopeOf(narrowed), {
          names: [...(need?.inTheseDays ?? [])],
          postNames: [...(need?.postsPublished ?? [])],
          byPlatform: [...(need?.byPlatform ?? [])],
          totals: await totalsOf(narrowed),
        })
      }),
    channelsOf: (narrowed) =>
      once(`channels ${narrowKey(narrowed)}`, async () => {
        const need = needs.get(narrowKey(narrowed))
        const names = [...new Set([...(need?.inTheseDays ?? []), ...(need?.postsPublished ?? [])])]
        const totals = await totalsOf(narrowed)
        return await readChannelTotals(c, scopeOf(narrowed), { names, totals, medians: false })
      }),
    once,
  }
}

/** The only platform of the channels; undefined if they're of several. */
export function onlyPlatform(scope: Scope): PlatformKey | undefined {
  const [first, second] = platformsOf(scope.channels)
  return second === undefined ? first : undefined
}

const queryOf = ({ channelIds, platforms, campaignId, labelId, hashtag }: ReportContent, range: InsightsRange) => ({
  from: range.from,
  to: range.to,
  ...(range.compare && { compareFrom: range.compare.from, compareTo: range.compare.to }),
  ...(channelIds && { channelIds }),
  ...(platforms && { platforms }),
  ...(campaignId !== null && { campaignId }),
  ...(labelId !== null && { labelId }),
  ...(hashtag !== null && { hashtag }),
})

/** What totals are read for: the figures of each base, and in both those of platforms. Of posts, their number is always needed. */
function namesIn(need: Need | undefined) {
  const {
    inTheseDays = new Set<FigureKey>(),
    postsPublished = new Set<FigureKey>(),
    byPlatform = new Set<FigureKey>(),
  } = need ?? {}
  return namesOfBases([...inTheseDays, ...byPlatform], ['published', ...postsPublished, ...byPlatform])
}

function remembering() {
  const known = new Map<string, Promise<unknown>>()
  return <T>(key: string, read: () => Promise<T>): Promise<T> => {
    // what is remembered under a key was read by the same kind of read
    const found = known.get(key) as Promise<T> | undefined
    if (found) return found
    const reading = read()
    known.set(key, reading)
    return reading
  }
}
