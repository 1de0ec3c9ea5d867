import { findingsIn, type ToldGroup } from '#contract/analytics/findings.ts'
import { figureText } from '#contract/analytics/labels.ts'
import type { Worked, WorkedFigure } from '#contract/analytics/worked.ts'
import { groupName } from '#contract/analytics/workedNames.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { figureWord } from './workedFigures.ts'
import { count } from '#web/lib/format.ts'

/** What clearly worked better, a sentence each. */
export function findingsOf(reply: Pick<Worked, 'groups'>, figure: WorkedFigure, platform?: PlatformKey): string[] {
  const had = figureWord(figure, platform).toLowerCase()
  const values = ({ spread }: ToldGroup) => `${figureText(figure, spread.q1)} to ${figureText(figure, spread.q3)}`
  const name = (group: ToldGroup) => groupName(group, { isOnePlatform: platform !== undefined })
  return findingsIn(reply).map(({ high, low }) => {
    const what = figure === 'engagementRate' ? `a rate of ${values(high)}` : `${values(high)} ${had}`
    return `${name(high)}: half of ${count(high.posts, 'post')} had ${what}; ${name(low)}: ${values(low)} of ${count(low.posts, 'post')}.`
  })
}
