import { isOfPosts, postColumns } from '#contract/analytics/postColumns.ts'
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

/** The columns to choose from: what one of these platforms reports of posts. */
export const columnsOf = (platforms: readonly PlatformKey[]): FigureKey[] =>
  postColumns.filter((name) => platforms.some((platform) => isOfPosts(platform, name)))

/** The columns of the address that exist, in the table's order; the usual ones without any. */
export function shownColumns(chosen: readonly FigureKey[] | undefined, offered: readonly FigureKey[]): FigureKey[] {
  const wanted = chosen?.length ? chosen : firstColumns
  const shown = offered.filter((name) => wanted.includes(name))
  return shown.length > 0 ? shown : offered.slice(0, 1)
}
