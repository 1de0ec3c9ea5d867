import type pg from 'pg'
import type { Tx } from './kysely.ts'
import { isAppPool } from './pools.ts'
import { inTransaction } from './transaction.ts'

/**
 * A transaction of the system role, which sees every tenant: for claims, the watchdog, login, home, invites and
 * webhooks. Only narrow named functions of a module call it, never a route. Throws on a pool of the app role, where
 * it would quietly see nothing. With `durable: false` the commit does not wait for the disk: for what may be forgotten
 * when the machine dies within the second, such as counts of attempts.
 */
export async function asSystem<T>(pool: pg.Pool, fn: (tx: Tx) => Promise<T>, { durable = true }: { durable?: boolean } = {}): Promise<T> {
  if (isAppPool(pool)) throw new Error('asSystem needs a pool of the system role')
  return await inTransaction(pool, durable ? null : SOFT, (tx) => fn(tx))
}

const SOFT = { text: 'set local synchronous_commit = off' }
