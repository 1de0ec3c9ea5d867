import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Databases } from '../db/pools.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { hashToken } from '../http/session.ts'

/*
 * Challenges of the browser's WebAuthn calls. They expire after five minutes and work once. One for a new passkey
 * belongs to a person, and is kept until it's answered. One for a login carries its own proof and is written down only
 * once it opened a session: every login page requests one, so it must cost nothing, and no limit on requesting them may
 * keep people behind the same address from logging in.
 */

/** How long a challenge works, in milliseconds. */
export const CHALLENGE_MS = 5 * 60_000

const RANDOM = 16
const EXPIRY = 6
const MAC = 32

/** A challenge for a login, made with the installation's key for them. It names no one. */
export function loginChallenge(key: string, now: Date): string {
  const text = Buffer.alloc(RANDOM + EXPIRY)
  randomBytes(RANDOM).copy(text)
  text.writeUIntBE(now.getTime() + CHALLENGE_MS, RANDOM, EXPIRY)
  return Buffer.concat([text, macOf(key, text)]).toString('base64url')
}

/** The challenge of a response, if it's one of `loginChallenge`'s that hasn't expired; otherwise undefined. */
export function loginChallengeIn(key: string, response: unknown, now: Date): string | undefined {
  const challenge = challengeIn(response)
  const bytes = Buffer.from(challenge ?? '', 'base64url')
  // one spelling only: what was used is compared as text
  if (bytes.length !== RANDOM + EXPIRY + MAC || bytes.toString('base64url') !== challenge) return undefined
  const text = bytes.subarray(0, RANDOM + EXPIRY)
  if (!timingSafeEqual(macOf(key, text), bytes.subarray(RANDOM + EXPIRY))) return undefined
  return text.readUIntBE(RANDOM, EXPIRY) > now.getTime() ? challenge : undefined
}

const macOf = (key: string, text: Buffer) => createHmac('sha256', key).update(text).digest()

/** Writes down that the challenge opened a session. False if it did before: then it opens no other one. In a system transaction. */
export async function useLoginChallenge(tx: Tx, challenge: string, now: Date): Promise<boolean> {
  const used = await tx
    .insertInto('passkey_challenge')
    .values(rowOf(challenge, null, now))
    .onConflict((c) => c.column('challenge_hash').doNothing())
    .returning('challenge_hash')
    .executeTakeFirst()
  return used !== undefined
}

/** Keeps the challenge for a new passkey of this person. */
export async function keepChallenge(
  { system }: Databases,
  challenge: string,
  personId: string,
  now: Date,
): Promise<void> {
  await asSystem(system, (tx) =>
    tx
      .insertInto('passkey_challenge')
      .values(rowOf(challenge, personId, now))
      .execute(),
  )
}

/**
 * Uses up the challenge of a response and returns it: one kept for this person, not expired. It's used up even if the
 * response is wrong.
 */
export async function takeChallenge(
  { system }: Databases,
  response: unknown,
  personId: string,
  now: Date,
): Promise<string | undefined> {
  const challenge = challengeIn(response)
  if (challenge === undefined) return undefined
  const taken = await asSystem(system, (tx) =>
    tx
      .deleteFrom('passkey_challenge')
      .where('challenge_hash', '=', hashToken(challenge))
      .where('person_id', '=', personId)
      .where('expires_at', '>', now)
      .returning('challenge_hash')
      .executeTakeFirst(),
  )
  return taken && challenge
}

const rowOf = (challenge: string, personId: string | null, now: Date) => ({
  challenge_hash: hashToken(challenge),
  person_id: personId,
  expires_at: new Date(now.getTime() + CHALLENGE_MS),
})

const Answered = z.object({ response: z.object({ clientDataJSON: z.string().max(10_000) }) })
const ClientData = z.object({ challenge: z.string() })

function challengeIn(response: unknown): string | undefined {
  const answered = Answered.safeParse(response)
  if (!answered.success) return undefined
  try {
    return ClientData.safeParse(
      JSON.parse(Buffer.from(answered.data.response.clientDataJSON, 'base64url').toString('utf8')),
    ).data?.challenge
  } catch {
    // not JSON: not a response to a challenge
    return undefined
  }
}
