import { sql } from 'kysely'
import { z } from 'zod'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { asSystem } from '../db/system.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { defineJob, type Job, type JobContext } from '../jobs/job.ts'
import type { Platform } from '../platforms/platform.ts'
import { PROCESS } from './deliveries.ts'
import { takeOverPrevious } from './previousDeliveries.ts'
import { readSoon, type Due } from './pushChannels.ts'
import { READ } from './read.ts'
import { Told } from './told.ts'

/*
 * Applies what platforms sent. Each notification has a transaction of its own, because they're of many organizations: one
 * that can't be applied holds up none of the others.
 */

type Deps = { platforms: (key: PlatformKey) => Platform | undefined }

/** Notifications of one look at what is open. */
const MOST = 500
/** Attempts, one a run. What is given up is found by the readings of every few hours. */
const TRIES = 3

/** Applies what was sent, and looks every minute for what a killed worker left. */
export const deliveriesJob = (deps: Deps): Job<Record<string, never>> =>
  defineJob({
    ...PROCESS,
    payload: z.object({}),
    every: '* * * * *',
    run: async (context) => {
      await takeOverPrevious(deps, context)
      const failed = new Set<string>()
      while (await applySome(deps, context, failed));
    },
  })

/** Whether there may be more. `failed` collects those that have to wait for the next run. */
async function applySome(deps: Deps, context: JobContext, failed: Set<string>): Promise<boolean> {
  const { databases, signal } = context
  const open = await asSystem(databases.system, (tx) =>
    tx
      .selectFrom('inbox_push')
      .select('id')
      .where('done_at', 'is', null)
      // what failed comes after everything that hasn't
      .orderBy('tries')
      .orderBy('id')
      .limit(MOST)
      .execute(),
  )
  let applied = 0
  for (const { id } of open) {
    if (signal.aborted) return false
    if (!failed.has(id) && (await applyOne(deps, context, id, failed))) applied++
  }
  // people who look at the conversation don't wait for the next minute
  if (applied > 0) await asSystem(databases.system, (tx) => enqueue(tx, READ, {}, { key: 'all' }), { durable: false })
  return open.length === MOST && applied > 0
}

async function applyOne(
  { platforms }: Deps,
  { databases, clock, log }: JobContext,
  id: string,
  failed: Set<string>,
): Promise<boolean> {
  try {
    return await asSystem(databases.system, async (tx) => {
      const push = await tx
        .selectFrom('inbox_push')
        .select(['platform', 'app_key', 'org_id', 'told'])
        .where('id', '=', id)
        .where('done_at', 'is', null)
        .forNoKeyUpdate()
        .skipLocked()
        .executeTakeFirst()
      // another worker's
      if (!push) return false
      const platform = PlatformKey.parse(push.platform)
      const due = dueOf(platforms(platform)?.inbox?.reads ?? [], Told.parse(push.told))
      await readSoon(tx, { platform, clientId: push.app_key }, push.org_id, due, clock.now())
      await tx.updateTable('inbox_push').set({ done_at: clock.now() }).where('id', '=', id).execute()
      return true
    })
  } catch (error) {
    failed.add(id)
    const tries = await countFailure({ databases, clock }, id)
    if (tries === TRIES) log.warn({ err: error, delivery: id }, 'a notification of a platform could not be applied')
    return false
  }
}

/** The cursors of the kinds that were told, and of those that come with them. */
const dueOf = (groups: readonly (readonly string[])[], told: Told): Due[] =>
  told.flatMap(({ accountRemoteId: account, kinds }) =>
    groups
      .filter((group) => kinds.some((kind) => group.includes(kind)))
      .flatMap((group) => group.map((kind, place) => ({ account, kind, leads: place === 0 }))),
  )

/** After TRIES of them it's done, and marked as failed. */
async function countFailure(
  { databases, clock }: Pick<JobContext, 'databases' | 'clock'>,
  id: string,
): Promise<number | undefined> {
  const { rows } = await asSystem(databases.system, (tx) =>
    sql<{ tries: number }>`
      update inbox_push set tries = tries + 1, failed = tries + 1 >= ${TRIES},
        done_at = case when tries + 1 >= ${TRIES} then ${clock.now()}::timestamptz end
      where id = ${id} and done_at is null returning tries`.execute(tx),
  )
  return rows[0]?.tries
}
