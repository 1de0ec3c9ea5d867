import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { WorkerLine, WorkerOrder } from './publishingWorker.ts'
import { until } from './until.ts'

/** A publishing node in a separate process. */
export type WorkerProcess = {
  child: ChildProcess
  /** Everything that it has logged so far. */
  lines: readonly WorkerLine[]
  ready(): Promise<void>
  /** kill -9, and waits for its end. */
  kill(): Promise<void>
  /** Whether the kernel says that it's suspended. */
  isStopped(): boolean
}

const MAIN = fileURLToPath(new URL('./publishingWorker.ts', import.meta.url))

export function spawnWorker(order: WorkerOrder): WorkerProcess {
  const child = spawn(process.execPath, [MAIN, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: WorkerLine[] = []
  // each line is written by publishingWorker
  createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line) as WorkerLine))
  createInterface(child.stderr).on('line', (line) => lines.push({ line: `stderr: ${line}` }))
  return {
    child,
    lines,
    ready: async () => {
      await until(() => lines.some(({ line }) => line === 'ready') || child.exitCode !== null, {
        deadline: 60_000,
        what: 'a worker to be ready',
      })
      if (child.exitCode !== null) throw new Error(`the worker ended: ${lines.map(({ line }) => line).join('\n')}`)
    },
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    isStopped: () => /^State:\s+T/m.test(readFileSync(`/proc/${child.pid}/status`, 'utf8')),
  }
}
