import { createHash, randomInt } from 'node:crypto'

const DIGITS = '234567abcdefghijklmnopqrstuvwxyz'

/**
 * Makes keys for records: timestamp identifiers of 13 characters that sort by time (atproto.com/specs/tid): 53 bits of
 * microseconds and 10 bits that tell makers apart. Each key of one maker is larger than its last one.
 */
export function tidMaker(
  clockId: number = randomInt(1024),
  microsecond: () => number = () => randomInt(1000),
): (now: Date) => string {
  let last = 0
  return (now) => {
    // below the clock's millisecond is chance, which tells makers apart even further
    last = Math.max(last + 1, now.getTime() * 1000 + microsecond())
    return encode((BigInt(last) << 10n) | BigInt(clockId))
  }
}

/** Microseconds between the key of a post and those of its parts: a thread of 25 items spans 2.5 seconds. */
const STEP = 100_000n

/**
 * The key of the part of a post that comes `place` places after it (1 for the first): the same for the same name, and in the order
 * of the places, so that a repository lists a thread in its order. Chance within the step and in the maker's bits keeps posts
 * whose keys were made at the same moment apart.
 */
export function tidAfter(tid: string, name: string, place: number): string {
  const chance = chanceOf(tid, name)
  const moment = (decode(tid) >> 10n) + BigInt(place) * STEP + ((chance >> 10n) % STEP)
  return encode((moment << 10n) | (chance & 1023n))
}

/** A key that follows from a name alone: the same one every time. Its first bit is 0, as the network wants it. */
export const tidFrom = (name: string): string => encode(chanceOf('', name) >> 1n)

const SIX_HOURS = 6n * 3_600_000_000n

/** The key that a part of a post had until November 2026: a chance moment of the six hours before the post. Needed to delete older threads. */
export function formerTidFrom(tid: string, name: string): string {
  const chance = chanceOf(tid, name)
  return encode((((decode(tid) >> 10n) - 1n - ((chance >> 10n) % SIX_HOURS)) << 10n) | (chance & 1023n))
}

const chanceOf = (tid: string, name: string): bigint =>
  createHash('sha256').update(`${tid}/${name}`).digest().readBigUInt64BE()

function decode(tid: string): bigint {
  return Array.from(tid).reduce((value, letter) => (value << 5n) | BigInt(DIGITS.indexOf(letter)), 0n)
}

function encode(value: bigint): string {
  let text = ''
  for (let shift = 60n; shift >= 0n; shift -= 5n) text += DIGITS.charAt(Number((value >> shift) & 31n))
  return text
}
