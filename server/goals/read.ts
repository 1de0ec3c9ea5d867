import { sql } from 'kysely'
import { GoalFigure, type Goal } from '#contract/analytics/goals.ts'
import { addsOf } from '#contract/analytics/labels.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { apartOf, readChannels, todayIn, type Reader, type Scope, type ScopeChannel } from '../analytics/scope.ts'
import { readLevels } from '../analytics/seriesSums.ts'
import { readLines } from '../analytics/wholeDays.ts'
import { wantedRows } from '../analytics/wanted.ts'
import { addDays } from '../rangeDays.ts'
import { isSeen } from './change.ts'
import { paceOfLevel, paceOfSum } from './pace.ts'

type Row = {
  id: string
  name: string
  figure: string
  target: number
  from_day: string
  to_day: string
  platform: string | null
  channel_ids: string[] | null
}
type Stored = Omit<Row, 'figure' | 'platform'> & { figure: GoalFigure; platform: PlatformKey | null }

/** The goals of channels that the role includes, those that end first first, with how they're doing. */
export async function readGoals(c: Reader, accepted: readonly PlatformKey[]): Promise<Goal[]> {
  const { rows } = await sql<Row>`
    select id, name, figure, target, from_day::text, to_day::text, platform, channel_ids from insight_goal
    where org_id = ${c.org.orgId} and project_id = ${c.project.projectId} order by to_day, created_at, id`.execute(c.tx)
  const seen = rows.flatMap((row): Stored[] => {
    const [figure, platform] = [GoalFigure.safeParse(row.figure), PlatformKey.nullable().safeParse(row.platform)]
    // what an older version doesn't know is left out
    if (!figure.success || !platform.success || !isSeen(row.channel_ids, c.project.channelIds)) return []
    return [{ ...row, figure: figure.data, platform: platform.data }]
  })
  if (seen.length === 0) return []
  const apart = apartOf(accepted)
  const channels = (await readChannels(c, {})).filter(({ platformName }) => !apart.includes(platformName))
  const scope = { today: todayIn(c), channels, apart, accepted, projectIds: [c.project.projectId], posts: null }
  const goals: Goal[] = []
  // those of the same days are read together
  for (const [days, same] of Map.groupBy(seen, ({ from_day: from, to_day: to }) => `${from} ${to}`))
    goals.push(...(await readSame(c, { ...scope, range: rangeOf(days) }, same)))
  return seen.flatMap(({ id }) => goals.find(({ goalId }) => goalId === id) ?? [])
}

const rangeOf = (days: string): Scope['range'] => {
  const [from = '', to = ''] = days.split(' ')
  return { from, to, compare: null }
}

async function readSame(c: Reader, scope: Scope, goals: readonly Stored[]): Promise<Goal[]> {
  const { from, to } = scope.range
  const asked = { from, to, today: scope.today }
  const isLevel = (name: FigureKey) => addsOf(name) === 'last'
  const names = [...new Set(goals.map(({ figure }) => figure))]
  const sums = names.filter((name) => !isLevel(name))
  const linesOf = sums.length > 0 ? await readLines(c, scope, sums) : () => []
  const levels = names.some(isLevel) ? await readEnds(c, scope, names.filter(isLevel)) : []
  return goals.map((goal) => {
    const { figure, target, platform, channel_ids: ids } = goal
    const own = scope.channels.filter(
      (one) => (platform === null || one.platformName === platform) && (ids === null || ids.includes(one.channelId)),
    )
    const pace = isLevel(figure)
      ? paceOfLevel(levelOf(levels, own, figure), { ...asked, target })
      : paceOfSum(linesOf(own, figure), { ...asked, target })
    return {
      goalId: goal.id,
      goalName: goal.name,
      figure,
      target,
      from,
      to,
      platform,
      channelIds: ids,
      ...pace,
    }
  })
}

/** Levels on the last day before the goal's, and at its end or today. */
async function readEnds(c: Reader, scope: Scope, names: readonly FigureKey[]) {
  const day = addDays(scope.range.from, -1)
  const range = { ...scope.range, compare: { from: day, to: day } }
  return await readLevels(c, { range, today: scope.today }, wantedRows(scope, new Set(names)))
}

/** The levels of channels together; the one at the beginning only if all that have one now had one then. */
function levelOf(levels: Awaited<ReturnType<typeof readLevels>>, channels: readonly ScopeChannel[], figure: FigureKey) {
  const own = levels.filter(
    (one) =>
      one.name === figure && one.value !== null && channels.some(({ channelId }) => channelId === one.channel_id),
  )
  const sum = (values: readonly (number | null)[]) => values.reduce<number>((all, value) => all + (value ?? 0), 0)
  if (own.length === 0) return { value: null, start: null, until: null }
  return {
    value: sum(own.map(({ value }) => value)),
    start: own.some(({ before }) => before === null) ? null : sum(own.map(({ before }) => before)),
    until: own.flatMap(({ day }) => day ?? []).toSorted()[0] ?? null,
  }
}
