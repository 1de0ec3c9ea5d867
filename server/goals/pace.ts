import { GOAL_LEAST_DAYS, type Goal } from '#contract/analytics/goals.ts'
import { addDays, daysIn } from '../rangeDays.ts'

/* How a goal is doing. Pure: queries read what its channels had by day, and this decides what may be said about it. */

/** What is known of a figure: of each channel, its values by day from the goal's first day on, null where there's none. */
export type GoalLine = readonly (number | null)[]
type Asked = { target: number; from: string; to: string; today: string }
type Pace = Pick<Goal, 'value' | 'until' | 'percent' | 'expected' | 'projected' | 'standing'>

/** How far from an even pace is still on pace: a part of the target. */
const TOLERANCE = 0.05
/** A channel without a value for so many days holds nobody up. */
const SILENT_DAYS = 7

const nothing = (standing: Goal['standing']): Pace => ({
  value: null,
  until: null,
  percent: null,
  expected: null,
  projected: null,
  standing,
})

/** The pace of a figure that adds up over days. A day counts once all channels that still report have it. */
export function paceOfSum(lines: readonly GoalLine[], asked: Asked): Pace {
  const { from, to, target } = asked
  const last = lastKnown(lines, asked)
  if (last === null) return nothing(isOver(asked) ? 'missed' : 'waiting')
  const value = lines.reduce((sum, line) => sum + line.slice(0, last + 1).reduce<number>((s, v) => s + (v ?? 0), 0), 0)
  const [days, elapsed] = [daysIn({ from, to }), last + 1]
  return paced(value, {
    ...asked,
    until: addDays(from, last),
    expected: (target * elapsed) / days,
    projected: elapsed < GOAL_LEAST_DAYS ? null : (value * days) / elapsed,
  })
}

/** A level now, on the last day before the goal's (null if that isn't known of a channel), and the day of the newest value in it. */
type Level = { value: number | null; start: number | null; until: string | null }

/** The pace of a level such as followers, from what it was before the first day. */
export function paceOfLevel({ value, start, until }: Level, asked: Asked): Pace {
  const { from, to, target } = asked
  if (value === null || until === null || until < from) return nothing(isOver(asked) ? 'missed' : 'waiting')
  const [days, elapsed] = [daysIn({ from, to }), daysIn({ from, to: until })]
  if (start === null) return paced(value, { ...asked, until, expected: null, projected: null })
  const grown = value - start
  return paced(value, {
    ...asked,
    until,
    expected: start + ((target - start) * elapsed) / days,
    projected: elapsed < GOAL_LEAST_DAYS ? null : start + (grown * days) / elapsed,
  })
}

function paced(
  value: number,
  {
    target,
    until,
    expected,
    projected,
    ...asked
  }: Asked & { until: string; expected: number | null; projected: number | null },
): Pace {
  const isDone = until >= asked.to || isOver(asked)
  const apart = expected === null ? 0 : (value - expected) / target
  return {
    value,
    until,
    percent: Math.round((value / target) * 10_000) / 100,
    expected: expected === null ? null : Math.round(expected),
    // what is over isn't projected
    projected: projected === null || isDone ? null : Math.round(projected),
    standing:
      value >= target
        ? 'reached'
        : isDone
          ? 'missed'
          : expected === null
            ? 'going'
            : apart > TOLERANCE
              ? 'ahead'
              : apart < -TOLERANCE
                ? 'behind'
                : 'onPace',
  }
}

/** Whether nothing more comes, also of what platforms report late. */
const isOver = ({ to, today }: Pick<Asked, 'to' | 'today'>): boolean => today > addDays(to, SILENT_DAYS)

/** The last day, from the first of the goal, that all channels have that reported within the last week; null without one. */
function lastKnown(lines: readonly GoalLine[], { from, to, today }: Asked): number | null {
  const lasts = lines.map((line) => line.findLastIndex((value) => value !== null)).filter((last) => last >= 0)
  if (lasts.length === 0) return null
  const end = Math.min(daysIn({ from, to }), daysIn({ from, to: today })) - 1
  const coming = lasts.filter((last) => last >= end - SILENT_DAYS)
  return Math.min(...(coming.length > 0 ? coming : [Math.max(...lasts)]))
}
