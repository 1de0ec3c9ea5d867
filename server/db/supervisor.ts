import { setTimeout as pause } from 'node:timers/promises'
import { findBinaries } from './binaries.ts'
import {
  clusterPasswords,
  clusterPaths,
  createCluster,
  SOCKET_PORT,
  writeConfiguration,
  type ClusterOptions,
  type ClusterPaths,
  type Passwords,
} from './cluster.ts'
import { chooseLauncher, giveTo, type LauncherKey } from './launch.ts'
import type { ConnectionSettings } from './pools.ts'
import { thisMachine } from './sizes.ts'
import {
  announceStop,
  leaveDataDirectory,
  postmasterPid,
  spawnPostmaster,
  stopPostmaster,
  takeDataDirectory,
  untilReady,
  waitForOldPostmaster,
  type Postmaster,
} from './postmaster.ts'

/** `down` is the time between an unexpected end and the next start; `stopped` is final. */
export type DatabaseState = 'starting' | 'ready' | 'down' | 'stopped'

export type SupervisorOptions = Partial<ClusterOptions> & {
  dataDir: string
  /** Milliseconds to wait for an earlier process's database. */
  patience?: number
  /** The one way to run PostgreSQL, if the first that works isn't wanted. */
  launcher?: LauncherKey
  /** A copy of the packaged PostgreSQL to run instead of it. */
  binaries?: string
  onState?: (state: DatabaseState, why?: string) => void
}

/** A running cluster of ours. */
export type Supervisor = {
  readonly state: DatabaseState
  readonly paths: ClusterPaths
  readonly passwords: Passwords
  /** The superuser, for creating roles, databases and backups. Never for requests. */
  readonly superuser: ConnectionSettings
  /** How PostgreSQL runs as a user other than root. */
  readonly launcher: string
  /** The postmaster's process id while it runs. */
  pid(): number | undefined
  /** Receives every later state; returns a function to stop listening. */
  onState(listener: (state: DatabaseState, why?: string) => void): () => void
  /** Tells a start in the meantime that this process will stop soon, and is worth waiting for. */
  announceStop(): void
  stop(): Promise<void>
}

const FIRST_WAIT = 100
const LONGEST_WAIT = 5000

/**
 * Starts PostgreSQL in DATA_DIR, creating the cluster on the first start, and keeps it running: after an unexpected
 * end, it tells the listeners and restarts, immediately and then with growing waits up to 5 s. Resolves when it accepts
 * connections. Its first start must succeed; the error is a sentence for people.
 */
export async function superviseDatabase(options: SupervisorOptions): Promise<Supervisor> {
  const { dataDir, fsync = true, machine = thisMachine(), maxConnections } = options
  const binaries = findBinaries(options.binaries)
  const launcher = chooseLauncher(binaries.postgres, options.launcher)
  const paths = clusterPaths(dataDir)
  const passwords = clusterPasswords(paths)
  await takeDataDirectory(paths)
  try {
    await createCluster(paths, binaries, launcher, { superuser: passwords.superuser, fsync })
    giveTo(launcher, paths.data)
    giveTo(launcher, paths.sockets)
    await waitForOldPostmaster(paths, options.patience)
    writeConfiguration(paths, launcher, { fsync, machine, maxConnections })
    const watch = new Watch(paths, () => spawnPostmaster(paths, binaries, launcher), options.onState)
    await watch.start()
    return {
      get state() {
        return watch.state
      },
      paths,
      passwords,
      launcher: launcher.name,
      superuser: superuserOf(paths, passwords),
      pid: () => postmasterPid(paths),
      onState: (listener) => watch.listen(listener),
      announceStop: () => announceStop(paths),
      stop: async () => {
        await watch.stop()
        leaveDataDirectory(paths)
      },
    }
  } catch (error) {
    leaveDataDirectory(paths)
    throw error
  }
}

/** How the superuser of our own cluster connects. */
export function superuserOf(paths: ClusterPaths, passwords: Passwords): ConnectionSettings {
  return {
    host: process.platform === 'win32' ? '127.0.0.1' : paths.sockets,
    port: SOCKET_PORT,
    database: 'postgres',
    user: 'postgres',
    password: passwords.superuser,
  }
}

class Watch {
  state: DatabaseState = 'starting'
  readonly #paths: ClusterPaths
  readonly #spawn: () => Postmaster
  readonly #listeners = new Set<(state: DatabaseState, why?: string) => void>()
  readonly #stopping = new AbortController()
  #postmaster: Postmaster | null = null
  #keeping: Promise<void> = Promise.resolve()

  constructor(paths: ClusterPaths, spawn: () => Postmaster, listener?: (state: DatabaseState, why?: string) => void) {
    this.#paths = paths
    this.#spawn = spawn
    if (listener) this.#listeners.add(listener)
  }

  listen(listener: (state: DatabaseState, why?: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async start(): Promise<void> {
    await this.#startOnce()
    this.#keeping = this.#keep()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    if (this.#postmaster) await stopPostmaster(this.#postmaster)
    await this.#keeping
    this.#become('stopped')
  }

  async #startOnce(): Promise<void> {
    this.#become('starting')
    const postmaster = this.#spawn()
    this.#postmaster = postmaster
    await untilReady(this.#paths, postmaster)
    this.#become('ready')
  }

  /** Until someone asks to stop: wait for the end, start again. */
  async #keep(): Promise<void> {
    let wait = 0
    while (!this.#stopping.signal.aborted) {
      await this.#postmaster?.ended
      if (this.#stopping.signal.aborted) return
      if (this.state === 'ready') wait = 0
      this.#become('down', endOf(this.#postmaster))
      wait = await this.#waitAndStart(wait)
    }
  }

  async #waitAndStart(wait: number): Promise<number> {
    try {
      await pause(wait, undefined, { signal: this.#stopping.signal })
      // its backends may still hold the shared memory for a moment after a kill: that start fails and is repeated
      await this.#startOnce()
      return 0
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#become('down', error instanceof Error ? error.message : String(error))
      return Math.min(Math.max(wait * 2, FIRST_WAIT), LONGEST_WAIT)
    }
  }

  #become(state: DatabaseState, why?: string): void {
    this.state = state
    for (const listener of this.#listeners) listener(state, why)
  }
}

function endOf(postmaster: Postmaster | null): string {
  const { exitCode = null, signalCode = null } = postmaster?.child ?? {}
  return signalCode ? `PostgreSQL was ended by ${signalCode}` : `PostgreSQL ended with code ${exitCode}`
}
