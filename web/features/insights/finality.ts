import { platformFigure, platformFigures } from '#contract/analytics/catalog/catalog.ts'
import type { ComparedFigure, InsightsRange } from '#contract/analytics/filter.ts'
import { figureSource } from '#contract/analytics/sources.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { addDays, dayText } from '#web/lib/dates.ts'

type Platform = { platform: PlatformKey; figures: readonly ComparedFigure[] }

/**
 * Platforms whose days can still change: the last final one, null if none is, how many hours after its end a day is final, and in which
 * time zone it ends, if that isn't the project's.
 */
export type NotFinal = { finalUntil: string | null; hours: number; zone: string | null; platforms: PlatformKey[] }

/** When a day becomes final, and all of a range: "All of these days are final from 02 Dec 2026 on, 2 days after a day ends in America/Los Angeles." */
export const finalRule = ({ hours, zone }: Pick<NotFinal, 'hours' | 'zone'>, to: string): string => {
  const where = zone === null ? '' : ` in ${zone.replaceAll('_', ' ')}`
  return hours === 0
    ? `All of these days are final from ${dayText(addDays(to, 1))} on, once they were read.`
    : `All of these days are final from ${dayText(addDays(to, 1 + Math.ceil(hours / 24)))} on, ${hours % 24 === 0 && hours > 24 ? `${hours / 24} days` : `${hours} hours`} after a day ends${where}.`
}

/**
 * What isn't final yet of these days: platforms with the same last final day, delay and time zone together, the longest wait first.
 * A platform's earliest figure decides.
 */
export function notFinal(platforms: readonly Platform[], { to }: InsightsRange, projectZone: string): NotFinal[] {
  const groups = new Map<string, NotFinal>()
  for (const { platform, figures } of platforms) {
    const days = figures.filter((one) => one.base === 'inTheseDays' && (one.coverage.reportedDays ?? 0) > 0)
    if (days.length === 0) continue
    const earliest = days.map(({ coverage }) => dayOf(coverage)).toSorted()[0] ?? ''
    const finalUntil = earliest === '' ? null : earliest
    if (finalUntil !== null && finalUntil >= to) continue
    const last = days.filter(({ coverage }) => coverage.finalUntil === finalUntil).map((one) => delayOf(platform, one))
    const hours = Math.max(...last.map((one) => one.hours))
    const isOwnZone = last.some((one) => one.hours === hours && one.isSeries)
    const zone = isOwnZone && platformFigures[platform].zone !== projectZone ? platformFigures[platform].zone : null
    const key = `${finalUntil} ${hours} ${zone}`
    const group = groups.get(key) ?? { finalUntil, hours, zone, platforms: [] }
    group.platforms.push(platform)
    groups.set(key, group)
  }
  return [...groups.values()].toSorted((a, b) => dayOf(a).localeCompare(dayOf(b)) || b.hours - a.hours)
}

const dayOf = ({ finalUntil }: Pick<NotFinal, 'finalUntil'>): string => finalUntil ?? ''

/** How long after a day's end its value is final, as the platform says, and whether that is a day of the platform. */
function delayOf(platform: PlatformKey, { name, subject }: ComparedFigure): { hours: number; isSeries: boolean } {
  const source = figureSource(platform, 'inTheseDays', name, { postsOnly: subject === 'post' })
  const of = source?.kind === 'series' ? 'channel' : 'post'
  const delays = (source?.names ?? []).map((part) => platformFigure(platform, of, part)?.delayHours ?? 0)
  return { hours: Math.max(0, ...delays), isSeries: source?.kind === 'series' }
}
