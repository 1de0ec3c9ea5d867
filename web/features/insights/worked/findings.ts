import { figureName, figureText } from '#contract/analytics/labels.ts'
import type { Spread, Worked, WorkedFigure, WorkedGroup } from '#contract/analytics/worked.ts'
import { count } from '#web/lib/format.ts'
import { groupName } from './workedWords.ts'

/** Groups with fewer posts prove nothing. */
const LEAST_POSTS = 8

type Told = { group: WorkedGroup; spread: Spread }

/**
 * What clearly worked better, a sentence each: only where the middle halves of two groups don't overlap, and both have at least 8
 * posts. Of the hours of a week some always stand out by chance, so there's nothing to say about them.
 */
export function findingsOf({ groups }: Pick<Worked, 'groups'>, figure: WorkedFigure, isOnePlatform: boolean): string[] {
  const told = groups.flatMap((group): Told[] =>
    group.spread !== null && group.posts >= LEAST_POSTS && group.by !== 'weekdayHour' && isKnown(group)
      ? [{ group, spread: group.spread }]
      : [],
  )
  const sorted = told.toSorted((one, other) => other.spread.median - one.spread.median)
  const [best, worst] = [sorted[0], sorted.at(-1)]
  if (!best || !worst || best === worst) return []
  const pairs: [Told, Told][] = []
  const below = fullest(sorted.filter((one) => one.spread.q3 < best.spread.q1))
  if (below) pairs.push([best, below])
  const above = fullest(sorted.filter((one) => one.spread.q1 > worst.spread.q3))
  if (above && !(above === best && below === worst)) pairs.push([above, worst])
  const had = figureName(figure).toLowerCase()
  const side = ({ group, spread }: Told, isFirst: boolean) => {
    const values = `${figureText(figure, spread.q1)} to ${figureText(figure, spread.q3)}`
    const name = groupName(group, { isOnePlatform })
    return isFirst
      ? `${name}: half of ${count(group.posts, 'post')} had ${figure === 'engagementRate' ? `a rate of ${values}` : `${values} ${had}`}`
      : `${name}: ${values} of ${count(group.posts, 'post')}`
  }
  return pairs.map(([high, low]) => `${side(high, true)}; ${side(low, false)}.`)
}

const fullest = (of: readonly Told[]): Told | undefined =>
  of.toSorted((one, other) => other.group.posts - one.group.posts)[0]

/** Posts of which nobody knows what they have in common are no advice. */
const isKnown = (group: WorkedGroup): boolean =>
  group.by === 'label'
    ? group.label !== null
    : group.by === 'length'
      ? group.length !== null
      : group.by !== 'format' || group.media !== null || group.postType !== 'post'
