import type { ComparedFigure, InsightsRange } from '#contract/analytics/filter.ts'
import { unitOf } from '#contract/analytics/labels.ts'
import { isClicks, type FigureBase, type FigureKey } from '#contract/analytics/names.ts'
import type { MissingChannels } from '#contract/analytics/overview.ts'
import { spanText } from '#contract/days.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Part } from '../document.ts'
import { changeText, changeValue, columnOf, hasTotal, valueOf } from './figureWords.ts'
import { listed, reasonsFor } from './missingNotes.ts'

type Figure = { base: FigureBase; name: FigureKey }
type Table = Extract<Part, { kind: 'table' }>
type Cells = Table['rows'][number]
export type FigureRow = {
  name: string
  figures: readonly ComparedFigure[]
  /** Terms forbid ranking it among others. */ isApart: boolean
  /** Cells of further columns, after its name. */ more?: Cells
}

/** With more figures, there's no room for their changes. */
const MOST_WITH_CHANGES = 4

/** Whether the table has a column of changes beside each figure. */
const showsChanges = (asked: readonly Figure[], range: InsightsRange): boolean =>
  range.compare !== null && asked.length <= MOST_WITH_CHANGES

/** What is compared with in the columns of changes, or why there are none; nothing without a comparison. */
export function changesNote(asked: readonly Figure[], { compare, ...range }: InsightsRange): string[] {
  if (compare === null) return []
  return showsChanges(asked, { compare, ...range })
    ? [`Changes are compared with ${spanText(compare)}.`]
    : [`Changes aren't shown in tables of more than ${MOST_WITH_CHANGES} figures.`]
}

/** Figures that no row has, for a reason that all share: they can't be added up, or none of these platforms reports them. */
export function emptyNotes(
  rows: readonly Pick<FigureRow, 'figures'>[],
  asked: readonly Figure[],
  missing: readonly MissingChannels[],
): string[] {
  const empty = asked.filter(
    (one) => rows.every(({ figures }) => !findIn(figures, one)) && reasonsFor(missing, one).length === 0,
  )
  const [unsummed, unreported] = [
    empty.filter(({ base, name }) => !hasTotal(base, name)),
    empty.filter(({ base, name }) => hasTotal(base, name) && !isClicks(name)),
  ]
  const unclicked = empty.filter(({ name }) => isClicks(name))
  const titles = (all: readonly Figure[]) => listed(all.map(({ base, name }) => columnOf(base, name, undefined)))
  return [
    ...(unsummed.length > 0 ? [`Never added up, so there's no value of these days: ${titles(unsummed)}.`] : []),
    ...(unclicked.length > 0 ? [`Nobody clicked in these days: ${titles(unclicked)}.`] : []),
    ...(unreported.length > 0 ? [`None of these platforms reports it: ${titles(unreported)}.`] : []),
  ]
}

type Asked = {
  asked: readonly Figure[]
  range: InsightsRange
  /** The only platform of all rows. */ only: PlatformKey | undefined
  /** Further columns, after the names. */ more?: Table['columns']
  /** The rows stay in their order. */ inOrder?: boolean
}

/** A row for each channel or platform, the one with most of the first figure first. */
export function figureTable(
  head: string,
  rows: readonly FigureRow[],
  { asked, range, only, more = [], inOrder = false }: Asked,
): Table {
  const withChanges = showsChanges(asked, range)
  const [first] = asked
  const rankOf = ({ figures, isApart }: FigureRow): number =>
    isApart && only === undefined ? -Infinity : ((first && findIn(figures, first)?.value) ?? -1)
  return {
    kind: 'table',
    columns: [
      { title: head, align: 'start', unit: null },
      ...more,
      ...asked.flatMap(({ base, name }): Table['columns'][number][] => [
        { title: columnOf(base, name, only), align: 'end', unit: unitOf(name).unit },
        ...(withChanges ? [{ title: 'Change', align: 'end' as const, unit: 'percent' as const }] : []),
      ]),
    ],
    rows: (inOrder ? rows : rows.toSorted((one, other) => rankOf(other) - rankOf(one) || 0)).map((row): Cells => [
      { text: row.name },
      ...(row.more ?? []),
      ...asked.flatMap((one) => {
        const figure = findIn(row.figures, one)
        const { text, value } = valueOf(one.name, figure?.value)
        return [{ text, value }, ...(withChanges ? [changeCell(figure)] : [])]
      }),
    ]),
  }
}

const changeCell = (figure: ComparedFigure | undefined): Cells[number] => ({
  text: (figure && changeText(figure)) ?? '\u2013',
  value: figure ? changeValue(figure) : null,
})

const findIn = (figures: readonly ComparedFigure[], { base, name }: Figure): ComparedFigure | undefined =>
  figures.find((one) => one.base === base && one.name === name)
