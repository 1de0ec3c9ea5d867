import { randomInt } from 'node:crypto'

const DIGITS = '234567abcdefghijklmnopqrstuvwxyz'

/**
 * Makes keys for records: timestamp identifiers of 13 characters that sort by time (atproto.com/specs/tid): 53 bits of
 * microseconds and 10 bits that tell makers apart. Each key of one maker is larger than its last one.
 */
export function tidMaker(clockId: number = randomInt(1024), microsecond: () => number = () => randomInt(1000)): (now: Date) => string {
  let last = 0
  return (now) => {
    // below the clock's millisecond is chance, which tells makers apart even further
    last = Math.max(last + 1, now.getTime() * 1000 + microsecond())
    return encode((BigInt(last) << 10n) | BigInt(clockId))
  }
}

function encode(value: bigint): string {
  let text = ''
  for (let shift = 60n; shift >= 0n; shift -= 5n) text += DIGITS.charAt(Number((value >> shift) & 31n))
  return text
}
