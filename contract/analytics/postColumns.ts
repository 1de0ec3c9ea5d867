import type { PlatformKey } from '../platforms/rules.ts'
import { namesOf, platformFigure } from './catalog/catalog.ts'
import { FigureName } from './catalog/names.ts'
import { derivedFigures, type FigureKey } from './names.ts'
import { figureSource } from './sources.ts'

/** What the post table can show of a post: what is worked out of its figures, then what platforms report of posts. */
export const postColumns: readonly FigureKey[] = [
  ...derivedFigures.filter((name) => name !== 'published'),
  ...namesOf('post'),
]

/** Whether the platform reports this of its posts, or all that it's worked out of. */
export function isOfPosts(platform: PlatformKey, name: FigureKey): boolean {
  if (name === 'engagementRate') return isOfPosts(platform, 'engagements') && isOfPosts(platform, 'viewsAndImpressions')
  const known = FigureName.safeParse(name)
  return known.success
    ? platformFigure(platform, 'post', known.data) !== undefined
    : figureSource(platform, 'postsPublished', name) !== undefined
}
