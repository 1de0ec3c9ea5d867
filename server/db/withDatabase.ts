import { clusterPasswords, clusterPaths, type ClusterPaths } from './cluster.ts'
import type { ConnectionSettings, DatabaseSettings } from './pools.ts'
import { isDataDirectoryTaken } from './postmaster.ts'
import { embeddedSettings, EMBEDDED_DATABASE, prepareEmbedded, prepareOutside } from './roles.ts'
import { superuserOf, superviseDatabase } from './supervisor.ts'

export type Where = { DATABASE_URL?: string | undefined; DATA_DIR: string }

/** A database that a command works on, with the superuser and the paths if it's the embedded one. */
export type Reached = {
  settings: DatabaseSettings
  embedded: { superuser: ConnectionSettings; paths: ClusterPaths } | null
}

/**
 * Runs `fn` on the configured database: the external one, the embedded one of a running app, or the embedded one
 * started for the command.
 */
export async function withDatabase<T>(where: Where, fn: (reached: Reached) => Promise<T>): Promise<T> {
  if (where.DATABASE_URL) return await fn({ settings: await prepareOutside(where.DATABASE_URL), embedded: null })
  const paths = clusterPaths(where.DATA_DIR)
  if (isDataDirectoryTaken(paths)) {
    const passwords = clusterPasswords(paths)
    const superuser = superuserOf(paths, passwords)
    return await fn({
      settings: embeddedSettings(superuser, passwords, EMBEDDED_DATABASE),
      embedded: { superuser, paths },
    })
  }
  const supervisor = await superviseDatabase({ dataDir: where.DATA_DIR })
  try {
    const settings = await prepareEmbedded(supervisor.superuser, supervisor.passwords)
    return await fn({ settings, embedded: { superuser: supervisor.superuser, paths } })
  } finally {
    await supervisor.stop()
  }
}
