import type pg from 'pg'
import { isConnectionLoss } from '../db/connectionLoss.ts'

/** A code that graphile-worker's `withRetries` retries, for hours if necessary. */
const RETRIED = 'ETIMEDOUT'

/**
 * The pool as graphile-worker gets it. The library records what became of a job (`completeJob`, `failJob`) without
 * waiting for the answer, and retries only after some error codes. Killing PostgreSQL gives others (EPIPE, ECONNRESET,
 * 57P01, or none), whose unhandled rejection would end the process. Here every lost connection carries a code that is
 * retried. The statements name the pool that holds the job, so that repeating them changes nothing.
 *
 * `isStopped` says that nobody waits any more: a retry after that never ends, and the job is unlocked by the others.
 */
export function retriedPool(pool: pg.Pool, isStopped: () => boolean): pg.Pool {
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (isStopped()) return await new Promise<never>(() => {})
      throw isConnectionLoss(error)
        ? Object.assign(new Error('The connection to the database was lost', { cause: error }), { code: RETRIED })
        : error
    }
  }
  const clientOf = (client: pg.PoolClient): pg.PoolClient =>
    intercept(client, 'query', (query: string | pg.QueryConfig, values?: unknown[]) =>
      attempt(async () => await client.query(query, values)),
    )
  return intercept(pool, 'connect', (callback?: Parameters<pg.Pool['connect']>[0]) =>
    // with a callback, it's the connection that listens for new jobs, which the library reopens itself
    callback ? pool.connect(callback) : attempt(async () => clientOf(await pool.connect())),
  )
}

/** The same object with one method replaced. */
function intercept<T extends object>(target: T, name: keyof T, method: unknown): T {
  return new Proxy(target, {
    get(inner, key) {
      if (key === name) return method
      const value: unknown = Reflect.get(inner, key, inner)
      return typeof value === 'function' ? value.bind(inner) : value
    },
  })
}
