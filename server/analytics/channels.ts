import type { FigureBase, FigureKey } from '#contract/analytics/names.ts'
import type { insightsChannels } from '#contract/analytics/overview.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { newest } from './newest.ts'
import { quartilesOf } from './quartiles.ts'
import { missingIn, readReadings } from './missing.ts'
import { isWorkedOut, platformsOf, readChannels, type Reader, type Scope, type ScopeChannel } from './scope.ts'
import { rateOf } from './likeWithLike.ts'
import { countOf, listFigures, namesOfBases } from './summary.ts'
import { idOf, type FigureId } from './channelTotals.ts'
import { readTotals, subjectOf, totalOf, type Totals } from './totals.ts'

type Reply = ReplyOf<typeof insightsChannels>

type Named = { channelId: string; channelName: string; platformName: PlatformKey }

/** With fewer channels, a median would show what a single one has. */
const LEAST_FOR_MEDIAN = 3

/**
 * One row per channel of the scope, and medians. Admins of the organization may see all of its channels, so their medians
 * cover them; everyone else's cover the channels of their role.
 */
export async function readChannelTotals(
  c: Reader,
  scope: Scope,
  {
    names,
    base,
    most,
    medians = true,
    totals: given,
  }: {
    names?: readonly FigureKey[] | undefined
    base?: FigureBase | undefined
    most?: number | undefined
    /** Whether platforms' medians are wanted, which need further channels. */
    medians?: boolean | undefined
    /** What the scope's channels have, where that's read already. */
    totals?: Totals | undefined
  },
): Promise<Reply> {
  const platforms = platformsOf(scope.channels)
  const isAcross = c.org.isAdmin && scope.posts === null
  const comparable = medians ? await readChannels(c, { platforms, isAcross }) : []
  const all = new Map([...scope.channels, ...comparable].map((channel) => [channel.channelId, channel]))
  const wanted = onlyOf(base, namesOfBases(names))
  const everything = {
    ...scope,
    channels: [...all.values()],
    projectIds: [...new Set([...scope.projectIds, ...comparable.map(({ projectId }) => projectId)])],
  }
  const isEverything = all.size === scope.channels.length
  const totals =
    given && isEverything ? given : await readTotals(c, everything, most === undefined ? wanted : withFollowers(wanted))
  const rows = scope.channels.flatMap((channel): Reply['channels'] => {
    const own = totals.get(channel.channelId)
    // a deleted channel is only worth a row while the range has something of it
    if (!own && channel.deleted) return []
    const figures = listFigures(wanted).flatMap(({ base, name }) => {
      // nothing is worked out of figures whose terms forbid it
      if (scope.apart.includes(channel.platformName) && isWorkedOut(name)) return []
      const sum = totalOf(scope, totals, [channel], { base, name })
      const total = name === 'published' ? countOf(sum, scope) : sum
      return total.value === null && total.before === null
        ? []
        : [{ base, subject: subjectOf(scope, base), name, ...total }]
    })
    return [{ ...channel, figures, asOf: own?.asOf ?? null }]
  })
  const channels = most === undefined ? rows : largest(rows, scope, totals).slice(0, most)
  const shown = new Set(channels.map(({ channelId }) => channelId))
  const isShown = ({ channelId }: ScopeChannel) => shown.has(channelId)
  const missingOf = most === undefined ? scope : { ...scope, channels: scope.channels.filter(isShown) }
  return {
    range: scope.range,
    channels,
    total: rows.length,
    missing: missingIn(missingOf, totals, listFigures(wanted), {
      ...(await readReadings(c, missingOf)),
      isAlone: true,
    }),
    apart: scope.apart.filter((platform) => platforms.includes(platform)),
    medians: mediansOf(
      comparable.filter(({ deleted, platformName }) => !deleted && !scope.apart.includes(platformName)),
      totals,
      listFigures(wanted),
    ),
    mediansOf: isAcross ? 'organization' : 'project',
    asOf: newest(channels.map(({ asOf }) => asOf)),
  }
}

type Names = ReturnType<typeof namesOfBases>
const onlyOf = (base: FigureBase | undefined, names: Names): Names =>
  base === undefined ? names : { inTheseDays: [], postsPublished: [], [base]: names[base] }

/** What the order needs as well. */
const withFollowers = (names: Names): Names => ({
  ...names,
  inTheseDays: [...new Set<FigureKey>([...names.inTheseDays, 'followers'])],
})

/** Those with the most followers first; those whose terms forbid ranking, and those without followers, after them by name. */
function largest<Row extends Named>(rows: readonly Row[], scope: Scope, totals: Totals): Row[] {
  const rankOf = ({ channelId, platformName }: Row): number =>
    scope.apart.includes(platformName)
      ? -1
      : (totals.get(channelId)?.sums.get(idOf('inTheseDays', 'followers'))?.value ?? -1)
  return rows.toSorted((one, other) => rankOf(other) - rankOf(one) || (one.channelName < other.channelName ? -1 : 1))
}

function mediansOf(
  channels: readonly ScopeChannel[],
  totals: Totals,
  figures: ReturnType<typeof listFigures>,
): Reply['medians'] {
  const values = new Map<PlatformKey, Map<FigureId, number[]>>()
  for (const { channelId, platformName } of channels) {
    const ofPlatform = values.get(platformName) ?? new Map<FigureId, number[]>()
    values.set(platformName, ofPlatform)
    const own = totals.get(channelId)
    for (const { base, name } of figures) {
      const id = idOf(base, name)
      const sum = own?.sums.get(id)?.value ?? null
      // a channel that published nothing has 0 posts, and its rank
      const value =
        name === 'engagementRate' ? rateOf(own?.rates.get(id)?.value) : name === 'published' ? (sum ?? 0) : sum
      if (value !== null) ofPlatform.set(id, [...(ofPlatform.get(id) ?? []), value])
    }
  }
  return [...values].flatMap(([platform, ofPlatform]) =>
    figures.flatMap(({ base, name }) => {
      const all = ofPlatform.get(idOf(base, name)) ?? []
      if (all.length < LEAST_FOR_MEDIAN) return []
      const [q1, value, q3] = quartilesOf(all)
      return [{ platform, base, name, value, q1, q3, channels: all.length }]
    }),
  )
}
