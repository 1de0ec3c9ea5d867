import { columnsOf, isOfPosts, ownColumn } from '#contract/analytics/postColumns.ts'
import { isClicks, type FigureKey } from '#contract/analytics/names.ts'
import type { PostTableRow } from '#contract/analytics/posts.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'

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

/** The columns after the post as they're read: on a phone, the one that decides the order comes first, so that it's in view. */
export function columnsInView(
  columns: readonly FigureKey[],
  sort: 'publishedAt' | FigureKey,
  isPhone: boolean,
): ('publishedAt' | FigureKey)[] {
  const first = isPhone && sort !== 'publishedAt' && columns.includes(sort) ? [sort] : []
  return [...first, 'publishedAt', ...columns.filter((name) => !first.includes(name))]
}

type Of = {
  platform: PlatformKey | undefined
  /** Platforms whose terms forbid working anything out. */ apart: readonly PlatformKey[]
}

/** Why a post has no such figure. */
export function whyMissing({ readAt }: Pick<PostTableRow, 'readAt'>, name: FigureKey, { platform, apart }: Of): string {
  if (isClicks(name)) return 'No clicks'
  const isWorkedOut = name === 'engagements' || name === 'engagementRate'
  if (platform && apart.includes(platform) && isWorkedOut)
    return `${platformName(platform)}'s terms don't allow working this out`
  if (platform && !isOfPosts(platform, name)) return `${platformName(platform)} doesn't report this of posts`
  return readAt === null ? 'Not read yet' : 'Not reported for this post'
}
