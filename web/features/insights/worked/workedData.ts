import type { ChartData, HeatData } from '#charts/data.ts'
import { unitOf } from '#contract/analytics/labels.ts'
import {
  DAY_PART_HOURS,
  type Spread,
  type Worked,
  type WorkedFigure,
  type WorkedGroup,
} from '#contract/analytics/worked.ts'
import { groupName, hourName, weekdayName } from '#contract/analytics/workedNames.ts'

const ALL = 'All posts'

type Row = { name: string; posts: number; spread: Spread | null }

/** The groups in the order they're read: formats and labels with the highest median first, the others as they are. */
function sortedGroups(groups: readonly WorkedGroup[]): WorkedGroup[] {
  const isListed = groups.some(({ by }) => by === 'format' || by === 'label')
  const median = ({ spread }: WorkedGroup) => spread?.median ?? -1
  return isListed ? groups.toSorted((one, other) => median(other) - median(one)) : [...groups]
}

/** All posts and each group, as rows of boxes. */
export const spreadData = (reply: Worked, figure: WorkedFigure, isOnePlatform: boolean): ChartData =>
  chartOf(
    [
      { name: ALL, ...reply.all },
      ...sortedGroups(reply.groups).map((group) => ({ ...group, name: groupName(group, { isOnePlatform }) })),
    ],
    figure,
  )

function chartOf(rows: readonly Row[], figure: WorkedFigure): ChartData {
  const of = (part: keyof Spread) => rows.map(({ spread }) => spread?.[part] ?? null)
  return {
    axis: { kind: 'names', keys: rows.map(({ name }) => name) },
    unit: unitOf(figure).unit,
    adds: 'none',
    whole: ALL,
    series: [
      { key: 'posts', name: 'Posts', values: rows.map(({ posts }) => posts), unit: 'count' },
      { key: 'least', name: 'Least', values: of('least') },
      { key: 'q1', name: 'First quartile', values: of('q1') },
      { key: 'median', name: 'Median', values: of('median') },
      { key: 'q3', name: 'Third quartile', values: of('q3') },
      { key: 'most', name: 'Most', values: of('most') },
    ],
  }
}

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7]
const TIMES = {
  weekdayHour: { length: 1, name: hourName },
  weekdayPart: {
    length: DAY_PART_HOURS,
    // four columns of a phone have no room for minutes
    name: (hour: number) => [hour, hour + DAY_PART_HOURS].map((one) => String(one).padStart(2, '0')).join('–'),
  },
} as const

/** The medians by weekday and hour, or part of the day, with the number of posts of each. */
export function weekHeat(
  { groups }: Pick<Worked, 'groups'>,
  figure: WorkedFigure,
  by: 'weekdayHour' | 'weekdayPart',
): HeatData {
  const found = new Map(
    groups.flatMap((group) => (group.by === by ? [[`${group.weekday} ${hourOf(group)}`, group] as const] : [])),
  )
  const { length, name } = TIMES[by]
  const hours = Array.from({ length: 24 / length }, (_, nth) => nth * length)
  const map = <T>(of: (group: WorkedGroup | undefined) => T) =>
    WEEKDAYS.map((weekday) => hours.map((hour) => of(found.get(`${weekday} ${hour}`))))
  return {
    rows: WEEKDAYS.map(weekdayName),
    columns: hours.map(name),
    values: map((group) => group?.spread?.median ?? null),
    posts: map((group) => group?.posts ?? 0),
    unit: unitOf(figure).unit,
  }
}

const hourOf = (group: Extract<WorkedGroup, { by: 'weekdayHour' | 'weekdayPart' }>): number =>
  group.by === 'weekdayHour' ? group.hour : group.from
