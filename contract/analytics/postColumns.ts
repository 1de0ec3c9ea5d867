import type { PlatformKey } from '../platforms/rules.ts'
import { namesOf, platformFigure } from './catalog/catalog.ts'
import { FigureName } from './catalog/names.ts'
import { derivedFigures, viewNames, type FigureKey } from './names.ts'
import { figureSource } from './sources.ts'

/** What the post table can show of a post: what is worked out of its figures, then what platforms report of posts. */
export const postColumns: readonly FigureKey[] = [
  ...derivedFigures.filter((name) => name !== 'published'),
  ...namesOf('post'),
]

/** The columns for posts of these platforms: what at least one of them reports. Of one platform, no two have the same name. */
export function columnsOf(platforms: readonly PlatformKey[]): FigureKey[] {
  const columns = [...new Set(postColumns.map((name) => ownColumn(name, platforms)))]
  return columns.filter((name) => platforms.some((platform) => isOfPosts(platform, name)))
}

/** The column that shows the figure of posts of these platforms: of one platform, views and impressions together are its own. */
export function ownColumn(name: FigureKey, platforms: readonly PlatformKey[]): FigureKey {
  const [platform] = platforms
  if (platform === undefined || platforms.length > 1 || name !== 'viewsAndImpressions') return name
  return viewNames.find((own) => platformFigure(platform, 'post', own)) ?? name
}

/** Whether the platform reports this of its posts, or all that it's worked out of. */
export function isOfPosts(platform: PlatformKey, name: FigureKey): boolean {
  if (name === 'engagementRate') return isOfPosts(platform, 'engagements') && isOfPosts(platform, 'viewsAndImpressions')
  const known = FigureName.safeParse(name)
  return known.success
    ? platformFigure(platform, 'post', known.data) !== undefined
    : figureSource(platform, 'postsPublished', name) !== undefined
}
