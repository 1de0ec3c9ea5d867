import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { MOST_GOALS, type GoalBody } from '#contract/analytics/goals.ts'
import { figureSource } from '#contract/analytics/sources.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { readChannels, type Reader } from '../analytics/scope.ts'
import { fail } from '../errors.ts'

type Changer = Reader & { caller: { personId: string } }

/**
 * Sets a goal and returns its ID. Throws NOT_FOUND for channels that the role doesn't include, BAD_INPUT for a figure that none of the
 * channels can have, GOALS_FULL. `apart`: the platforms whose terms forbid it.
 */
export async function createGoal(c: Changer, body: GoalBody, apart: readonly PlatformKey[]): Promise<string> {
  const { tx, org, project, now } = c
  const row = await rowOf(c, body, apart)
  // one at a time, so that the limit holds
  await sql`select pg_advisory_xact_lock(hashtextextended(${`goals ${project.projectId}`}, 0))`.execute(tx)
  const { n } = await tx
    .selectFrom('insight_goal')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .executeTakeFirstOrThrow()
  if (n >= MOST_GOALS) throw fail('GOALS_FULL')
  const id = randomUUIDv7()
  await tx
    .insertInto('insight_goal')
    .values({
      org_id: org.orgId,
      id,
      project_id: project.projectId,
      ...row,
      created_by: c.caller.personId,
      created_at: now,
    })
    .execute()
  return id
}

/** Changes a goal. Throws NOT_FOUND, also for goals of channels that the role doesn't include, and BAD_INPUT like `createGoal`. */
export async function updateGoal(
  c: Changer,
  goalId: string,
  body: GoalBody,
  apart: readonly PlatformKey[],
): Promise<void> {
  await assertSeen(c, goalId)
  const row = await rowOf(c, body, apart)
  await c.tx.updateTable('insight_goal').set(row).where('org_id', '=', c.org.orgId).where('id', '=', goalId).execute()
}

/** Deletes a goal. Throws NOT_FOUND. */
export async function deleteGoal(c: Changer, goalId: string): Promise<void> {
  await assertSeen(c, goalId)
  await c.tx.deleteFrom('insight_goal').where('org_id', '=', c.org.orgId).where('id', '=', goalId).execute()
}

async function assertSeen({ tx, org, project }: Changer, goalId: string): Promise<void> {
  const goal = await tx
    .selectFrom('insight_goal')
    .select('channel_ids')
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('id', '=', goalId)
    .executeTakeFirst()
  if (!goal || !isSeen(goal.channel_ids, project.channelIds)) throw fail('NOT_FOUND')
}

/** Whether a goal of these channels, or of all, is one of channels that a role with these includes. */
export const isSeen = (
  channelIds: readonly string[] | null,
  ofRole: ReadonlySet<string> | readonly string[] | null,
): boolean => {
  if (ofRole === null) return true
  const own = new Set(ofRole)
  return channelIds?.every((id) => own.has(id)) ?? false
}

/** The columns of a goal. A role with some channels only sets goals of these: those of the platform, or all of them. */
async function rowOf(c: Changer, body: GoalBody, apart: readonly PlatformKey[]) {
  const { project } = c
  const { channelIds, platform } = body
  const own = (await readChannels(c, {})).filter(({ deleted }) => !deleted)
  if (channelIds?.some((id) => !own.some((one) => one.channelId === id))) throw fail('NOT_FOUND')
  const ofRole = project.channelIds && own.filter((one) => platform === null || one.platformName === platform)
  if (ofRole?.length === 0) throw fail('NOT_FOUND')
  const inIt = own.filter(
    (one) => (platform === null || one.platformName === platform) && (channelIds?.includes(one.channelId) ?? true),
  )
  const canHave = ({ platformName }: (typeof own)[number]) =>
    !apart.includes(platformName) && figureSource(platformName, 'inTheseDays', body.figure) !== undefined
  if (inIt.length > 0 && !inIt.some(canHave))
    throw fail('BAD_INPUT', {
      errors: { figure: ["These channels' platforms don't report this, or their terms don't allow working with it"] },
    })
  const chosen = channelIds ?? ofRole?.map((one) => one.channelId) ?? null
  return {
    name: body.goalName,
    figure: body.figure,
    target: body.target,
    from_day: body.from,
    to_day: body.to,
    platform: chosen ? null : platform,
    channel_ids: chosen,
  }
}
