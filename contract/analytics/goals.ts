import { z } from 'zod'
import { Day, Done, Id, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { PlatformKey } from '../platforms/rules.ts'
import { FIRST_DAY, INSIGHTS_MOST_DAYS, LAST_DAY } from './filter.ts'
import type { FigureKey } from './names.ts'

/* Goals: how much of a figure channels should reach until a day, and whether they're on their way. */

export const MOST_GOALS = 50
const NAME_MOST = 100
const TARGET_MOST = 1_000_000_000_000

/** The figures that goals are set for: of these days, where more is better, and that add up or are a level. */
export const goalFigures = [
  'followers',
  'followersGained',
  'viewsAndImpressions',
  'engagements',
  'reactions',
  'comments',
  'shares',
  'saves',
  'clicks',
  'profileViews',
  'videoViews',
] as const satisfies readonly FigureKey[]
export const GoalFigure = z.enum(goalFigures)
export type GoalFigure = z.infer<typeof GoalFigure>

/** How many days have to be over until a goal's end is projected. */
export const GOAL_LEAST_DAYS = 3

const DAY_MS = 86_400_000
export const GoalBody = z
  .object({
    goalName: z.string().trim().min(1, 'Enter a name').max(NAME_MOST, `Use at most ${NAME_MOST} characters`),
    figure: GoalFigure,
    target: z.int('Enter a whole number').min(1, 'Enter a number above 0').max(TARGET_MOST, 'Enter a smaller number'),
    /** The first and the last day, in the project's zone. */
    from: Day,
    to: Day,
    /** Only channels of this platform. */
    platform: PlatformKey.nullable().default(null),
    /** Only these channels; all that your role includes without them. */
    channelIds: z.array(Id).min(1, 'Choose a channel').max(500, 'Too many channels').nullable().default(null),
  })
  .superRefine(({ from, to, platform, channelIds }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
    if (from < FIRST_DAY || to > LAST_DAY) refuse('to', 'Use years between 2000 and 2099')
    else if (days < 1) refuse('to', 'The last day is before the first one')
    else if (days > INSIGHTS_MOST_DAYS) refuse('to', `Choose at most ${INSIGHTS_MOST_DAYS} days`)
    if (platform !== null && channelIds !== null) refuse('channelIds', 'Choose a platform or channels')
  })
export type GoalBody = z.infer<typeof GoalBody>

/**
 * How a goal is doing, held against an even pace:
 * - `waiting`: it hasn't begun, or nothing is known of its days yet
 * - `reached`: the target is reached
 * - `ahead`, `behind`, `onPace`: more than a twentieth of the target above or below, or neither
 * - `missed`: its days are over
 * - `going`: a level such as followers whose value at the beginning isn't known, so that it has no pace
 */
export const goalStandings = ['waiting', 'reached', 'ahead', 'onPace', 'behind', 'missed', 'going'] as const

export const Goal = z.object({
  goalId: Id,
  goalName: z.string(),
  figure: GoalFigure,
  target: z.int(),
  from: z.iso.date(),
  to: z.iso.date(),
  platform: PlatformKey.nullable(),
  channelIds: z.array(Id).nullable(),
  /** What is reached so far; null while nothing is known. */
  value: z.number().nullable(),
  /** The last day that is in the value: days count once they're final for all channels; of a level, the day of its newest value. */
  until: z.iso.date().nullable(),
  /** The value in percent of the target, with two decimals. */
  percent: z.number().nullable(),
  /** What an even pace would have by then. */
  expected: z.number().nullable(),
  /** What it would be on the last day at the pace so far; null in the first 3 days, and of levels without a value at the beginning. */
  projected: z.number().nullable(),
  standing: z.enum(goalStandings),
})
export type Goal = z.infer<typeof Goal>

const path = '/api/:orgId/project/:projectId/insights/goals'
const GoalParams = ProjectParams.extend({ goalId: Id })

export const listGoals = endpoint({
  method: 'GET',
  path,
  summary: 'List the goals of channels that your role includes, with their pace',
  access: can('insights', 'view'),
  cost: 'list',
  reads: ['goal', 'channel'],
  params: ProjectParams,
  reply: z.object({ goals: z.array(Goal) }),
  errors: ['PLAN_LIMIT'],
  audit: null,
})
export const createGoal = endpoint({
  method: 'POST',
  path,
  summary: `Set a goal; a project has at most ${MOST_GOALS}`,
  access: can('insights', 'create'),
  cost: 'light',
  changes: ['goal'],
  params: ProjectParams,
  body: GoalBody,
  reply: Done.extend({ goalId: Id }),
  errors: ['PLAN_LIMIT', 'NOT_FOUND', 'BAD_INPUT', 'GOALS_FULL'],
  audit: { action: 'created', entity: 'goal' },
})
export const updateGoal = endpoint({
  method: 'PUT',
  path: `${path}/:goalId`,
  summary: 'Change a goal',
  access: can('insights', 'edit'),
  cost: 'light',
  changes: ['goal'],
  params: GoalParams,
  body: GoalBody,
  reply: Done,
  errors: ['PLAN_LIMIT', 'NOT_FOUND', 'BAD_INPUT'],
  audit: { action: 'updated', entity: 'goal' },
})
export const deleteGoal = endpoint({
  method: 'DELETE',
  path: `${path}/:goalId`,
  summary: 'Delete a goal',
  access: can('insights', 'delete'),
  cost: 'light',
  changes: ['goal'],
  params: GoalParams,
  reply: Done,
  errors: ['PLAN_LIMIT', 'NOT_FOUND'],
  audit: { action: 'deleted', entity: 'goal' },
})
