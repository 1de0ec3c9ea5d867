import { comparisonWords } from '#contract/analytics/comparisonWords.ts'
import { bioWords } from '#contract/analytics/labels.ts'
import { dayText } from '#contract/days.ts'
import { bioFigureNames, DELETED_LINK, type BioFigureName, type BioFigures } from '#contract/linkInBio/figures.ts'
import type { BlockOf } from '#contract/reports/content.ts'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import { valueText } from '#contract/values.ts'
import { lookAt } from '../../../charts/style.ts'
import { pagesOf } from '../../linkInBio/access.ts'
import { readPageFigures } from '../../linkInBio/figures.ts'
import type { DocumentFigure, Part } from '../document.ts'
import { nothing, type Built } from './block.ts'
import { changeText, comparedNote, directionOf } from './figureWords.ts'
import type { Reading } from './reading.ts'

const HEADING = 'Link in bio'

/** Views, visitors and clicks of a link in bio page, by day and by link. */
export async function readBio({ c, range }: Reading, { pageId }: BlockOf<'bio'>): Promise<Built> {
  const page = (await pagesOf(c)).find(({ id }) => id === pageId)
  if (!page) return nothing(HEADING, 'This link in bio page was deleted.')
  const heading = `${HEADING}: ${page.name}`
  const { from, to, compare } = range
  const figures = await readPageFigures(c, page, { from, to, ...(compare && { compare }) })
  if (figures.days.every(({ bioViews }) => bioViews === null))
    return nothing(heading, "The page didn't exist in these days.")
  const totals = bioFigureNames.map((name) => bioFigure(figures, name, range))
  return {
    heading,
    parts: [
      { kind: 'figures', figures: totals },
      chartOf(figures),
      ...(figures.items.length > 0 ? [itemsOf(figures)] : []),
    ],
    notes: [
      ...comparedNote(totals, range),
      'Visitors are counted once a day without cookies, so they are never added up.',
    ],
  }
}

/** A sum with its change; of visitors, the highest day. */
function bioFigure({ totals, days }: BioFigures, name: BioFigureName, { compare }: InsightsRange): DocumentFigure {
  const total = totals.find((one) => one.name === name)
  const [top] = days.toSorted((one, other) => (other[name] ?? -1) - (one[name] ?? -1))
  const isSum = total?.adds === 'sum'
  const value = isSum ? total.value : (top?.[name] ?? null)
  const change = isSum && compare ? total.changePercent : null
  const text = changeText({ changePercent: change, changePoints: null })
  const why = isSum && compare ? total.whyNotComparable : null
  return {
    title: bioWords[name].name,
    base: isSum ? 'in these days' : 'on the highest day',
    value: { text: valueText(value), value, unit: 'count' },
    change: text,
    direction: directionOf(change),
    changeValue: change,
    note: isSum ? (why === null ? null : comparisonWords[why]) : top && (value ?? 0) > 0 ? dayText(top.day) : null,
  }
}

function chartOf({ days }: BioFigures): Extract<Part, { kind: 'chart' }> {
  const drawn = bioFigureNames.filter((name) => name !== 'bioVisitors')
  return {
    kind: 'chart',
    data: {
      axis: { kind: 'days', keys: days.map(({ day }) => day) },
      series: drawn.map((name, place) => ({
        key: name,
        name: bioWords[name].name,
        look: lookAt(place),
        values: days.map((day) => day[name]),
      })),
      unit: 'count',
      adds: 'sum',
    },
    shape: null,
    height: 'm',
    label: 'Page views and link clicks by day',
  }
}

function itemsOf({ items }: BioFigures): Extract<Part, { kind: 'table' }> {
  const isLink = (url: string | null): url is string => url !== null && /^https?:\/\//iu.test(url) && URL.canParse(url)
  return {
    kind: 'table',
    columns: [
      { title: 'Link', align: 'start', unit: null },
      { title: 'Clicks', align: 'end', unit: 'count' },
    ],
    rows: items
      .toSorted((one, other) => (other.clicks ?? -1) - (one.clicks ?? -1))
      .map(({ label, url, clicks }) => [
        { text: label ?? DELETED_LINK, ...(isLink(url) ? { link: url } : {}) },
        { text: valueText(clicks), value: clicks },
      ]),
  }
}
