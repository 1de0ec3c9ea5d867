import type { Spread, Worked, WorkedGroup } from './worked.ts'

/** Groups with fewer posts prove nothing. */
export const FINDING_LEAST_POSTS = 8

/** A group that can be in a finding. */
export type ToldGroup = WorkedGroup & { spread: Spread }
/** Two groups whose middle halves don't overlap: every post of the middle half of `high` has more than any of that of `low`. */
export type Finding = { high: ToldGroup; low: ToldGroup }

/**
 * What clearly worked better, at most two findings: only where the middle halves of two groups don't overlap, and both have at least
 * 8 posts. Of the many times of a week some always stand out by chance, so there's nothing to say about them.
 */
export function findingsIn({ groups }: Pick<Worked, 'groups'>): Finding[] {
  const sorted = groups.filter(isTold).toSorted((one, other) => other.spread.median - one.spread.median)
  const [best, worst] = [sorted[0], sorted.at(-1)]
  if (!best || !worst || best === worst) return []
  const below = fullest(sorted.filter(({ spread }) => spread.q3 < best.spread.q1))
  const above = fullest(sorted.filter(({ spread }) => spread.q1 > worst.spread.q3))
  return [
    ...(below ? [{ high: best, low: below }] : []),
    ...(above && !(above === best && below === worst) ? [{ high: above, low: worst }] : []),
  ]
}

const isTold = (group: WorkedGroup): group is ToldGroup =>
  group.spread !== null && group.posts >= FINDING_LEAST_POSTS && !isOfManyTimes(group) && isKnown(group)

const isOfManyTimes = ({ by }: WorkedGroup): boolean => by === 'weekdayHour' || by === 'weekdayPart'

const fullest = (of: readonly ToldGroup[]): ToldGroup | undefined =>
  of.toSorted((one, other) => other.posts - one.posts)[0]

/** Posts of which nobody knows what they have in common are no advice. */
const isKnown = (group: WorkedGroup): boolean =>
  group.by === 'label'
    ? group.label !== null
    : group.by === 'length'
      ? group.length !== null
      : group.by !== 'format' || group.media !== null || group.postType !== 'post'
