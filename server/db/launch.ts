import { spawn, spawnSync, type ChildProcess, type StdioOptions } from 'node:child_process'
import { chownSync, lstatSync, readdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'

const NOBODY = 65534
const BELOW_ROOT = `--map-user=${NOBODY}`

/**
 * A way to run PostgreSQL so that it isn't root and ends with us. `prefix` goes before the command; `owner` must own
 * its files (null: our own user).
 */
export type Launcher = { name: string; prefix: string[]; owner: number | null; leash: boolean }

function passage(more: string[]): string[] {
  return [
    'setpriv',
    `--reuid=${NOBODY}`,
    `--regid=${NOBODY}`,
    '--clear-groups',
    ...more,
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--pdeathsig',
    'INT',
    '--',
  ]
}

const launchers = {
  // ourselves outside, nobody inside: can reach everything that we can, even in a home closed to others
  namespace: {
    name: 'user namespace',
    prefix: ['unshare', '--user', BELOW_ROOT, `--map-group=${NOBODY}`, 'setpriv', '--pdeathsig', 'INT', '--'],
    owner: null,
    leash: false,
  },
  // nobody, with the one capability to enter closed folders
  nobodyWithPassage: {
    name: 'nobody with dac_override',
    // PostgreSQL looks for its own files with access(2), for which the kernel drops the capabilities of everyone but
    // root, unless this bit is set
    prefix: passage(['--securebits=+no_setuid_fixup']),
    owner: NOBODY,
    leash: false,
  },
  // if that bit can't be set (CAP_SETPCAP is dropped): enough if only DATA_DIR is closed
  nobodyWithoutAccess: {
    name: 'nobody with dac_override, without securebits',
    prefix: passage([]),
    owner: NOBODY,
    leash: false,
  },
  nobody: {
    name: 'nobody',
    prefix: ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--pdeathsig', 'INT', '--'],
    owner: NOBODY,
    leash: false,
  },
  deathSignal: { name: 'death signal', prefix: ['setpriv', '--pdeathsig', 'INT', '--'], owner: null, leash: false },
  // A shell that reads a pipe from us: when it closes, we're gone. The watcher's input is named, because a shell gives
  // background commands nothing to read.
  leash: {
    name: 'shell on a pipe',
    prefix: [
      'sh',
      '-c',
      'exec 3<&0; "$@" 3<&- & p=$!; trap "kill -INT $p" INT TERM; trap "kill -QUIT $p" QUIT; ' +
        '(cat <&3 >/dev/null; kill -INT $p 2>/dev/null) & wait $p; s=$?; ' +
        'while kill -0 $p 2>/dev/null; do wait $p; s=$?; done; exit $s',
      'sh',
    ],
    owner: null,
    leash: true,
  },
  plain: { name: 'plain', prefix: [], owner: null, leash: false },
} satisfies Record<string, Launcher>

export type LauncherKey = keyof typeof launchers

/**
 * Picks the first way that works here, by running the command's `--version` with it; `only` leaves one to pick. Throws
 * a sentence for people if root can't become another user.
 */
export function chooseLauncher(postgres: string, only?: LauncherKey): Launcher {
  const isRoot = process.getuid?.() === 0
  const candidates = only ? [launchers[only]] : candidatesFor(isRoot)
  const found = candidates.find((launcher) => works(launcher, postgres))
  if (found) return found
  throw new Error(
    `PostgreSQL can't run here (tried: ${candidates.map((c) => c.name).join(', ')}). ` +
      (isRoot
        ? "As root it needs unshare or setpriv of util-linux, and where their rights are taken away, Rookery's folder must be readable by others. Run it as another user, or set DATABASE_URL. "
        : 'Install util-linux, or set DATABASE_URL. ') +
      'See "Starting and stopping" in docs/operations.md',
  )
}

function candidatesFor(isRoot: boolean): Launcher[] {
  if (process.platform === 'win32') return [launchers.plain]
  if (process.platform !== 'linux') return [launchers.leash]
  if (isRoot) return [launchers.namespace, launchers.nobodyWithPassage, launchers.nobodyWithoutAccess, launchers.nobody]
  // initdb wants its user to have a name, which a container's numeric user may lack
  return hasName()
    ? [launchers.deathSignal, launchers.leash]
    : [launchers.namespace, launchers.deathSignal, launchers.leash]
}

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    // the number isn't in any list of users
    return false
  }
}

function works(launcher: Launcher, postgres: string): boolean {
  // behind the leash it could be stopped before it answers: nobody holds the pipe here
  const [command, ...args] = [...(launcher.leash ? [] : launcher.prefix), postgres, '--version']
  if (command === undefined) return false
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    timeout: 10_000,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // one that can't find its own executable still prints its version, complains, and refuses to start later
  return status === 0 && stdout.includes('PostgreSQL') && !stderr.includes('invalid binary')
}

/**
 * Runs a command that way, in its own session so that Ctrl-C in the terminal only reaches us. Call it from the main
 * thread: the death signal follows the thread that spawned it.
 */
export function launch(launcher: Launcher, command: string, args: string[], output: StdioOptions): ChildProcess {
  const [file = command, ...rest] = [...launcher.prefix, command, ...args]
  return spawn(file, rest, { stdio: output, detached: process.platform !== 'win32', env: environment() })
}

/**
 * How much freed memory glibc's allocator of each backend keeps for the next list instead of returning it and faulting
 * it in again: about a seventh of the CPU time of a list that PostgreSQL writes as JSON (bench/listing.ts). Idle
 * connections are closed.
 */
const KEPT_MEMORY = String(4 * 1024 * 1024)

/** PostgreSQL reads PG* variables; one from the user's shell must not affect our cluster. */
function environment(): NodeJS.ProcessEnv | undefined {
  if (process.platform === 'win32') return undefined
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LC_ALL: 'C',
    TZ: 'UTC',
    MALLOC_TRIM_THRESHOLD_: KEPT_MEMORY,
    MALLOC_MMAP_THRESHOLD_: KEPT_MEMORY,
  }
}

/** Gives a file, or a folder with its content, to the launcher's user, if it belongs to someone else now. */
export function giveTo(launcher: Launcher, path: string): void {
  const uid = launcher.owner ?? process.getuid?.()
  if (uid === undefined || process.getuid?.() !== 0) return
  if (lstatSync(path).uid !== uid) chownTree(path, uid)
}

function chownTree(path: string, uid: number): void {
  const entry = lstatSync(path)
  if (entry.isSymbolicLink()) return
  if (entry.isDirectory()) for (const name of readdirSync(path)) chownTree(join(path, name), uid)
  // a folder after its content, so that an interrupted run is repeated
  chownSync(path, uid, uid)
}
