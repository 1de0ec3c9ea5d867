import type { insightsChannels } from '#contract/analytics/overview.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { compared } from './compare.ts'
import { readChannels, type Reader, type Scope, type ScopeChannel } from './scope.ts'
import { newest } from './newest.ts'
import { figureOf, readTotals, type ChannelTotals, type TotalsKey } from './totals.ts'

type Reply = ReplyOf<typeof insightsChannels>

/** With fewer channels, a median would show what a single one has. */
const LEAST_FOR_MEDIAN = 3

/**
 * One row per channel of the scope, and medians. Admins of the organization may see all of its channels, so their medians
 * cover them; everyone else's cover the channels of their role.
 */
export async function readChannelTotals(c: Reader, scope: Scope): Promise<Reply> {
  const platforms = [...new Set(scope.channels.map(({ platformName }) => platformName))]
  const isAcross = c.org.isAdmin && scope.posts === null
  const comparable = await readChannels(c, { platforms, isAcross })
  const all = new Map([...scope.channels, ...comparable].map((channel) => [channel.channelId, channel]))
  const totals = await readTotals(c, {
    ...scope,
    channels: [...all.values()],
    projectIds: [...new Set([...scope.projectIds, ...comparable.map(({ projectId }) => projectId)])],
  })
  const channels = scope.channels.flatMap((channel): Reply['channels'] => {
    const own = totals.get(channel.channelId)
    // a deleted channel is only worth a row while the range has something of it
    if (!own && channel.deleted) return []
    const figures = [...(own?.figures ?? [])].map(([key, pair]) => {
      const { subject, name } = figureOf(key)
      return compared(subject, name, pair)
    })
    return [{ ...channel, figures, asOf: own?.asOf ?? null }]
  })
  return {
    range: scope.range,
    channels,
    medians: mediansOf(
      comparable.filter(({ deleted, platformName }) => !deleted && !scope.apart.includes(platformName)),
      totals,
    ),
    mediansOf: isAcross ? 'organization' : 'project',
    asOf: newest(channels.map(({ asOf }) => asOf)),
  }
}

function mediansOf(channels: readonly ScopeChannel[], totals: ReadonlyMap<string, ChannelTotals>): Reply['medians'] {
  const values = new Map<PlatformKey, Map<TotalsKey, number[]>>()
  for (const { channelId, platformName } of channels) {
    const ofPlatform = values.get(platformName) ?? new Map<TotalsKey, number[]>()
    values.set(platformName, ofPlatform)
    for (const [key, { value }] of totals.get(channelId)?.figures ?? [])
      if (value !== null) ofPlatform.set(key, [...(ofPlatform.get(key) ?? []), value])
  }
  return [...values].flatMap(([platform, ofPlatform]) =>
    [...ofPlatform].flatMap(([key, all]) =>
      all.length < LEAST_FOR_MEDIAN ? [] : [{ platform, ...figureOf(key), value: median(all), channels: all.length }],
    ),
  )
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [below = 0, above = 0] = [sorted[middle - (sorted.length % 2 === 0 ? 1 : 0)], sorted[middle]]
  return (below + above) / 2
}
