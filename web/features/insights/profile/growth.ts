import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import { growthIn, LEVEL_DAYS, type Growth, type Level } from '#contract/analytics/growth.ts'
import type { insightsSeries, MissingReason } from '#contract/analytics/overview.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import { hasNoSeries } from '#contract/analytics/sources.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ChartData } from '#charts/data.ts'
import { addDays, dayText, type Day } from '#web/lib/dates.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'

type Lines = Pick<ReplyOf<typeof insightsSeries>, 'days' | 'series'>

/** The figures that growth is drawn from. */
export const growthFigures = ['followers', 'followersGained', 'followersLost'] as const satisfies readonly FigureKey[]

const valuesOf = ({ series }: Lines, name: FigureKey) => series.find((one) => one.name === name)?.values ?? []

/** The days before a range in which its growth can begin. */
export const daysBefore = (from: Day): { from: Day; to: Day } => ({
  from: addDays(from, -1 - LEVEL_DAYS),
  to: addDays(from, -1),
})

/** How the followers grew in the days of `lines`, from the day before them, which `before` has. */
export function netGrowth(lines: Lines, before: Lines | undefined): Growth | null {
  const [from, to] = [lines.days[0], lines.days.at(-1)]
  if (from === undefined || to === undefined) return null
  return growthIn({ from, to }, [...(before ? levelsOf(before) : []), ...levelsOf(lines)])
}

const levelsOf = (lines: Lines): Level[] =>
  valuesOf(lines, 'followers').flatMap((value, i) => {
    const day = lines.days[i]
    return value === null || day === undefined ? [] : [{ day, value }]
  })

/** "Followers: 12,480 on 30 Nov 2026, 210 more than on 23 Nov 2026, the day before these days." */
export function growthText(term: string, { first, last, gained, isWhole }: Growth): string {
  const change =
    gained === 0 ? 'as many as' : `${Math.abs(gained).toLocaleString('en')} ${gained > 0 ? 'more' : 'fewer'} than`
  const since = isWhole ? 'before these days' : 'the first day that we know of'
  return `${term}: ${last.value.toLocaleString('en')} on ${dayText(last.day)}, ${change} on ${dayText(first.day)}, ${since}.`
}

type Whose = { term: string; platform: PlatformKey; kind: string | null }

/** Why the growth isn't known; `reason` is why the followers at the end of these days aren't, if that is said. */
export function noGrowthText(lines: Lines, whose: Whose, reason?: MissingReason): string {
  const { term } = whose
  const [last, ...others] = levelsOf(lines).toReversed()
  if (last === undefined) return unknownText(whose, reason)
  return others.length === 0
    ? `${term} were reported on one day only, so the growth isn't known yet.`
    : `${term} were last reported on ${dayText(last.day)}, so the growth up to the end of these days isn't known.`
}

function unknownText({ term, platform, kind }: Whose, reason: MissingReason | undefined): string {
  const [name, { channel }] = [platformName(platform), platformFigures[platform]]
  const reported = channel.find((figure) => figure.name === 'followers')
  if (reported === undefined) return `${name} doesn't report ${term.toLowerCase()}.`
  if (kind !== null && hasNoSeries(platform, kind))
    return `${name} doesn't report ${term.toLowerCase()} of ${kind.toLowerCase()}s.`
  if (reason === 'notReadYet') return `${term} haven't been read yet.`
  const because =
    (reason && inTheWay[reason]) ??
    (reported.historyDays === 0
      ? `${name} only reports the current number, and it wasn't read on any of them.`
      : `${name} reported none.`)
  return `${term} aren't known in these days: ${because}`
}
const inTheWay: Partial<Record<MissingReason, string>> = {
  rightsMissing: 'reconnect the channel to allow reading them.',
  disconnected: "reconnect the channel, because nothing new is read while it's disconnected.",
  off: 'reading them costs money, and no monthly limit is set.',
  tooFewFollowers: 'the platform only reports them for accounts with more of them.',
}

/** Followers by day; undefined if none were reported. */
export function followersChart(lines: Lines, name: string): ChartData | undefined {
  const values = valuesOf(lines, 'followers')
  if (values.every((value) => value === null)) return undefined
  return { axis: { kind: 'days', keys: lines.days }, series: [{ key: 'followers', name, values }], adds: 'last' }
}

/** Who started and who stopped following, by day, as far as the platform reports it; those who stopped are below zero. */
export function changesChart(lines: Lines, names: { gained: string; lost: string }): ChartData | undefined {
  const [gained, lost] = [valuesOf(lines, 'followersGained'), valuesOf(lines, 'followersLost')]
  const has = (values: readonly (number | null)[]) => values.some((value) => value !== null)
  const series = [
    ...(has(gained) ? [{ key: 'gained', name: names.gained, values: gained }] : []),
    ...(has(lost)
      ? [
          {
            key: 'lost',
            name: names.lost,
            values: lost.map((value) => (value === null ? null : value === 0 ? 0 : -value)),
          },
        ]
      : []),
  ]
  return series.length > 0 ? { axis: { kind: 'days', keys: lines.days }, series } : undefined
}
