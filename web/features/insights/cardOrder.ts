import type { FigureBase, FigureKey } from '#contract/analytics/names.ts'
import type { InsightsCard } from '#contract/analytics/overview.ts'

type Card = Pick<InsightsCard, 'base' | 'name' | 'value'>

/** The headline figures of each base: two rows, and one, where they're widest. */
export const firstFigures: Record<FigureBase, readonly FigureKey[]> = {
  inTheseDays: ['viewsAndImpressions', 'engagements', 'engagementRate', 'followers', 'followersGained', 'profileViews'],
  postsPublished: ['published', 'viewsAndImpressions', 'engagements', 'engagementRate'],
}

const ORDER: readonly FigureKey[] = [
  'published',
  ...firstFigures.inTheseDays,
  'reactions',
  'comments',
  'shares',
  'clicks',
  'saves',
  'videoViews',
  'profileActions',
  'watchSeconds',
]

/** The most asked for first, by base; a figure without a value comes after those with one. */
export const inOrder = <T extends Card>(cards: readonly T[]): T[] =>
  cards.toSorted((one, other) => rankOf(one) - rankOf(other))

const rankOf = ({ base, name, value }: Card): number => {
  const place = ORDER.indexOf(name)
  return (base === 'inTheseDays' ? 0 : 10_000) + (value === null ? 1000 : 0) + (place < 0 ? ORDER.length : place)
}
