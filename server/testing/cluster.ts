import { accessSync, constants, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { clusterPaths, type Passwords } from '../db/cluster.ts'
import { migrate } from '../db/migrate.ts'
import type { ConnectionSettings } from '../db/pools.ts'
import { isDataDirectoryTaken } from '../db/postmaster.ts'
import { embeddedSettings, EMBEDDED_DATABASE, prepareEmbedded } from '../db/roles.ts'
import { SMALL_MACHINE } from '../db/sizes.ts'
import { superviseDatabase } from '../db/supervisor.ts'
import { fillDataDir } from './preparedCluster.ts'
import type { BucketSettings } from '../objectStore/bucket.ts'

/** What a test file needs to clone the template; plain data, since it's passed to worker processes. */
export type TestCluster = {
  superuser: ConnectionSettings
  passwords: Passwords
  template: string
  /** Deleted at the end of the run, with everything that tests left in it. */ folder: string
}

declare module 'vitest' {
  interface ProvidedContext {
    cluster: TestCluster
    /** Only for the project `objects`: where its apps store files. */
    objectStore: BucketSettings | undefined
  }
}

const PREFIX = 'rookery-test-'

/** A folder in memory, as Linux has it. */
const MEMORY = '/dev/shm'
/** A run fills about half of it. */
const ENOUGH = 2 * 1024 ** 3

/** Each test file creates a database of hundreds of files and drops it again: in memory that takes a third of the time. */
function inMemory(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ENOUGH
  } catch {
    return false
  }
}

type RunningCluster = { cluster: TestCluster; stop(): Promise<void> }

type Shared = { cluster: Promise<RunningCluster>; users: number }

// each vitest project loads this file again, and they share one cluster (the global object accepts any property)
const shared = globalThis as typeof globalThis & { rookeryTestCluster?: Shared }

/** vitest's global setup: one PostgreSQL for the run, with a migrated template. fsync is off: no test here crashes it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const ours = (shared.rookeryTestCluster ??= { cluster: startCluster(), users: 0 })
  ours.users += 1
  const running = await ours.cluster
  project.provide('cluster', running.cluster)
  return async () => {
    ours.users -= 1
    if (ours.users > 0) return
    delete shared.rookeryTestCluster
    await running.stop()
  }
}

async function startCluster(): Promise<RunningCluster> {
  removeAbandoned()
  const dataDir = mkdtempSync(join(inMemory() ? MEMORY : tmpdir(), PREFIX))
  await fillDataDir(dataDir)
  const supervisor = await superviseDatabase({ dataDir, fsync: false, machine: SMALL_MACHINE, maxConnections: 150 })
  await prepareEmbedded(supervisor.superuser, supervisor.passwords)
  await migrate(embeddedSettings(supervisor.superuser, supervisor.passwords, EMBEDDED_DATABASE))
  return {
    cluster: {
      superuser: supervisor.superuser,
      passwords: supervisor.passwords,
      template: EMBEDDED_DATABASE,
      folder: dataDir,
    },
    stop: async () => {
      await supervisor.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A killed run leaves its cluster's folder behind; PostgreSQL itself has stopped. */
function removeAbandoned(): void {
  const folders = [tmpdir(), MEMORY].filter((place) => existsSync(place))
  for (const folder of folders.flatMap((place) => readdirSync(place).map((name) => join(place, name)))) {
    if (!basename(folder).startsWith(PREFIX)) continue
    // a folder without the note is being created by another run
    const wasStarted = existsSync(join(folder, 'running.json'))
    if (wasStarted && !isDataDirectoryTaken(clusterPaths(folder))) rmSync(folder, { recursive: true, force: true })
  }
}
