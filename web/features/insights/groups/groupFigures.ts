import type { ComparedGroup } from '#contract/analytics/compared.ts'
import type { ComparedFigure, ComparisonReason } from '#contract/analytics/filter.ts'
import { groupFigures } from '#contract/analytics/groupWords.ts'
import { figureName, shownValue, unitOf } from '#contract/analytics/labels.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import type { ChartData } from '#charts/data.ts'

type Figures = Pick<ComparedGroup, 'posts' | 'figures'>

/** A group's figure of its posts; undefined if none of them has it. */
export const figureOf = ({ figures }: Figures, name: FigureKey): ComparedFigure | undefined =>
  figures.find((one) => one.name === name)

const valueOf = (group: Figures, name: FigureKey): number | null =>
  name === 'published' ? group.posts : (figureOf(group, name)?.value ?? null)

/** Those that some group has, now or before, and those that none has. */
export function reportedIn(groups: readonly Figures[]): { reported: FigureKey[]; unreported: FigureKey[] } {
  const isReported = (name: FigureKey) =>
    groups.some((group) => {
      const figure = figureOf(group, name)
      return figure !== undefined && (figure.value !== null || figure.before !== null)
    })
  return {
    reported: groupFigures.filter(isReported),
    unreported: groupFigures.filter((name) => !isReported(name)),
  }
}

/** The one reason why none of a group's figures is compared; null if some are, or for different reasons. */
export function whyNoneCompared({ figures }: Pick<Figures, 'figures'>): ComparisonReason | null {
  const reasons = new Set(figures.filter(({ value }) => value !== null).map(({ whyNotComparable }) => whyNotComparable))
  const [only = null] = reasons
  return reasons.size === 1 ? only : null
}

/** One figure of all groups, a bar for each. Posts can be in several groups, so nothing is added up over them. */
export const sideBySide = (groups: readonly (Figures & { name: string })[], name: FigureKey): ChartData => ({
  axis: { kind: 'names', keys: groups.map((group) => group.name) },
  series: [
    { key: name, name: figureName(name), values: groups.map((group) => shownValue(name, valueOf(group, name))) },
  ],
  unit: unitOf(name).unit,
  adds: 'none',
})
