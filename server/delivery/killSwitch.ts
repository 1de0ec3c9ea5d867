import type pg from 'pg'
import type { Tx } from '../db/kysely.ts'
import { releaseRestore } from '../db/restored.ts'
import { asSystem } from '../db/system.ts'

/** What publishing can be held for. `name` is the platform, `platform:credentials`, or the organization's id; empty for all. */
export type KillSwitchScope = 'all' | 'platform' | 'credentials' | 'organization'
export type KillSwitch = { scope: KillSwitchScope; name: string; /** In words. */ reason: string; since: Date }

/** Why Rookery itself paused publishing; an operator types a reason. `deletion` is written by stop_organization(). */
const causes = {
  restore: 'This database was restored from a backup or is a copy of another one.',
  deletion: 'The organization is being deleted.',
}
type Pause = Omit<KillSwitch, 'reason'> & ({ reason: string } | { cause: keyof typeof causes })

/** Stops sending within the scope, on every node, from the next claim. What is under way ends; reading and settling go on. */
export async function pausePublishing(tx: Tx, { scope, name, since, ...why }: Pause): Promise<void> {
  const stored = 'cause' in why ? { cause: why.cause, reason: null } : { cause: 'operator', reason: why.reason }
  await tx
    .insertInto('kill_switch')
    .values({ scope, name, since, ...stored })
    .onConflict((oc) => oc.columns(['scope', 'name']).doUpdateSet(stored))
    .execute()
}

/**
 * Lets sending go on. Posts that waited go out within a minute when they are still within their limits. Answers whether
 * there was such a hold. Resuming all of it also ends the hold after a restore.
 */
export async function resumePublishing(pool: pg.Pool, scope: KillSwitchScope, name: string): Promise<boolean> {
  const ended = await asSystem(pool, (tx) =>
    tx.deleteFrom('kill_switch').where('scope', '=', scope).where('name', '=', name).returning('scope').execute(),
  )
  if (scope === 'all') await releaseRestore(pool)
  return ended.length > 0
}

/** What holds sending now, the oldest first. */
export async function activeKillSwitches(pool: pg.Pool): Promise<KillSwitch[]> {
  const rows = await asSystem(pool, (tx) => tx.selectFrom('kill_switch').selectAll().orderBy('since').execute())
  return rows.map(({ scope, name, cause, reason, since }) => ({
    // the column's check allows nothing else
    scope: scope as KillSwitchScope,
    name,
    reason: reason ?? (cause === 'deletion' ? causes.deletion : causes.restore),
    since,
  }))
}
