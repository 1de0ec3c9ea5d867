import { codeOf } from './problem.ts'

const TRIES = 3
/** How PostgreSQL names a transaction that it ended so that another could go on. */
const DEADLOCK = '40P01'

/**
 * Runs a transaction again when PostgreSQL ended it to resolve a deadlock with another one: nothing of it is left, and
 * the other one is through. Locks are taken in one order where that is possible; this is for where it isn't.
 */
export async function despiteDeadlocks<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run()
    } catch (thrown) {
      if (codeOf(thrown) !== DEADLOCK || tries === TRIES) throw thrown
    }
  }
}
