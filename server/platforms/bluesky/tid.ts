import { createHash, randomInt } from 'node:crypto'

const DIGITS = '234567abcdefghijklmnopqrstuvwxyz'

/**
 * Makes record keys: timestamp identifiers of 13 characters that sort by time (atproto.com/specs/tid), from 53 bits of
 * microseconds and 10 bits that identify the maker. Each key is larger than the maker's last one.
 */
export function tidMaker(
  clockId: number = randomInt(1024),
  microsecond: () => number = () => randomInt(1000),
): (now: Date) => string {
  let last = 0
  return (now) => {
    // the microseconds below the clock's millisecond are random, which makes collisions between makers even less likely
    last = Math.max(last + 1, now.getTime() * 1000 + microsecond())
    return encode((BigInt(last) << 10n) | BigInt(clockId))
  }
}

/** Microseconds between the keys of a post and its follow-ups: a thread of 25 items spans 2.5 seconds. */
const STEP = 100_000n

/**
 * The key of the follow-up that comes `place` places after a post (1 for the first). The same name always gives the
 * same key, and keys sort by place, so a repository lists a thread in order. Random bits within the step and the
 * maker's bits keep posts apart whose keys were made at the same moment.
 */
export function tidAfter(tid: string, name: string, place: number): string {
  const chance = chanceOf(tid, name)
  const moment = (decode(tid) >> 10n) + BigInt(place) * STEP + ((chance >> 10n) % STEP)
  return encode((moment << 10n) | (chance & 1023n))
}

/** A key derived from a name alone. Its first bit is 0, as the network requires. */
export const tidFrom = (name: string): string => encode(chanceOf('', name) >> 1n)

/** The moment that a key names, whoever made it. */
export const timeOf = (tid: string): Date => new Date(Number((decode(tid) >> 10n) / 1000n))

const SIX_HOURS = 6n * 3_600_000_000n

/**
 * The key that a follow-up had until November 2026: a random moment in the six hours before the post. Needed to delete
 * older threads.
 */
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
