import { problem } from '#contract/postProblems.ts'
import { fail } from '../errors.ts'

/** How much work of one organization may wait on a node; more is refused, because each keeps a request open. */
const MOST_WAITING = 50

/** Runs work when its turn comes; `whose` names its line, NOBODYS the one for work that is limited elsewhere. */
export type InTurn = <T>(whose: string, work: () => Promise<T>) => Promise<T>
export const NOBODYS = ''

/**
 * Runs one thing at a time (or as many as there are `places`). Lines take turns, so that a thousand images of one
 * organization delay those of another by one. A full line throws LIMIT_EXCEEDED with the problem `full`; the nameless one
 * is never full.
 */
export function fairQueue(
  most: number = MOST_WAITING,
  places = 1,
  full: 'images-in-line' | 'documents-in-line' = 'images-in-line',
): InTurn {
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
    if (whose !== NOBODYS && line.length >= most) throw fail('LIMIT_EXCEEDED', { problem: problem(full, { most }) })
    return await new Promise((resolve, reject) => {
      line.push(() => work().then(resolve, reject))
      lines.set(whose, line)
      if (busy < places) void serve()
    })
  }
}
