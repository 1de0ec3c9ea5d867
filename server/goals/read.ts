import { sql } from 'kysely'
import { GoalFigure, type Goal } from '#contract/analytics/goals.ts'
import { INSIGHTS_MOST_DAYS } from '#contract/analytics/filter.ts'
import { addsOf } from '#contract/analytics/labels.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { apartOf, readChannels, todayIn, type Reader, type Scope, type ScopeChannel } from '../analytics/scope.ts'
import { readLevels } from '../analytics/seriesSums.ts'
import { readLines, type Line } from '../analytics/wholeDays.ts'
import { wantedRows } from '../analytics/wanted.ts'
import { addDays, daysIn } from '../rangeDays.ts'
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

/**
 * The goals of channels that the role includes, with how they're doing: those that go on or are to come, the first to end first, then
 * those whose days are over, the last to end first.
 */
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
  const linesOf = await readSums(c, scope, seen)
  const levelsOf = await readAllLevels(c, scope, seen)
  const { today } = scope
  const isOver = ({ to_day: to }: Stored) => to < today
  const ordered = [...seen.filter((goal) => !isOver(goal)), ...seen.filter(isOver).toReversed()]
  return ordered.map((goal) => {
    const { figure, target, from_day: from, to_day: to, platform, channel_ids: ids } = goal
    const own = channels.filter(
      (one) => (platform === null || one.platformName === platform) && (ids === null || ids.includes(one.channelId)),
    )
    const asked = { from, to, target, today: scope.today }
    const pace = isLevel(figure)
      ? paceOfLevel(levelOf(levelsOf(goal), own, figure), asked)
      : paceOfSum(linesOf(goal, own), asked)
    return { goalId: goal.id, goalName: goal.name, figure, target, from, to, platform, channelIds: ids, ...pace }
  })
}

type Place = Omit<Scope, 'range'>
const isLevel = (name: FigureKey): boolean => addsOf(name) === 'last'

/**
 * Reads what the channels have by day of figures that add up: of all goals of the last two years at once, from the first day of
 * any of them until today; of others each on its own.
 */
async function readSums(c: Reader, scope: Place, goals: readonly Stored[]) {
  const { today } = scope
  const begun = goals.filter(({ figure, from_day: from }) => !isLevel(figure) && from <= today)
  const earliest = addDays(today, 1 - INSIGHTS_MOST_DAYS)
  const [recent, others] = [
    begun.filter((one) => one.from_day >= earliest),
    begun.filter((one) => one.from_day < earliest),
  ]
  const from = recent.map((one) => one.from_day).toSorted()[0] ?? today
  const names = [...new Set(recent.map(({ figure }) => figure))]
  const read = async (range: { from: string; to: string }, figures: readonly FigureKey[]) =>
    await readLines(c, { ...scope, range: { ...range, compare: null } }, figures, { final: true })
  const ofRecent = names.length > 0 ? await read({ from, to: today }, names) : undefined
  const ofOthers = new Map<string, Awaited<ReturnType<typeof readLines>>>()
  for (const { id, from_day: first, to_day: to, figure } of others)
    ofOthers.set(id, await read({ from: first, to }, [figure]))
  return ({ id, figure, from_day: first, to_day: to }: Stored, channels: readonly ScopeChannel[]): Line[] => {
    const own = ofOthers.get(id)
    if (own) return own(channels, figure)
    if (!ofRecent || first > today) return []
    const offset = daysIn({ from, to: first }) - 1
    return ofRecent(channels, figure).map((line) => line.slice(offset, offset + daysIn({ from: first, to })))
  }
}

/** Reads the levels of goals: on the last day before each goal's, and at its end or today. Those of the same days are read together. */
async function readAllLevels(c: Reader, scope: Place, goals: readonly Stored[]) {
  const keyOf = ({ from_day: from, to_day: to }: Stored) => `${from} ${to}`
  const found = new Map<string, Awaited<ReturnType<typeof readEnds>>>()
  for (const [key, same] of Map.groupBy(
    goals.filter(({ figure }) => isLevel(figure)),
    keyOf,
  )) {
    const [goal] = same
    if (!goal) continue
    const range = { from: goal.from_day, to: goal.to_day, compare: null }
    found.set(key, await readEnds(c, { ...scope, range }, [...new Set(same.map(({ figure }) => figure))]))
  }
  return (goal: Stored) => found.get(keyOf(goal)) ?? []
}

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
    until:
      own
        .flatMap(({ day }) => day ?? [])
        .toSorted()
        .at(-1) ?? null,
  }
}
