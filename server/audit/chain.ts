import { BEGINNING, sealOf, type SealedFacts } from './seal.ts'

/** What is wrong with a chain, at its first broken link. */
export type Broken = {
  seq: number
  auditId: string | null
  why: 'changed' | 'missing' | 'doubled' | 'end missing' | 'end unknown' | 'emptied' | 'never sealed' | 'head unknown'
}
/** An entry whose time can't be true, although its seal is valid. */
export type Misdated = {
  seq: number
  auditId: string
  why: 'before the organization' | 'before an earlier entry' | 'in the future'
}

/** An entry with its position in the chain. */
export type Link = SealedFacts & { sealed_seq: number; seal: Buffer }
/** A chain's last known end, stored by the sealing job. */
export type End = { seq: number; seal: Buffer }

/**
 * How much earlier an entry may be dated than the one sealed before it, in milliseconds. Transactions are dated at
 * their start, and nodes' clocks differ by seconds.
 */
export const TOLERANCE_MS = 3_600_000

export type ChainFacts = {
  createdAt: Date | null
  now: Date
  /** A head that was stored elsewhere, in hex. */ head?: string | undefined
}

/** Checks a chain link by link, from its start. `add` returns whether to continue. */
export function checkChain({ createdAt, now, head }: ChainFacts) {
  let seq = 0
  let seal: Buffer = BEGINNING
  let latest = -Infinity
  let broken: Broken | null = null
  let headAt = head === undefined || head === BEGINNING.toString('hex') ? 0 : null
  const misdated: Misdated[] = []
  return {
    add(link: Link): boolean {
      broken = linkFault(seq, seal, link)
      if (broken) return false
      seq += 1
      seal = link.seal
      if (seal.toString('hex') === head) headAt = seq
      const at = Date.parse(link.at)
      const why = misdate(at, { createdAt, now, latest })
      if (why) misdated.push({ seq, auditId: link.id, why })
      latest = Math.max(latest, at)
      return true
    },
    /**
     * The result, once every link was added. Entries up to a stored head were accepted when it was stored, so their
     * dates are no longer checked.
     */
    finish(end: End | undefined) {
      broken ??= endFault(seq, seal, end)
      // a broken chain doesn't reach the head, and the break says more
      if (!broken && headAt === null) broken = { seq, auditId: null, why: 'head unknown' }
      return {
        sealed: seq,
        head: seal.toString('hex'),
        broken,
        misdated: misdated.filter((one) => one.seq > (headAt ?? 0)),
      }
    },
  }
}

function linkFault(seq: number, seal: Buffer, link: Link): Broken | null {
  if (link.sealed_seq > seq + 1) return { seq: seq + 1, auditId: null, why: 'missing' }
  if (link.sealed_seq < seq + 1) return { seq: link.sealed_seq, auditId: link.id, why: 'doubled' }
  return sealOf(seal, seq + 1, link).equals(link.seal) ? null : { seq: seq + 1, auditId: link.id, why: 'changed' }
}

function endFault(seq: number, seal: Buffer, end: End | undefined): Broken | null {
  if (!end) return seq === 0 ? null : { seq, auditId: null, why: 'end unknown' }
  if (end.seq > seq) return { seq: seq + 1, auditId: null, why: 'end missing' }
  return end.seq === seq && end.seal.equals(seal) ? null : { seq, auditId: null, why: 'end unknown' }
}

function misdate(
  at: number,
  { createdAt, now, latest }: { createdAt: Date | null; now: Date; latest: number },
): Misdated['why'] | null {
  if (createdAt && at < createdAt.getTime()) return 'before the organization'
  if (at < latest - TOLERANCE_MS) return 'before an earlier entry'
  return at > now.getTime() + TOLERANCE_MS ? 'in the future' : null
}
