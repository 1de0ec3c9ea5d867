/** The probability (0 to 1) of each fault, and its details. Drawn once per request from a seeded source. */
export type Faults = {
  seed: number
  /** The connection ends before anything is done. */
  dropBefore: number
  /** A record is committed and the connection ends without a response. */
  dropAfter: number
  /** The response is delayed by `lateMs` after the commit. */
  late: number
  lateMs: number
  /** 429, with this many seconds to wait. */
  limited: number
  limitedSeconds: number
  /** 500, nothing done. */
  broken: number
  /** 400: the platform refuses the record. */
  refused: number
  /** The commit succeeds and the response isn't valid JSON. */
  garbled: number
  /** The delay of every response, in milliseconds. */
  latencyMs: number
  /** How long access tokens are valid. */
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

/** Draws one of the faults by their probabilities, or none. */
export function draw(faults: Faults, random: () => number): Fault {
  let left = random()
  for (const kind of kinds) {
    if (left < faults[kind]) return kind
    left -= faults[kind]
  }
  return 'none'
}

/** Random numbers from 0 to 1 that a seed repeats (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
