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

const HOURS_BEFORE = 6n * 3_600_000_000n

/**
 * The key of something that follows the record of `tid`: the same for the same name, and at a chance moment of the six hours
 * before it. So whoever knows the post's key knows those of its parts, and keys never lie in the future.
 */
export function tidFrom(tid: string, name: string): string {
  const chance = createHash('sha256').update(`${tid}/${name}`).digest().readBigUInt64BE()
  const clockId = chance & 1023n
  return encode((((decode(tid) >> 10n) - 1n - ((chance >> 10n) % HOURS_BEFORE)) << 10n) | clockId)
}

function decode(tid: string): bigint {
  return Array.from(tid).reduce((value, letter) => (value << 5n) | BigInt(DIGITS.indexOf(letter)), 0n)
}

function encode(value: bigint): string {
  let text = ''
  for (let shift = 60n; shift >= 0n; shift -= 5n) text += DIGITS.charAt(Number((value >> shift) & 31n))
  return text
}
