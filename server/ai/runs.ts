import { sql } from 'kysely'
import { AiProfile } from '#contract/ai.ts'
import type { AiRunProblem } from '#contract/aiRunProblem.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import { emit } from '../live/emit.ts'
import type { ReadChannel } from './readPosts.ts'
import { giveBackCredits, monthOf, planRights, takeCredits } from './usage.ts'

/*
 * A channel's run: a row that the job works through in short transactions, so that a crash between any two of them
 * leaves what the next try needs. Each locks the row first and does nothing once the run has ended.
 */

export type RunKey = { orgId: string; channelId: string }

/** The run, locked, while it's active. */
export async function lockRun(tx: Tx, { orgId, channelId }: RunKey) {
  return await tx
    .selectFrom('ai_run')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('channel_id', '=', channelId)
    .where('state', '=', 'running')
    .forUpdate()
    .executeTakeFirst()
}
export type Run = NonNullable<Awaited<ReturnType<typeof lockRun>>>

/** Counts a start of the job, including one that a crash ends. Undefined if the run has ended. */
export async function countTry(tx: Tx, key: RunKey): Promise<number | undefined> {
  const run = await lockRun(tx, key)
  if (!run) return undefined
  await tx
    .updateTable('ai_run')
    .set({ tries: run.tries + 1 })
    .where('org_id', '=', key.orgId)
    .where('channel_id', '=', key.channelId)
    .execute()
  return run.tries + 1
}

/** Uncounts a start that a shutdown interrupted. */
export async function uncountTry(tx: Tx, { orgId, channelId }: RunKey): Promise<void> {
  await tx
    .updateTable('ai_run')
    .set((eb) => ({ tries: eb('tries', '-', 1) }))
    .where('org_id', '=', orgId)
    .where('channel_id', '=', channelId)
    .where('state', '=', 'running')
    .where('tries', '>', 0)
    .execute()
}

/** The channel with what is needed to read it; undefined if it was disconnected in the meantime. */
export async function channelOf(tx: Tx, { orgId, channelId }: RunKey) {
  const row = await tx
    .selectFrom('channel')
    .innerJoin('channel_secret', (join) =>
      join.onRef('channel_secret.org_id', '=', 'channel.org_id').onRef('channel_secret.channel_id', '=', 'channel.id'),
    )
    .innerJoin('project', (join) =>
      join.onRef('project.org_id', '=', 'channel.org_id').onRef('project.id', '=', 'channel.project_id'),
    )
    .select([
      'platform',
      'remote_id',
      'channel.name',
      'handle',
      'service',
      'key_id',
      'sealed',
      'expires_at',
      'version',
      'connected_by',
      'channel.project_id',
      sql<string>`coalesce(channel.zone, project.zone)`.as('zone'),
    ])
    .where('channel.org_id', '=', orgId)
    .where('channel.id', '=', channelId)
    .where('channel.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const read: ReadChannel = {
    orgId,
    channelId,
    remoteId: row.remote_id,
    handle: row.handle,
    service: row.service,
    keyId: row.key_id,
    sealed: row.sealed,
    expiresAt: row.expires_at,
    version: row.version,
  }
  return {
    ...read,
    platform: PlatformKey.parse(row.platform),
    name: row.name,
    zone: row.zone,
    projectId: row.project_id,
    connectedBy: row.connected_by,
  }
}
export type RunChannel = NonNullable<Awaited<ReturnType<typeof channelOf>>>

/**
 * Takes the credits that the run needs, once: a later try finds them taken. Returns the reason if it can't continue.
 */
export async function reserve(tx: Tx, run: Run, credits: number, now: Date): Promise<AiRunProblem | undefined> {
  if (run.credits > 0) return undefined
  const rights = await planRights(tx, run.org_id, now)
  if (!rights.valid) return { code: 'plan-ended' }
  const month = monthOf(now)
  if ((await takeCredits(tx, run.org_id, { month, credits, limit: rights.aiCreditsPerMonth })) === undefined)
    return { code: 'out-of-credits' }
  await tx
    .updateTable('ai_run')
    .set({ credits, credits_month: month })
    .where('org_id', '=', run.org_id)
    .where('channel_id', '=', run.channel_id)
    .execute()
  return undefined
}

/** Ends the run: unused credits are returned to their month, and open screens are notified. */
export async function endRun(
  tx: Tx,
  run: Run,
  outcome:
    | { state: 'done'; used: number; postsRead: number; profile: object }
    | { state: 'failed'; problem: AiRunProblem },
  now: Date,
): Promise<void> {
  const used = outcome.state === 'done' ? outcome.used : 0
  if (run.credits_month !== null && run.credits > used)
    await giveBackCredits(tx, run.org_id, { month: run.credits_month, credits: run.credits - used })
  const said =
    outcome.state === 'done'
      ? {
          problem: null,
          posts_read: outcome.postsRead,
          profile: JSON.stringify(outcome.profile),
        }
      : { problem: JSON.stringify(outcome.problem) }
  await tx
    .updateTable('ai_run')
    .set({ state: outcome.state, ...said, credits: used, finished_at: now })
    .where('org_id', '=', run.org_id)
    .where('channel_id', '=', run.channel_id)
    .execute()
  await emit(tx, { kind: 'channel', ref: run.channel_id, orgId: run.org_id, projectId: run.project_id }, now)
}

/** The tone of one of the channels, the one read last; undefined if none was. */
export async function profileOf(tx: Tx, orgId: string, channelIds: readonly string[]) {
  if (channelIds.length === 0) return undefined
  const run = await tx
    .selectFrom('ai_run')
    .select('profile')
    .where('org_id', '=', orgId)
    .where('channel_id', '=', (eb) => eb.fn.any(eb.val([...channelIds])))
    .where('state', '=', 'done')
    .orderBy('finished_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return run && AiProfile.parse(run.profile)
}
