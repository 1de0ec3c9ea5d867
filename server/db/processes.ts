import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Whether a process of this id exists, ours or another user's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * What tells a process from a later one of the same id: on Linux its start in ticks since boot, elsewhere ps' start
 * time. Undefined when the process is gone.
 */
export function processBirth(pid: number): string | undefined {
  if (process.platform === 'linux') {
    const stat = readQuietly(`/proc/${pid}/stat`)
    // the command's name may hold spaces and brackets: fields are counted from the last bracket; 22 is the start
    return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  }
  return ps(pid, 'lstart=')
}

/** The command line of a process, or undefined when it can't be seen. */
export function commandLine(pid: number): string | undefined {
  if (process.platform === 'linux') return readQuietly(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim()
  return ps(pid, 'command=')
}

/** Whether it has ended but wasn't collected by its parent yet: it holds nothing any more. */
export function isZombie(pid: number): boolean {
  const stat = process.platform === 'linux' ? readQuietly(`/proc/${pid}/stat`) : undefined
  return stat?.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) === 'Z'
}

function readQuietly(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // the process ended between two looks, or isn't ours to see: both mean "unknown"
    return undefined
  }
}

function ps(pid: number, column: string): string | undefined {
  if (process.platform === 'win32') return undefined
  try {
    return (
      execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trim() || undefined
    )
  } catch {
    // ps answers 1 when there is no such process
    return undefined
  }
}
