/** How often (0 to 1) each thing goes wrong, and how it goes. Drawn once per request from a seeded source. */
export type Faults = {
  seed: number
  /** The connection ends before anything is done. */
  dropBefore: number
  /** A record is committed and the connection ends without an answer. */
  dropAfter: number
  /** The answer comes this much later, after the commit. */
  late: number
  lateMs: number
  /** 429, with this many seconds to wait. */
  limited: number
  limitedSeconds: number
  /** 500, nothing done. */
  broken: number
  /** 400: the record isn't to the platform's liking. */
  refused: number
  /** The commit is done and the answer is no JSON. */
  garbled: number
  /** Milliseconds for every answer. */
  latencyMs: number
  /** How long access tokens are good. */
  accessSeconds: number
}

export const noFaults: Faults = {
  seed: 1,
  dropBefore: 0,
  dropAfter: 0,
  late: 0,
  lateMs: 0,
  limited: 0,
  limitedSeconds: 1,
  broken: 0,
  refused: 0,
  garbled: 0,
  latencyMs: 0,
  accessSeconds: 7200,
}

export type Fault = 'none' | 'dropBefore' | 'dropAfter' | 'late' | 'limited' | 'broken' | 'refused' | 'garbled'

const kinds = ['dropBefore', 'dropAfter', 'late', 'limited', 'broken', 'refused', 'garbled'] as const

/** One of the faults, by their probabilities, or none. */
export function draw(faults: Faults, random: () => number): Fault {
  let left = random()
  for (const kind of kinds) {
    if (left < faults[kind]) return kind
    left -= faults[kind]
  }
  return 'none'
}

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
