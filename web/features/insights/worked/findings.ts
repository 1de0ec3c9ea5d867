import { findingsIn, type ToldGroup } from '#contract/analytics/findings.ts'
import { figureText, unitOf } from '#contract/analytics/labels.ts'
import type { Worked, WorkedFigure } from '#contract/analytics/worked.ts'
import { groupName } from '#contract/analytics/workedNames.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { figureWord } from './workedFigures.ts'
import { count } from '#web/lib/format.ts'

/** What clearly worked better, a sentence each: "usually" is what the middle half of the posts has. */
export function findingsOf(reply: Pick<Worked, 'groups'>, figure: WorkedFigure, platform?: PlatformKey): string[] {
  const had = figureWord(figure, platform).toLowerCase()
  const values = ({ spread }: ToldGroup) => `${figureText(figure, spread.q1)} to ${figureText(figure, spread.q3)}`
  const name = (group: ToldGroup) => groupName(group, { isOnePlatform: platform !== undefined })
  return findingsIn(reply).map(({ high, low }) => {
    const more = unitOf(figure).unit === 'count' ? `more ${had}` : `a higher ${had}`
    const usual = (group: ToldGroup) => `${values(group)} (${count(group.posts, 'post')})`
    return `${name(high)} had ${more} than ${name(low)}: usually ${usual(high)}, against ${usual(low)}.`
  })
}
