import { spawn, spawnSync, type ChildProcess, type StdioOptions } from 'node:child_process'
import { chownSync, lstatSync, readdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'

const NOBODY = 65534
const BELOW_ROOT = `--map-user=${NOBODY}`

/**
 * A way to run PostgreSQL so that it isn't root and ends with us. `prefix` goes before the command; `owner` is who must
 * own its files (null: whoever we are).
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
  // ourselves outside, nobody inside: reaches everything that we reach, also under a home closed to others
  namespace: {
    name: 'user namespace',
    prefix: ['unshare', '--user', BELOW_ROOT, `--map-group=${NOBODY}`, 'setpriv', '--pdeathsig', 'INT', '--'],
    owner: null,
    leash: false,
  },
  // nobody, with the one capability to pass closed folders on the way
  nobodyWithPassage: {
    name: 'nobody with dac_override',
    // PostgreSQL looks for its own files by access(2), for which the kernel drops the capabilities of everyone but
    // root, unless this bit is set
    prefix: passage(['--securebits=+no_setuid_fixup']),
    owner: NOBODY,
    leash: false,
  },
  // where that bit may not be set (CAP_SETPCAP is dropped): enough when only DATA_DIR is closed
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
  // A shell that reads a pipe from us: its end means that we are gone. The watcher's input is named, since a shell
  // gives what it runs in the background nothing to read.
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
 * Picks the first way that works here, by running the command's `--version` through it; `only` leaves one to pick.
 * Throws a sentence for people when root has no way to be someone else.
 */
export function chooseLauncher(postgres: string, only?: LauncherKey): Launcher {
  const candidates = only ? [launchers[only]] : candidatesFor(process.getuid?.() === 0)
  const found = candidates.find((launcher) => works(launcher, postgres))
  if (found) return found
  throw new Error(
    `PostgreSQL can't run here (tried: ${candidates.map((c) => c.name).join(', ')}). ` +
      'As root it needs unshare or setpriv of util-linux; or set DATABASE_URL',
  )
}

function candidatesFor(isRoot: boolean): Launcher[] {
  if (process.platform === 'win32') return [launchers.plain]
  if (process.platform !== 'linux') return [launchers.leash]
  if (isRoot) return [launchers.namespace, launchers.nobodyWithPassage, launchers.nobodyWithoutAccess, launchers.nobody]
  // initdb wants its user to have a name, which the number that a container was started with may lack
  return hasName()
    ? [launchers.deathSignal, launchers.leash]
    : [launchers.namespace, launchers.deathSignal, launchers.leash]
}

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    // the number stands in no list of users
    return false
  }
}

function works(launcher: Launcher, postgres: string): boolean {
  // behind the leash it could be stopped before it answered: nobody holds the pipe here
  const [command, ...args] = [...(launcher.leash ? [] : launcher.prefix), postgres, '--version']
  if (command === undefined) return false
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    timeout: 10_000,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // one that can't find its own executable still tells its version, complains, and refuses to start later
  return status === 0 && stdout.includes('PostgreSQL') && !stderr.includes('invalid binary')
}

/**
 * Runs a command that way, in a session of its own so that Ctrl-C in the terminal reaches only us. Call it from the
 * main thread: the death signal follows the thread that spawned.
 */
export function launch(launcher: Launcher, command: string, args: string[], output: StdioOptions): ChildProcess {
  const [file = command, ...rest] = [...launcher.prefix, command, ...args]
  return spawn(file, rest, { stdio: output, detached: process.platform !== 'win32', env: environment() })
}

/**
 * What glibc's allocator of each backend keeps instead of giving it back and faulting it in again for the next list:
 * about a seventh of the CPU of a list that PostgreSQL writes as JSON (bench/listing.ts). Idle connections are closed.
 */
const KEPT_MEMORY = String(4 * 1024 * 1024)

/** PostgreSQL reads PG* variables; one from the user's shell must not turn our cluster around. */
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

/**
 * Gives a file, or a folder with all it holds, to the launcher's user, where that is someone else than its owner now.
 */
export function giveTo(launcher: Launcher, path: string): void {
  const uid = launcher.owner ?? process.getuid?.()
  if (uid === undefined || process.getuid?.() !== 0) return
  if (lstatSync(path).uid !== uid) chownTree(path, uid)
}

function chownTree(path: string, uid: number): void {
  const entry = lstatSync(path)
  if (entry.isSymbolicLink()) return
  if (entry.isDirectory()) for (const name of readdirSync(path)) chownTree(join(path, name), uid)
  // a folder after what it holds, so that an interrupted round is done again
  chownSync(path, uid, uid)
}
