import { columnsOf, ownColumn } from '#contract/analytics/postColumns.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'

/** The columns until someone chooses others. */
const firstColumns: readonly FigureKey[] = [
  'viewsAndImpressions',
  'engagements',
  'engagementRate',
  'reactions',
  'comments',
  'shares',
  'saves',
  'clicks',
]

/** The columns of the address that posts of these platforms have, in the table's order; the usual ones without any. */
export function shownColumns(chosen: readonly FigureKey[] | undefined, platforms: readonly PlatformKey[]): FigureKey[] {
  const offered = columnsOf(platforms)
  const wanted = (chosen?.length ? chosen : firstColumns).map((name) => ownColumn(name, platforms))
  const shown = offered.filter((name) => wanted.includes(name))
  return shown.length > 0 ? shown : offered.slice(0, 1)
}
