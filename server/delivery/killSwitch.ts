import type pg from 'pg'
import type { Tx } from '../db/kysely.ts'
import { releaseRestore } from '../db/restored.ts'
import { asSystem } from '../db/system.ts'

/** What publishing can be paused for. `name` is the platform, `platform:credentials`, or the organization's ID; empty for everything. */
export type KillSwitchScope = 'all' | 'platform' | 'credentials' | 'organization'
export type KillSwitch = { scope: KillSwitchScope; name: string; /** In words. */ reason: string; since: Date }

/** Why Rookery itself paused publishing; operators enter their own reason. `deletion` is written by stop_organization(). */
const causes = {
  restore: 'This database was restored from a backup or is a copy of another one.',
  deletion: 'The organization is being deleted.',
}
type Pause = Omit<KillSwitch, 'reason'> & ({ reason: string } | { cause: keyof typeof causes })

/** Stops sending within the scope on every node, from the next claim on. Sends in flight finish; reading back and reconciling continue. */
export async function pausePublishing(tx: Tx, { scope, name, since, ...why }: Pause): Promise<void> {
  const stored = 'cause' in why ? { cause: why.cause, reason: null } : { cause: 'operator', reason: why.reason }
  await tx
    .insertInto('kill_switch')
    .values({ scope, name, since, ...stored })
    .onConflict((oc) => oc.columns(['scope', 'name']).doUpdateSet(stored))
    .execute()
}

/**
 * Resumes sending. Posts that waited are published within a minute if they're still within their lateness limits.
 * Returns whether publishing was paused for this scope. Resuming everything also ends the pause after a restore.
 */
export async function resumePublishing(pool: pg.Pool, scope: KillSwitchScope, name: string): Promise<boolean> {
  const ended = await asSystem(pool, (tx) =>
    tx.deleteFrom('kill_switch').where('scope', '=', scope).where('name', '=', name).returning('scope').execute(),
  )
  if (scope === 'all') await releaseRestore(pool)
  return ended.length > 0
}

/** The scopes for which sending is paused, oldest first. */
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
