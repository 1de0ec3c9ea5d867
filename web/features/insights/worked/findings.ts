import { findingsIn, type ToldGroup } from '#contract/analytics/findings.ts'
import { figureName, figureText } from '#contract/analytics/labels.ts'
import type { Worked, WorkedFigure } from '#contract/analytics/worked.ts'
import { groupName } from '#contract/analytics/workedNames.ts'
import { count } from '#web/lib/format.ts'

/** What clearly worked better, a sentence each. */
export function findingsOf(reply: Pick<Worked, 'groups'>, figure: WorkedFigure, isOnePlatform: boolean): string[] {
  const had = figureName(figure).toLowerCase()
  const values = ({ spread }: ToldGroup) => `${figureText(figure, spread.q1)} to ${figureText(figure, spread.q3)}`
  const name = (group: ToldGroup) => groupName(group, { isOnePlatform })
  return findingsIn(reply).map(({ high, low }) => {
    const what = figure === 'engagementRate' ? `a rate of ${values(high)}` : `${values(high)} ${had}`
    return `${name(high)}: half of ${count(high.posts, 'post')} had ${what}; ${name(low)}: ${values(low)} of ${count(low.posts, 'post')}.`
  })
}
