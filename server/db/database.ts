import { migrate } from './migrate.ts'
import type { DatabaseSettings } from './pools.ts'
import { assertAppRoleIsBound, prepareEmbedded, prepareOutside } from './roles.ts'
import { superviseDatabase, type DatabaseState, type Supervisor } from './supervisor.ts'

export type DatabaseOptions = {
  /** An external database; without it PostgreSQL is run in `dataDir`. */
  databaseUrl?: string
  dataDir: string
  /**
   * Whether the embedded database waits for the disk (by default, it does). Only tests that crash no machine may turn
   * this off.
   */
  fsync?: boolean
  /** Receives every state of the embedded database. */
  onState?: (state: DatabaseState, why?: string) => void
}

/** A migrated database that is safe to use. `supervisor` is null for an external one. */
export type RunningDatabase = {
  settings: DatabaseSettings
  supervisor: Supervisor | null
  /** The migrations applied by this start. */
  applied: string[]
  /** Stops the embedded database; leaves an external one alone. Close the pools first. */
  stop(): Promise<void>
}

/**
 * Everything a start needs: runs PostgreSQL or connects to the external one, creates roles, migrates, and refuses an
 * app role that isn't bound by the tenant policies. Errors are sentences for people.
 */
export async function startDatabase(options: DatabaseOptions): Promise<RunningDatabase> {
  const { databaseUrl, ...embedded } = options
  const supervisor = databaseUrl ? null : await superviseDatabase(embedded)
  try {
    const settings = await reach(options, supervisor)
    const applied = await migrate(settings)
    await assertAppRoleIsBound(settings)
    return { settings, supervisor, applied, stop: async () => supervisor?.stop() }
  } catch (error) {
    await supervisor?.stop()
    throw error
  }
}

async function reach(options: DatabaseOptions, supervisor: Supervisor | null): Promise<DatabaseSettings> {
  if (supervisor) return await prepareEmbedded(supervisor.superuser, supervisor.passwords)
  if (options.databaseUrl) return await prepareOutside(options.databaseUrl)
  throw new Error("There's neither an embedded nor an external database")
}
