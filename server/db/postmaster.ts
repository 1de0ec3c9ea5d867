import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { Binaries } from './binaries.ts'
import type { ClusterPaths } from './cluster.ts'
import { launch, type Launcher } from './launch.ts'
import { readJson, writePrivately } from './privateFiles.ts'
import { commandLine, isAlive, isZombie, processBirth } from './processes.ts'

const LOOK_EVERY = 15
const LOG_LIMIT = 10 * 1024 * 1024

const holder = z.object({
  pid: z.number(),
  birth: z.string().nullable(),
  /** It was asked to stop and is finishing its work. */ stopping: z.boolean().default(false),
})

/** How long a start waits for the process that has DATA_DIR, in milliseconds. */
type HolderPatience = {
  /** While it says that it's stopping: draining takes up to 30 s. */ stopping: number
  /** While it doesn't. An app whose npm was killed notices that after half a second. */ running: number
}

const PATIENCE: HolderPatience = { stopping: 35_000, running: 2000 }

/**
 * Takes DATA_DIR for this process, waiting a moment for one that is about to stop. Throws a sentence for people if
 * another live process has it.
 */
export async function takeDataDirectory(paths: ClusterPaths, patience = PATIENCE): Promise<void> {
  for (let waited = 0; ; waited += LOOK_EVERY) {
    const before = readJson(paths.lock, holder)
    if (!before || before.pid === process.pid || !isSameProcess(before)) break
    if (waited >= (before.stopping ? patience.stopping : patience.running))
      throw new Error(
        `${paths.root} is in use by process ${before.pid}. Stop that process first, or set another DATA_DIR`,
      )
    await pause(LOOK_EVERY)
  }
  writeHolder(paths, false)
}

/** Announces that the process with DATA_DIR is about to end, so that the next start waits for it. */
export function announceStop(paths: ClusterPaths): void {
  writeHolder(paths, true)
}

function writeHolder(paths: ClusterPaths, stopping: boolean): void {
  const birth = processBirth(process.pid) ?? null
  writePrivately(paths.lock, JSON.stringify({ pid: process.pid, birth, stopping }))
}

/** Whether a live process has DATA_DIR. */
export function isDataDirectoryTaken(paths: ClusterPaths): boolean {
  const holding = readJson(paths.lock, holder)
  return holding !== undefined && isSameProcess(holding)
}

/** Releases DATA_DIR. */
export function leaveDataDirectory(paths: ClusterPaths): void {
  rmSync(paths.lock, { force: true })
}

function isSameProcess({ pid, birth }: Pick<z.infer<typeof holder>, 'pid' | 'birth'>): boolean {
  return isAlive(pid) && !isZombie(pid) && (birth === null || processBirth(pid) === birth)
}

/**
 * Waits until a postmaster left by an earlier process is gone. Nobody uses it anymore (DATA_DIR is ours), so it's asked
 * to stop in case the death of its parent didn't reach it. Throws after `limit` milliseconds.
 */
export async function waitForOldPostmaster(paths: ClusterPaths, limit = 30_000): Promise<void> {
  const file = join(paths.data, 'postmaster.pid')
  const pid = postmasterPid(paths)
  if (pid === undefined) return
  if (!isPostmasterOf(pid)) {
    // left by a machine that crashed, and the process ID belongs to another process by now
    rmSync(file, { force: true })
    return
  }
  signal(pid, 'SIGINT')
  const looks = Math.ceil(limit / LOOK_EVERY)
  for (let look = 0; look < looks; look++) {
    if (!isAlive(pid) || isZombie(pid)) return
    await pause(LOOK_EVERY)
  }
  throw new Error(`A database of an earlier run (process ${pid}) still uses ${paths.data} after ${limit / 1000} s`)
}

function isPostmasterOf(pid: number): boolean {
  return isAlive(pid) && !isZombie(pid) && (commandLine(pid) ?? 'postgres').includes('postgres')
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (isAlive(pid)) throw error
  }
}

/** The process ID in postmaster.pid. */
export function postmasterPid(paths: ClusterPaths): number | undefined {
  const [first] = pidFile(paths)
  const pid = Number(first)
  return Number.isInteger(pid) && pid > 0 ? pid : undefined
}

/** Whether this run reports on line eight that it accepts connections. A killed one leaves its file behind. */
function saysReady(paths: ClusterPaths, before: string): boolean {
  const lines = pidFile(paths)
  return runOf(lines) !== before && lines[7]?.trim() === 'ready'
}

/** What distinguishes two runs' files: process ID and start. */
function runOf(lines: string[]): string {
  return `${lines[0] ?? ''} ${lines[2] ?? ''}`
}

function pidFile(paths: ClusterPaths): string[] {
  const file = join(paths.data, 'postmaster.pid')
  if (!existsSync(file)) return []
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    // removed between checking and reading: it stopped
    return []
  }
}

/** One run of the postmaster. `ended` settles when the process is gone. */
export type Postmaster = { child: ChildProcess; before: string; ended: Promise<void>; hasEnded(): boolean }

/** Starts the postmaster; it isn't ready yet. */
export function spawnPostmaster(paths: ClusterPaths, binaries: Binaries, launcher: Launcher): Postmaster {
  if (existsSync(paths.log) && statSync(paths.log).size > LOG_LIMIT) truncateSync(paths.log)
  const before = runOf(pidFile(paths))
  const log = openSync(paths.log, 'a', 0o600)
  const child = launch(launcher, binaries.postgres, ['-D', paths.data], [launcher.leash ? 'pipe' : 'ignore', log, log])
  closeSync(log)
  let over = false
  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      over = true
      child.stdin?.destroy()
      resolve()
    }
    child.once('exit', end)
    child.once('error', end)
  })
  return { child, before, ended, hasEnded: () => over }
}

/**
 * Waits until it accepts connections: minutes when it recovers from a crash. Throws with the end of its log if it
 * stops.
 */
export async function untilReady(paths: ClusterPaths, postmaster: Postmaster): Promise<void> {
  while (!saysReady(paths, postmaster.before)) {
    if (postmaster.hasEnded()) throw new Error(`PostgreSQL stopped while starting:\n${logTail(paths)}`)
    await pause(LOOK_EVERY)
  }
}

function logTail(paths: ClusterPaths): string {
  return existsSync(paths.log) ? readFileSync(paths.log, 'utf8').slice(-1500).trim() : ''
}

/** Stops it: fast at first, and by force if that takes longer than 20 s. */
export async function stopPostmaster(postmaster: Postmaster): Promise<void> {
  if (postmaster.hasEnded()) return
  postmaster.child.kill('SIGINT')
  const force = setTimeout(() => postmaster.child.kill('SIGQUIT'), 20_000)
  await postmaster.ended
  clearTimeout(force)
}
