import type { FigureBase, FigureKey } from '#contract/analytics/names.ts'
import type { InsightsCard } from '#contract/analytics/overview.ts'

type Card = Pick<InsightsCard, 'base' | 'name' | 'value'>

/** The headline figures of each base: two rows, and one, where they're widest. */
export const firstFigures: Record<FigureBase, readonly FigureKey[]> = {
  inTheseDays: ['viewsAndImpressions', 'engagements', 'engagementRate', 'followers', 'followersGained', 'profileViews'],
  postsPublished: ['published', 'viewsAndImpressions', 'engagements', 'engagementRate'],
}

/** Where the cards of each base are. */
export const cardGrid: Record<FigureBase, string> = {
  inTheseDays: 'grid grid-cols-[repeat(2,minmax(0,1fr))] gap-2.5 md:grid-cols-[repeat(3,minmax(0,1fr))]',
  postsPublished: 'grid grid-cols-[repeat(2,minmax(0,1fr))] gap-2.5 lg:grid-cols-[repeat(4,minmax(0,1fr))]',
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
