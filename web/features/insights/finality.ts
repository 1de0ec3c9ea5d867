import { platformFigure } from '#contract/analytics/catalog/catalog.ts'
import type { ComparedFigure, InsightsRange } from '#contract/analytics/filter.ts'
import { figureSource } from '#contract/analytics/sources.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'

type Platform = { platform: PlatformKey; figures: readonly ComparedFigure[] }

/** Platforms whose days can still change: the last final one, null if none is, and how many hours after its end a day is final. */
export type NotFinal = { finalUntil: string | null; hours: number; platforms: PlatformKey[] }

/**
 * What isn't final yet of these days: platforms with the same last final day and the same delay together, the longest wait first.
 * A platform's earliest figure decides.
 */
export function notFinal(platforms: readonly Platform[], { to }: InsightsRange): NotFinal[] {
  const groups = new Map<string, NotFinal>()
  for (const { platform, figures } of platforms) {
    const days = figures.filter((one) => one.base === 'inTheseDays' && (one.coverage.reportedDays ?? 0) > 0)
    if (days.length === 0) continue
    const earliest = days.map(({ coverage }) => dayOf(coverage)).toSorted()[0] ?? ''
    const finalUntil = earliest === '' ? null : earliest
    if (finalUntil !== null && finalUntil >= to) continue
    const hours = Math.max(
      ...days.filter(({ coverage }) => coverage.finalUntil === finalUntil).map((one) => delayOf(platform, one)),
    )
    const key = `${finalUntil} ${hours}`
    const group = groups.get(key) ?? { finalUntil, hours, platforms: [] }
    group.platforms.push(platform)
    groups.set(key, group)
  }
  return [...groups.values()].toSorted((a, b) => dayOf(a).localeCompare(dayOf(b)) || b.hours - a.hours)
}

const dayOf = ({ finalUntil }: Pick<NotFinal, 'finalUntil'>): string => finalUntil ?? ''

/** How long after a day's end its value is final, as the platform says. */
function delayOf(platform: PlatformKey, { name, subject }: ComparedFigure): number {
  const source = figureSource(platform, 'inTheseDays', name, { postsOnly: subject === 'post' })
  const of = source?.kind === 'series' ? 'channel' : 'post'
  return Math.max(0, ...(source?.names ?? []).map((part) => platformFigure(platform, of, part)?.delayHours ?? 0))
}
