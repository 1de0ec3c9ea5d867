import type { InsightsCard } from '#contract/analytics/overview.ts'

type Card = Pick<InsightsCard, 'subject' | 'name' | 'value'>

/** The most asked for first; a figure without a value comes after those with one. */
export const inOrder = <T extends Card>(cards: readonly T[]): T[] =>
  cards.toSorted((one, other) => rankOf(one) - rankOf(other))

const rankOf = ({ subject, name, value }: Card): number => {
  const place = ORDER.indexOf(`${subject} ${name}`)
  return (value === null ? 1000 : 0) + (place < 0 ? ORDER.length : place)
}
const ORDER = [
  'post viewsAndImpressions',
  'post engagements',
  'post engagementRate',
  'channel followers',
  'post published',
  'channel followersGained',
  'post reactions',
  'post comments',
  'post shares',
  'post clicks',
  'post saves',
  'post videoViews',
  'channel profileViews',
  'channel profileActions',
  'post watchSeconds',
]
