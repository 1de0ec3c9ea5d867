import type { CollectingChannel } from '#contract/analytics/collecting.ts'
import type { InsightsFilter } from '#contract/analytics/filter.ts'
import { addDays, daysBetween, type Day } from '#web/lib/dates.ts'

/**
 * What is still to come of a channel, or what is in the way:
 * - `disconnected`: the channel is signed out
 * - `rights`: reconnecting it allows the reading
 * - `off`: reading costs money, and no limit is set
 * - `late`: the last reading failed, `at` is when the next one is tried
 * - `history`: older figures are being read, by now back to `day`; `done` of `all` days
 * - `soon`: nothing was read yet
 * - `posts`: the newest posts are being found, `done` of `all`
 */
export type CollectingLine = { channelId: string } & (
  | { kind: 'disconnected' }
  | { kind: 'rights' }
  | { kind: 'off' }
  | { kind: 'soon' }
  | { kind: 'late'; at: string | null }
  | { kind: 'history'; day: Day; done: number; all: number }
  | { kind: 'posts'; done: number; all: number }
)

/** What people should know about the readings of these channels, what is in the way first; at most two lines for each. */
export function collectingLines(channels: readonly CollectingChannel[], today: Day): CollectingLine[] {
  const inTheWay: CollectingLine[] = []
  const toCome: CollectingLine[] = []
  for (const { channelId, status, readings, missingRights } of channels) {
    if (status !== 'CONNECTED') {
      inTheWay.push({ channelId, kind: 'disconnected' })
      continue
    }
    const late = readings.find(({ state }) => state === 'late')
    if (missingRights.length > 0 || readings.some(({ state }) => state === 'rights'))
      inTheWay.push({ channelId, kind: 'rights' })
    else if (readings.some(({ state }) => state === 'off')) inTheWay.push({ channelId, kind: 'off' })
    else if (late) inTheWay.push({ channelId, kind: 'late', at: late.nextReadAt })
    if (isUnread(readings)) toCome.push({ channelId, kind: 'soon' })
    const history = readings.find(({ kind }) => kind === 'history')
    if (history?.backfilledTo && history.backfillUntil && isGoingOn(history.state))
      toCome.push({
        channelId,
        kind: 'history',
        day: history.backfilledTo,
        done: daysBetween(history.backfilledTo, addDays(today, 1)),
        all: daysBetween(history.backfillUntil, addDays(today, 1)),
      })
    const posts = readings.find(({ kind }) => kind === 'posts')
    if (posts?.wanted && posts.imported !== null && posts.imported < posts.wanted && isGoingOn(posts.state))
      toCome.push({ channelId, kind: 'posts', done: posts.imported, all: posts.wanted })
  }
  return [...inTheWay, ...toCome]
}

/** How many of the channels nothing was read of yet; only of the platform, or of these channels. */
export const countUnread = (
  channels: readonly CollectingChannel[],
  { platforms, channelIds }: Pick<InsightsFilter, 'platforms' | 'channelIds'>,
): number =>
  channels.filter(
    ({ channelId, platformName, status, readings }) =>
      status === 'CONNECTED' &&
      isUnread(readings) &&
      (platforms?.includes(platformName) ?? true) &&
      (channelIds?.includes(channelId) ?? true),
  ).length

const isUnread = (readings: CollectingChannel['readings']): boolean =>
  readings.every(({ state }) => state === 'unavailable')

const isGoingOn = (state: string): boolean => state === 'waiting' || state === 'reading' || state === 'late'
