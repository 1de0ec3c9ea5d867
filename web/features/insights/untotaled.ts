import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import { definitionOf, type FigureName } from '#contract/analytics/catalog/names.ts'
import type { FigureBase, FigureKey } from '#contract/analytics/names.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'

type Figure = { base: FigureBase; name: FigureKey }

/**
 * What a platform reports but can't be added up: people, who are counted once, and averages. Of its channels it's shown by
 * channel, of its posts by post.
 */
export function untotaledOf(platform: PlatformKey): Figure[] {
  const { channel, post } = platformFigures[platform]
  const of = (base: FigureBase, figures: readonly { name: FigureName }[]) =>
    figures.flatMap(({ name }): Figure[] => (definitionOf(name).adds === 'none' ? [{ base, name }] : []))
  return [...of('inTheseDays', channel), ...of('postsPublished', post)]
}
