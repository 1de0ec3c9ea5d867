import type { insightsSeries } from '#contract/analytics/overview.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { ChartData } from '#charts/data.ts'
import type { Day } from '#web/lib/dates.ts'

type Lines = Pick<ReplyOf<typeof insightsSeries>, 'days' | 'series'>

/** The figures that growth is drawn from. */
export const growthFigures = ['followers', 'followersGained', 'followersLost'] as const satisfies readonly FigureKey[]

const valuesOf = ({ series }: Lines, name: FigureKey) => series.find((one) => one.name === name)?.values ?? []

/** How many followers there were on the first and on the last day that has them; null if no two days do. */
export function netGrowth(lines: Lines): { from: Day; to: Day; first: number; last: number } | null {
  const known = valuesOf(lines, 'followers').flatMap((value, i) => {
    const day = lines.days[i]
    return value === null || day === undefined ? [] : [{ day, value }]
  })
  const [first, last] = [known[0], known.at(-1)]
  if (!first || !last || first === last) return null
  return { from: first.day, to: last.day, first: first.value, last: last.value }
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
