import { coverageText } from '#contract/analytics/coverageText.ts'
import type { ComparedFigure, InsightsRange } from '#contract/analytics/filter.ts'
import { comparisonWords } from '#contract/analytics/comparisonWords.ts'
import { missingForReaders } from '#contract/analytics/insightWords.ts'
import { addsOf, baseTerm, baseText, cardTitle, figureText, shownValue, unitOf } from '#contract/analytics/labels.ts'
import { figureBases, isClicks, type FigureBase, type FigureKey } from '#contract/analytics/names.ts'
import type { MissingReason } from '#contract/analytics/overview.ts'
import { figuresOfBase } from '#contract/analytics/sources.ts'
import { spanText } from '#contract/days.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { DocumentFigure, Value } from '../document.ts'

/* Figures of a report in words: pure, from what the insights say of them. */

/** A stored value as it's shown. */
export const valueOf = (name: FigureKey, value: number | null | undefined): Value => ({
  text: figureText(name, value),
  value: shownValue(name, value ?? null),
  unit: unitOf(name).unit,
})

/** The base that a figure is read in: the asked one, or the other one if only that has it, such as published posts. */
export const baseFor = (asked: FigureBase, name: FigureKey): FigureBase =>
  [asked, ...figureBases].find((base) => figuresOfBase[base].includes(name)) ?? asked

type Changed = Pick<ComparedFigure, 'changePercent' | 'changePoints'>

/** What changes are compared with, once for all figures of a block that shows some. */
export const comparedNote = (
  figures: readonly Pick<DocumentFigure, 'change'>[],
  { compare }: InsightsRange,
): string[] =>
  compare && figures.some(({ change }) => change !== null) ? [`Changes are compared with ${spanText(compare)}.`] : []

/** "+12.50%", "−0.35 pts": a change with its sign; null if there's none. */
export function changeText({ changePercent, changePoints }: Changed): string | null {
  const value = changePoints ?? changePercent
  if (value === null) return null
  const sign = value > 0 ? '+' : value < 0 ? '\u2212' : ''
  return `${sign}${Math.abs(value).toFixed(2)}${changePoints !== null ? ' pts' : '%'}`
}
export const changeValue = ({ changePercent, changePoints }: Changed): number | null => changePoints ?? changePercent

export const directionOf = (change: number | null): DocumentFigure['direction'] =>
  change === null ? null : change > 0 ? 'up' : change < 0 ? 'down' : 'same'

type Told = {
  /** The only platform of the block: figures are in its own words then. */ only?: PlatformKey | undefined
  /** The platform that it's of, among others. */ of?: PlatformKey | undefined
  /** Why each channel that isn't in it isn't. */ reasons: readonly MissingReason[]
}

/** A figure of a report, with its change and what is to say about both. */
export function figureOf(figure: ComparedFigure, range: InsightsRange, { only, of, reasons }: Told): DocumentFigure {
  const { base, name, value } = figure
  const text = changeText(figure)
  const change = changeValue(figure)
  return {
    title: titleOf(base, name, { only, of }),
    base: baseText(base, name),
    value: valueOf(name, value),
    change: range.compare ? text : null,
    direction: directionOf(change),
    changeValue: change,
    note: value === null ? whyNoValue(name, reasons) : (notesOf(figure, range) ?? null),
  }
}

/** A figure without a card: one that no channel of the block can have, or clicks before someone clicked, which are 0. */
export const absentFigure = (base: FigureBase, name: FigureKey, { only }: Pick<Told, 'only'>): DocumentFigure => ({
  title: titleOf(base, name, { only }),
  base: baseText(base, name),
  value: valueOf(name, isClicks(name) ? 0 : null),
  change: null,
  direction: null,
  changeValue: null,
  note: isClicks(name) ? null : hasTotal(base, name) ? NOBODY_REPORTS : 'Never added up, so it has no total',
})
const NOBODY_REPORTS = 'None of these platforms reports it'

/** Whether the figure has a total at all. */
export const hasTotal = (base: FigureBase, name: FigureKey): boolean => figuresOfBase[base].includes(name)

/** "Views", or "Views on YouTube" of a platform that stands on its own. */
const titleOf = (base: FigureBase, name: FigureKey, { only, of }: Pick<Told, 'only' | 'of'>): string =>
  of ? `${baseTerm(base, name, of)} on ${platformLabel(of)}` : baseTerm(base, name, only)

/** The title of a figure where both bases are beside each other, such as above a column. */
export const columnOf = (base: FigureBase, name: FigureKey, only: PlatformKey | undefined): string =>
  cardTitle(base, name, only)

function whyNoValue(name: FigureKey, reasons: readonly MissingReason[]): string {
  const [first, second] = new Set(reasons)
  if (first !== undefined && second === undefined) return missingForReaders[first]
  return addsOf(name) === 'last' ? 'Not known in these days' : 'No figures in these days'
}

/** Why it isn't compared, and how much of the days it covers. */
function notesOf(figure: ComparedFigure, range: InsightsRange): string | undefined {
  const { whyNotComparable: why } = figure
  const texts = [range.compare && why !== null ? comparisonWords[why] : undefined, coverageText(figure, range)]
  return texts.filter((text) => text !== undefined).join('. ') || undefined
}

/** "YouTube's terms": whose terms decide what may be done with figures. */
export const termsOf = (platforms: readonly PlatformKey[]): string => {
  const [one, ...others] = platforms
  return one !== undefined && others.length === 0 ? `${platformLabel(one)}'s terms` : 'their terms'
}
