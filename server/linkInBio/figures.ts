import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { bioWords } from '#contract/analytics/labels.ts'
import { harmless, writeCsv } from '#contract/csv.ts'
import { percentChange } from '#contract/format.ts'
import {
  bioFigureNames,
  bioFigures,
  DELETED_LINK,
  type BioFigureName,
  type BioFigures,
} from '#contract/linkInBio/figures.ts'
import { isCounted } from '#contract/linkInBio/links.ts'
import { wallTimeOf } from '#contract/time.ts'
import { comparedPostDays } from '../analytics/postSums.ts'
import { todayIn } from '../analytics/scope.ts'
import { mustHaveGate } from '../plans/gates.ts'
import { addDays, daysIn, daysOf } from '../rangeDays.ts'
import type { Asker, PageRow } from './access.ts'

type Days = {
  from?: string | undefined
  to?: string | undefined
  /** The days compared, before the range; as many before it by default. */
  compare?: { from: string; to: string } | undefined
}
type Figures = Record<BioFigureName, number>
/** What a page was counted on a day; number 0 is the page itself. */
type Count = { day: string; number: number; views: number; visitors: number; clicks: number }

/** A page's figures by day and item. Throws PLAN_LIMIT for earlier days on plans that only have the last ones. */
export async function readPageFigures(c: Asker, page: PageRow, query: Days): Promise<BioFigures> {
  const range = rangeOf(c, query)
  const isIn = (day: string, { from, to }: { from: string; to: string }) => day >= from && day <= to
  const counts = (await readCounts(c, page, { from: range.compare.from, to: range.to })).filter(
    ({ day }) => isIn(day, range) || isIn(day, range.compare),
  )
  const items = await readItems(c, page)
  const today = todayIn(c)
  const created = dayOf(page.created_at, c.project.zone)
  const isKnown = ({ to }: { to: string }) => to >= created
  const byDay = figuresByDay(counts)
  const sumIn = (name: BioFigureName, { from, to }: { from: string; to: string }): number =>
    [...byDay].reduce((sum, [day, figures]) => sum + (day >= from && day <= to ? figures[name] : 0), 0)
  const [clicks, clicksBefore] = [range, range.compare].map((days) => clicksByNumber(counts, days))
  const clicksOf = (number: number) => clicks?.get(number) ?? 0
  const before = (number: number) => (isKnown(range.compare) ? (clicksBefore?.get(number) ?? 0) : null)
  const { published: over } = comparedPostDays(range, today)
  const numbers = new Set(items.map(({ number }) => number))
  const gone = [
    ...new Set(counts.flatMap(({ number, clicks }) => (clicks > 0 && !numbers.has(number) ? [number] : []))),
  ]
  return {
    range,
    totals: bioFigureNames.map((name): BioFigures['totals'][number] => {
      const { adds } = bioFigures[name]
      const none = { value: null, before: null, changePercent: null, compared: null, whyNotComparable: null }
      if (adds === 'none') return { name, adds, ...none }
      const from = ({ from: first }: { from: string }) => ({ from: first, to: addDays(first, over - 1) })
      // of days before it was created there's nothing to compare with
      const canCompare = over > 0 && range.compare.from >= created
      const compared = canCompare ? { value: sumIn(name, from(range)), before: sumIn(name, from(range.compare)) } : null
      const percent = compared ? percentChange(compared.value, compared.before) : undefined
      return {
        name,
        adds,
        value: isKnown(range) ? sumIn(name, range) : null,
        before: isKnown(range.compare) ? sumIn(name, range.compare) : null,
        changePercent: percent === undefined ? null : Number(percent),
        compared,
        whyNotComparable: percent !== undefined ? null : over === 0 ? 'notFinal' : 'nothingBefore',
      }
    }),
    days: daysFrom(range).map((day) => {
      const isThere = day >= created && day <= today
      const figures = byDay.get(day)
      const valueOf = (name: BioFigureName) => (isThere || figures ? (figures?.[name] ?? 0) : null)
      return {
        day,
        bioViews: valueOf('bioViews'),
        bioVisitors: valueOf('bioVisitors'),
        bioClicks: valueOf('bioClicks'),
      }
    }),
    items: [
      ...items.map((item) => ({
        ...item,
        clicks: isCounted(item.url) ? clicksOf(item.number) : null,
        before: isCounted(item.url) ? before(item.number) : null,
      })),
      ...gone
        .toSorted((one, other) => one - other)
        .map((number) => ({
          number,
          kind: null,
          label: null,
          url: null,
          clicks: clicksOf(number),
          before: before(number),
        })),
    ],
  }
}

/** The same as a table: a row per day, and a column per item that was clicked or can be. */
export async function pageFiguresCsv(c: Asker, page: PageRow, query: Days): Promise<{ name: string; bytes: Readable }> {
  const { range, days, items } = await readPageFigures(c, page, query)
  const counts = await readCounts(c, page, range)
  const clicks = new Map(counts.map((one) => [`${one.day} ${one.number}`, one.clicks]))
  const columns = items.filter((item) => item.clicks !== null)
  const cell = (value: number | null | undefined) => String(value ?? '')
  const rows = days.map(({ day, bioViews, bioVisitors, bioClicks }) => [
    day,
    ...[bioViews, bioVisitors, bioClicks].map(cell),
    ...columns.map(({ number }) => cell(clicks.get(`${day} ${number}`) ?? (bioViews === null ? null : 0))),
  ])
  const head = [
    'Day',
    ...bioFigureNames.map((name) => bioWords[name].name),
    ...columns.map(({ label, number }) => `Clicks: ${label ?? `${DELETED_LINK} ${String(number)}`}`),
  ]
  const bytes = Readable.from([`\uFEFF${writeCsv([head.map(harmless), ...rows])}`], { objectMode: false })
  return { name: `link-in-bio-${range.from}-${range.to}`, bytes }
}

/** The range, and as many days before it. */
function rangeOf(c: Asker, { from, to, compare }: Days): BioFigures['range'] {
  const newest = daysOf('seven', c.now, c.project.zone)
  const range = { from: from ?? newest.from, to: to ?? newest.to }
  if (range.from < newest.from) mustHaveGate(c, 'analytics')
  return {
    ...range,
    compare: compare ?? { from: addDays(range.from, -daysIn(range)), to: addDays(range.from, -1) },
  }
}

async function readCounts(
  { tx, org }: Asker,
  { id }: PageRow,
  { from, to }: { from: string; to: string },
): Promise<Count[]> {
  const { rows } = await sql<Count>`
    select day::text, number, views, visitors, clicks from bio_count
    where org_id = ${org.orgId} and page_id = ${id} and day between ${from}::date and ${to}::date order by day, number`.execute(
    tx,
  )
  return rows
}

const readItems = async ({ tx, org }: Asker, { id }: PageRow) =>
  (
    await sql<{ number: number; kind: 'button' | 'post'; label: string; url: string }>`
      select number, kind, label, url from bio_item where org_id = ${org.orgId} and page_id = ${id} order by kind, position`.execute(
      tx,
    )
  ).rows

/** The items' clicks on these days, by number. */
function clicksByNumber(counts: readonly Count[], { from, to }: { from: string; to: string }): Map<number, number> {
  const found = new Map<number, number>()
  for (const { day, number, clicks } of counts)
    if (day >= from && day <= to) found.set(number, (found.get(number) ?? 0) + clicks)
  return found
}

function figuresByDay(counts: readonly Count[]): Map<string, Figures> {
  const found = new Map<string, Figures>()
  for (const { day, views, visitors, clicks } of counts) {
    const sums = found.get(day) ?? { bioViews: 0, bioVisitors: 0, bioClicks: 0 }
    found.set(day, {
      bioViews: sums.bioViews + views,
      bioVisitors: sums.bioVisitors + visitors,
      bioClicks: sums.bioClicks + clicks,
    })
  }
  return found
}

function dayOf(instant: Date, zone: string): string {
  const { year, month, day } = wallTimeOf(instant, zone)
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
}

const daysFrom = (range: { from: string; to: string }): string[] =>
  Array.from({ length: daysIn(range) }, (_, n) => addDays(range.from, n))
