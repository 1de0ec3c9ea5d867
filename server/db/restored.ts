import { sql } from 'kysely'
import type pg from 'pg'
import type { Tx } from './kysely.ts'
import { asSystem } from './system.ts'

/** Whether this database is a restored copy. `since` is when the original was last seen running. */
export type Restore = { restored: false } | { restored: true; since: Date }

/**
 * Compares the database with the one stored in `instance`: after a restore, a load or a clone, its system identifier or
 * timeline differs. A detected restore stays detected, on every node and start, until `releaseRestore`. `now` is stored
 * as the first sign of life if there was none.
 */
export async function detectRestore(pool: pg.Pool, now: Date): Promise<Restore> {
  return await asSystem(pool, async (tx) => {
    const current = await identityOf(tx)
    await tx
      .insertInto('instance')
      .values({ ...current, alive_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const known = await tx.selectFrom('instance').selectAll().forUpdate().executeTakeFirstOrThrow()
    const same = known.system_identifier === current.system_identifier && known.timeline === current.timeline
    if (!same) {
      const since = known.held_since ?? known.alive_at
      await tx
        .updateTable('instance')
        .set({ ...current, held_since: since, doubted: false })
        .execute()
      return { restored: true, since }
    }
    return known.held_since ? { restored: true, since: known.held_since } : { restored: false }
  })
}

/** Ends the hold: what was due since the copy has been resolved. */
export async function releaseRestore(pool: pg.Pool): Promise<void> {
  await asSystem(pool, (tx) => tx.updateTable('instance').set({ held_since: null, doubted: false }).execute())
}

/** A node's sign of life, some seconds apart: where a later restore counts from. Never goes back. */
export async function markAlive(pool: pg.Pool, now: Date): Promise<void> {
  await asSystem(pool, (tx) => tx.updateTable('instance').set({ alive_at: now }).where('alive_at', '<', now).execute())
}

async function identityOf(tx: Tx): Promise<{ system_identifier: string; timeline: number }> {
  // the timeline is in the name of the current WAL file, as eight hexadecimal digits
  const { rows } = await sql<{ system_identifier: string; segment: string }>`
    select system_identifier::text as system_identifier, pg_walfile_name(pg_current_wal_lsn()) as segment
    from pg_control_system()`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('pg_control_system answered nothing')
  return { system_identifier: row.system_identifier, timeline: Number.parseInt(row.segment.slice(0, 8), 16) }
}
