import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import { figureGroups } from '#contract/analytics/figureGroups.ts'
import { derivedFigures, type FigureBase, type FigureKey } from '#contract/analytics/names.ts'
import { isOfPosts, postColumns } from '#contract/analytics/postColumns.ts'
import { figureSource } from '#contract/analytics/sources.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'

const inOrder: readonly FigureKey[] = figureGroups.flatMap(({ names }): readonly FigureKey[] => names)
const isDerived = (name: FigureKey) => derivedFigures.some((one) => one === name)

/** The figures that the platforms report in a base, as the insights list them; what is chosen already stays. */
export function figuresOffered(
  base: FigureBase,
  platforms: readonly PlatformKey[],
  chosen: readonly FigureKey[] = [],
): FigureKey[] {
  const isReported = (name: FigureKey) =>
    platforms.some((platform) =>
      base === 'postsPublished'
        ? isOfPosts(platform, name)
        : figureSource(platform, base, name) !== undefined ||
          platformFigures[platform].channel.some((figure) => figure.name === name),
    )
  return inOrder.filter((name) => chosen.includes(name) || isDerived(name) || isReported(name))
}

/** The figures of posts, for tables and lists of posts. */
export const postFiguresOffered = (platforms: readonly PlatformKey[], chosen: readonly FigureKey[] = []): FigureKey[] =>
  inOrder.filter(
    (name) =>
      chosen.includes(name) || (postColumns.includes(name) && platforms.some((platform) => isOfPosts(platform, name))),
  )
