import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Whether a process with this ID exists, ours or another user's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * What distinguishes a process from a later one with the same ID: on Linux its start in ticks since boot, elsewhere ps'
 * start time. Undefined if the process is gone.
 */
export function processBirth(pid: number): string | undefined {
  if (process.platform === 'linux') {
    const stat = readQuietly(`/proc/${pid}/stat`)
    // the command's name may contain spaces and parentheses: fields are counted from the last parenthesis; 22 is the
    // start
    return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  }
  return ps(pid, 'lstart=')
}

/** A process's command line, or undefined if it can't be seen. */
export function commandLine(pid: number): string | undefined {
  if (process.platform === 'linux') return readQuietly(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim()
  return ps(pid, 'command=')
}

/** Whether it has ended but its parent didn't collect it yet: it holds nothing anymore. */
export function isZombie(pid: number): boolean {
  const stat = process.platform === 'linux' ? readQuietly(`/proc/${pid}/stat`) : undefined
  return stat?.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) === 'Z'
}

function readQuietly(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // the process ended in between, or we can't see it: both mean "unknown"
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
    // ps returns 1 if there's no such process
    return undefined
  }
}
