import { openDatabases, type Databases } from '#server/db/pools.ts'
import { withDatabase } from '#server/db/withDatabase.ts'

type Place = { dataDir: string }

/** By data folder: opening connections for every call would take longer than the calls. */
const opened = new Map<string, Promise<Databases>>()

/** Runs `fn` on the app's own database, for what only time would bring about. The connections stay until the app stops. */
export async function inDatabase<T>({ dataDir }: Place, fn: (databases: Databases) => Promise<T>): Promise<T> {
  const databases =
    opened.get(dataDir) ??
    withDatabase({ DATA_DIR: dataDir }, ({ settings }) => Promise.resolve(openDatabases(settings)))
  opened.set(dataDir, databases)
  return await fn(await databases)
}

/** Closes the connections to an app's database, if there are any, because the app is about to stop. */
export async function closeDatabase({ dataDir }: Place): Promise<void> {
  const databases = await opened.get(dataDir)
  opened.delete(dataDir)
  await databases?.close()
}
