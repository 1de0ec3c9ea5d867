import { DatabaseError } from 'pg'
import { codeOf } from './problem.ts'

const TRIES = 3
/** PostgreSQL's code for a transaction that it ended to resolve a deadlock. */
const DEADLOCK = '40P01'

/**
 * Runs a transaction again if PostgreSQL ended it to resolve a deadlock: it left nothing behind, and the other one has
 * finished. Locks are taken in one order where possible; this is for where it isn't.
 */
export async function despiteDeadlocks<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run()
    } catch (thrown) {
      if (!isGone(thrown) || tries === TRIES) throw thrown
    }
  }
}

/** A node of the previous version takes an Idempotency-Key by its row, and may have done so in the meantime. */
const isGone = (thrown: unknown): boolean =>
  codeOf(thrown) === DEADLOCK || (thrown instanceof DatabaseError && thrown.constraint === 'idempotency_pkey')
