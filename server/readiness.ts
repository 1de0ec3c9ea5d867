import { setTimeout as pause } from 'node:timers/promises'
import type { RunningDatabase } from './db/database.ts'
import type { Databases } from './db/pools.ts'

export type Readiness = { ready: boolean; why?: string }

const FULL = "the database's disk is full: nothing can be saved or published until you free space"

/** Milliseconds within which a request must be able to get a connection. */
const PATIENCE = 2000

/**
 * Whether requests can be served now: the supervisor's state of the embedded database, a query to an external one, space
 * for what is written, and a connection of the pool that requests use. Calls during a check share its result, so calling often costs nothing.
 */
export function watchReadiness(
  { supervisor }: Pick<RunningDatabase, 'supervisor'>,
  databases: Pick<Databases, 'system' | 'web' | 'disk'>,
  patience = PATIENCE,
): () => Promise<Readiness> {
  let looking: Promise<Readiness> | undefined
  const look = async (): Promise<Readiness> => {
    if (supervisor && supervisor.state !== 'ready') return { ready: false, why: `the database is ${supervisor.state}` }
    try {
      await databases.system.query('select 1')
    } catch {
      // why is in the database's own log; here it only counts that it didn't answer
      return { ready: false, why: 'the database is not responding' }
    }
    if (await databases.disk.look()) return { ready: false, why: FULL }
    if (await hasConnection(databases.web, patience)) return { ready: true }
    const { max } = databases.web.options
    return { ready: false, why: `all ${max} database connections for requests are in use` }
  }
  return () =>
    (looking ??= look().finally(() => {
      looking = undefined
    }))
}

/** Whether the pool hands out a connection in time. It's returned immediately, without a statement. */
async function hasConnection(pool: Databases['web'], patience: number): Promise<boolean> {
  const taken = pool.connect().then(
    (client) => {
      client.release()
      return true
    },
    () => false,
  )
  const waiting = new AbortController()
  const tooLong = pause(patience, false, { signal: waiting.signal }).catch(() => false)
  const got = await Promise.race([taken, tooLong])
  waiting.abort()
  return got
}
