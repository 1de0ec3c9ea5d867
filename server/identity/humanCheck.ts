import { createHash } from 'node:crypto'
import { createChallenge, verifySolution, type Challenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'
import type { Databases } from '../db/pools.ts'
import { asSystem } from '../db/system.ts'
import { hashToken } from '../http/session.ts'

/** How hard the puzzle is: PBKDF2 rounds per try, and how many tries its solution takes on average. */
export type Puzzle = { cost: number; tries: number }
const PUZZLE: Puzzle = { cost: 5_000, tries: 600 }

const ALGORITHM = 'PBKDF2/SHA-256'
const MINUTES = 20

/**
 * Distinguishes people from programs before an account is created: with our own puzzle (ALTCHA), or Cloudflare
 * Turnstile.
 */
export type HumanCheck = {
  /** What the page needs to show the check. */
  challenge(now: Date): Promise<({ kind: 'altcha' } & Challenge) | { kind: 'turnstile'; siteKey: string }>
  /** Whether the token proves a recent check that wasn't used for another call. Uses it up. */
  accepts(token: string, now: Date): Promise<boolean>
}

const Solved = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      algorithm: z.literal(ALGORITHM),
      nonce: z.string(),
      salt: z.string(),
      cost: z.number(),
      keyLength: z.number(),
      keyPrefix: z.string(),
      keySignature: z.string().optional(),
      data: z.object({ until: z.number() }),
    }),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
})

/**
 * Puzzles for the browser; each solution works once, within 20 minutes. `secret` signs them and is the same on every
 * node.
 */
export function createHumanCheck(
  databases: Pick<Databases, 'system'>,
  secret: string,
  puzzle: Puzzle = PUZZLE,
): HumanCheck {
  const keySecret = createHash('sha256').update(`key ${secret}`).digest('base64url')
  return {
    challenge: async (now) => ({
      kind: 'altcha',
      ...(await createChallenge({
        algorithm: ALGORITHM,
        deriveKey,
        cost: puzzle.cost,
        // the answer is between half and one and a half times the tries, so that no puzzle takes too long
        counter: Math.max(1, Math.round(puzzle.tries * (0.5 + Math.random()))),
        // signed with the rest; altcha-lib's own expiry uses the system's clock instead of ours
        data: { until: now.getTime() + MINUTES * 60_000 },
        hmacSignatureSecret: secret,
        hmacKeySignatureSecret: keySecret,
      })),
    }),
    async accepts(token, now) {
      const solved = read(token)
      if (!solved) return false
      const { parameters, signature } = solved.challenge
      const { verified } = await verifySolution({
        challenge: { parameters, signature },
        solution: solved.solution,
        deriveKey,
        hmacSignatureSecret: secret,
        hmacKeySignatureSecret: keySecret,
      })
      if (!verified || parameters.data.until <= now.getTime()) return false
      return await useUp(databases, signature, new Date(parameters.data.until))
    },
  }
}

function read(token: string): z.infer<typeof Solved> | undefined {
  try {
    return Solved.safeParse(JSON.parse(Buffer.from(token, 'base64').toString('utf8'))).data
  } catch {
    // not JSON: no solution
    return undefined
  }
}

async function useUp(databases: Pick<Databases, 'system'>, signature: string, expiresAt: Date): Promise<boolean> {
  const row = { solution_hash: hashToken(signature), expires_at: expiresAt }
  const used = await asSystem(databases.system, (tx) =>
    tx
      .insertInto('human_solution')
      .values(row)
      .onConflict((c) => c.doNothing())
      .returning('solution_hash')
      .executeTakeFirst(),
  )
  return used !== undefined
}
