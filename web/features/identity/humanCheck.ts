import { z } from 'zod'

/** What each kind of human check offers to the form that needs it. */
export type HumanCheckHandle = {
  /**
   * The solved check, solving it first when that hasn't begun. Undefined when it didn't succeed: then nothing is sent.
   */
  prove: () => Promise<string | undefined>
  /** A solution counts once: after any attempt the next one needs a new solution. */
  reset: () => void
}

/** A check as the form's own part drives it. */
export type Check = HumanCheckHandle & {
  /** Ends a solution that takes too long, so that the next `prove` begins again. */
  giveUp: () => void
}

export type CheckProps = {
  /** The check ended, with or without being requested. */
  onTurn: (turn: 'solved' | 'failed') => void
}

/** The installation's check is Cloudflare's. Anything else that it answers is a puzzle of its own. */
export const TurnstileSetup = z.looseObject({ kind: z.literal('turnstile'), siteKey: z.string().min(1) })

/** Something that comes and goes, such as a component behind a ref. `present` waits until it is there. */
export type Arrival<T> = { set: (thing: T | null) => void; now: () => T | null; present: () => Promise<T> }

export function createArrival<T>(): Arrival<T> {
  let thing: T | null = null
  let waiting: ((come: T) => void)[] = []
  return {
    set: (next) => {
      thing = next
      if (next === null) return
      const told = waiting
      waiting = []
      for (const tell of told) tell(next)
    },
    now: () => thing,
    present: () => (thing === null ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(thing)),
  }
}

type Patience = {
  /** After this long `onSlow` follows. Milliseconds. */
  slow: number
  onSlow: () => void
  /** After this long the wait ends, whatever becomes of the work. Milliseconds. */
  limit: number
}

/** The work's own end, or `late` at the limit. */
export async function patiently<T>(work: Promise<T>, late: T, { slow, onSlow, limit }: Patience): Promise<T> {
  const timers: ReturnType<typeof setTimeout>[] = []
  const end = new Promise<T>((resolve) => {
    timers.push(
      setTimeout(onSlow, slow),
      setTimeout(() => resolve(late), limit),
    )
  })
  try {
    return await Promise.race([work, end])
  } finally {
    for (const timer of timers) clearTimeout(timer)
  }
}
