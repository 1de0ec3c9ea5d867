import { setImmediate as nextTurn } from 'node:timers/promises'
import { performance } from 'node:perf_hooks'

export type UntilOptions = {
  /** Milliseconds after which it gives up with an error. Generous, because it only matters if something is broken. */
  deadline?: number
  /** What was waited for, for the error's message. */
  what?: string
}

type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>

/**
 * Calls it repeatedly until the result is truthy, and returns that. A throw counts as "not yet"; the last one is the
 * cause of the error when the deadline (60 s) passes.
 */
export async function until<T>(ask: () => T | Promise<T>, options: UntilOptions = {}): Promise<Truthy<T>> {
  const { deadline = 60_000, what = 'the condition' } = options
  const end = performance.now() + deadline
  let last: unknown
  for (let turn = 0; ; turn++) {
    try {
      const answer = await ask()
      // a truthy value of T is what Truthy<T> describes
      if (answer) return answer as Truthy<T>
      last = undefined
    } catch (error) {
      last = error
    }
    if (performance.now() > end) throw new Error(`Waited ${deadline} ms for ${what}`, { cause: last })
    await (turn < 20 ? nextTurn() : pause(Math.min(turn, 50)))
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
