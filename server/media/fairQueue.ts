import { problem } from '#contract/postProblems.ts'
import { fail } from '../errors.ts'

/** So many pictures of one organization wait on a node; more are refused, since each is a request that is held open. */
const MOST_WAITING = 50

/** Runs work when its turn comes; `whose` names the line that it stands in, NOBODYS the one for what is bounded elsewhere. */
export type InTurn = <T>(whose: string, work: () => Promise<T>) => Promise<T>
export const NOBODYS = ''

/**
 * One thing at a time (or as many as there are `places`), whoever asks, and whoever asks for much waits for themselves: the lines take turns, so that a
 * thousand pictures of one organization hold up those of another by one. A line that is full throws LIMIT_EXCEEDED; the
 * nameless one is never full.
 */
export function fairQueue(most: number = MOST_WAITING, places = 1): InTurn {
  const lines = new Map<string, (() => Promise<void>)[]>()
  let busy = 0

  async function serve(): Promise<void> {
    busy += 1
    for (;;) {
      const [first] = lines
      if (!first) break
      const [whose, line] = first
      lines.delete(whose)
      const next = line.shift()
      // to the end of the lines
      if (line.length > 0) lines.set(whose, line)
      await next?.()
    }
    busy -= 1
  }

  return async (whose, work) => {
    const line = lines.get(whose) ?? []
    if (whose !== NOBODYS && line.length >= most)
      throw fail('LIMIT_EXCEEDED', { problem: problem('images-in-line', { most }) })
    return await new Promise((resolve, reject) => {
      line.push(() => work().then(resolve, reject))
      lines.set(whose, line)
      if (busy < places) void serve()
    })
  }
}
