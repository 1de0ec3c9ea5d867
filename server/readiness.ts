import type { RunningDatabase } from './db/database.ts'
import type { Databases } from './db/pools.ts'

export type Readiness = { ready: boolean; why?: string }

/** Whether requests can be served now: the supervisor's word for the embedded database, a question to an outside one. */
export function watchReadiness({ supervisor }: RunningDatabase, databases: Databases): () => Promise<Readiness> {
  return async () => {
    if (supervisor && supervisor.state !== 'ready') return { ready: false, why: `the database is ${supervisor.state}` }
    try {
      await databases.system.query('select 1')
      return { ready: true }
    } catch {
      // why is in the database's own log; here it only counts that it did not answer
      return { ready: false, why: 'the database does not answer' }
    }
  }
}
