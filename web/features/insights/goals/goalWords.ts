import type { Goal } from '#contract/analytics/goals.ts'
import { addsOf, figureName, figureText, termOf } from '#contract/analytics/labels.ts'
import { dayText } from '#web/lib/dates.ts'
import { count } from '#web/lib/format.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { finalSentence } from '#contract/analytics/insightWords.ts'
import type { NamedChannels } from '../useChannels.ts'

/** What a goal is of: "Followers of Instagram until 31 Dec 2026". */
export function subjectText({ figure, platform, channelIds, to }: Goal, channels: NamedChannels): string {
  const names = channelIds?.map((id) => channels.get(id)?.shownName ?? 'a deleted channel')
  const [first, ...others] = names ?? []
  const whose = platform
    ? ` of ${platformName(platform)}`
    : first === undefined
      ? ''
      : ` of ${others.length === 0 ? first : count(others.length + 1, 'channel')}`
  return `${platform ? termOf(platform, 'channel', figure) : figureName(figure)}${whose} until ${dayText(to)}`
}

const standings: Record<Goal['standing'], string> = {
  waiting: 'No figures yet',
  reached: 'Reached',
  ahead: 'Ahead',
  onPace: 'On pace',
  behind: 'Behind',
  missed: 'Missed',
  going: 'No pace yet',
}

/** How it's doing in a word or two; a goal whose days haven't begun says that. */
export const standingText = ({ standing, from }: Pick<Goal, 'standing' | 'from'>, today: string): string =>
  standing === 'waiting' && from > today ? 'Not begun' : standings[standing]

/** Why there's no value, although its days have begun. */
const noValue = ({ figure, standing }: Pick<Goal, 'figure' | 'standing'>): string => {
  const isOver = standing === 'missed'
  if (addsOf(figure) === 'last') return isOver ? 'No value of its days is known.' : 'No value of its days is known yet.'
  return isOver
    ? 'None of its days became final for all of its channels, so there is no value.'
    : 'None of its days is final yet. A day counts once it is final for all of its channels.'
}

/** How it's doing, a sentence each. */
export function paceSentences(goal: Goal, today: string): string[] {
  const { figure, value, until, expected, projected, standing, to, from } = goal
  const text = (amount: number) => figureText(figure, amount)
  if (value === null || until === null) return [from > today ? `Its days begin on ${dayText(from)}.` : noValue(goal)]
  return [
    addsOf(figure) === 'last' ? `Latest known value of ${dayText(until)}.` : finalSentence(until),
    ...(standing === 'reached' || standing === 'missed' || expected === null
      ? []
      : [`An even pace would have ${text(expected)} by then.`]),
    ...(projected === null || standing === 'reached'
      ? []
      : [`At the pace so far, it's ${text(projected)} on ${dayText(to)}.`]),
    ...(standing === 'going' ? ["It has no pace, because not all channels' values at the beginning are known."] : []),
  ]
}
