import type pg from 'pg'
import type { Tx } from './kysely.ts'
import { isAppPool } from './pools.ts'
import { inOneTrip, inTransaction } from './transaction.ts'

/**
 * A transaction of the system role, which sees every tenant: for claims, the watchdog, login, home, invites and
 * webhooks. Only narrow named functions of a module call it, never a route. Throws on a pool of the app role, where it
 * would quietly see nothing. `first` is a statement that travels with the begin; its rows are handed to `fn`. With
 * `durable: false` the commit doesn't wait for the disk: for what may be forgotten when the machine dies within the
 * second, such as counts of attempts.
 */
export async function asSystem<T>(
  pool: pg.Pool,
  fn: (tx: Tx, rows: unknown[]) => Promise<T>,
  { first = null, durable = true }: { first?: pg.QueryConfig | null; durable?: boolean } = {},
): Promise<T> {
  if (isAppPool(pool)) throw new Error('asSystem needs a pool of the system role')
  return await inTransaction(pool, first, fn, { durable })
}

/**
 * Statements as the system role, in one transaction and one round trip, if none needs another's result. Returns the
 * rows of each.
 */
export async function asSystemInOneTrip(
  pool: pg.Pool,
  statements: readonly pg.QueryConfig[],
  how: { durable?: boolean } = {},
): Promise<unknown[][]> {
  if (isAppPool(pool)) throw new Error('asSystemInOneTrip needs a pool of the system role')
  return await inOneTrip(pool, statements, how)
}
