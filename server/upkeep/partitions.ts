import type pg from 'pg'

/** The partitioned tables and how far ahead their partitions are created. */
const ahead = [
  { table: 'event', unit: 'day', parts: 3 },
  { table: 'attempt', unit: 'month', parts: 2 },
  { table: 'audit', unit: 'month', parts: 2 },
] as const

/** Creates current and future partitions. Call it at every start before anything writes, and every day. */
export async function keepPartitions(pool: pg.Pool, now: Date): Promise<void> {
  for (const { table, unit, parts } of ahead)
    await pool.query('select ensure_partitions($1::regclass, $2, $3, $4)', [table, unit, now, parts])
}
