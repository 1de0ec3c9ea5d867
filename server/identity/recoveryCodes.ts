import { randomInt, scrypt } from 'node:crypto'
import type { Tx } from '../db/kysely.ts'

/** Letters and digits that can't be confused. Twelve of them are 59 bits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 12
const HOW_MANY = 10
/** scrypt's N: a few milliseconds, which puts 59 bits out of reach for someone with a copy of the database. */
const COST = 4096
const HASH_BYTES = 32

/** Ten codes such as `k7fq-2m9x-hd4p`, and the hashes we store. Salted with the person: no rotating key is involved. */
export async function makeRecoveryCodes(personId: string): Promise<{ codes: string[]; hashes: Buffer[] }> {
  const plain = Array.from({ length: HOW_MANY }, () =>
    Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join(''),
  )
  return {
    codes: plain.map((code) => code.replaceAll(/(.{4})(?=.)/g, '$1-')),
    hashes: await Promise.all(plain.map((code) => hashOf(personId, code))),
  }
}

function hashOf(personId: string, code: string): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(code, `rookery recovery ${personId}`, HASH_BYTES, { cost: COST }, (error, hash) =>
      error ? reject(error) : resolve(hash),
    ),
  )
}

/** Replaces the person's codes. */
export async function keepRecoveryCodes(tx: Tx, personId: string, hashes: readonly Buffer[]): Promise<void> {
  await dropRecoveryCodes(tx, personId)
  await tx
    .insertInto('recovery_code')
    .values(hashes.map((hash) => ({ person_id: personId, code_hash: hash, used_at: null })))
    .execute()
}

/** Voids all of the person's codes. */
export async function dropRecoveryCodes(tx: Tx, personId: string): Promise<void> {
  await tx.deleteFrom('recovery_code').where('person_id', '=', personId).execute()
}

/** Uses a code, written without hyphens. One statement, so that of two simultaneous uses one succeeds. */
export async function useRecoveryCode(tx: Tx, personId: string, code: string, now: Date): Promise<boolean> {
  const used = await tx
    .updateTable('recovery_code')
    .set({ used_at: now })
    .where('person_id', '=', personId)
    .where('code_hash', '=', await hashOf(personId, code))
    .where('used_at', 'is', null)
    .returning('person_id')
    .executeTakeFirst()
  return used !== undefined
}

/** How many codes the person hasn't used. */
export async function recoveryCodesLeft(tx: Tx, personId: string): Promise<number> {
  const { left } = await tx
    .selectFrom('recovery_code')
    .select((e) => e.fn.countAll<number>().as('left'))
    .where('person_id', '=', personId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return left
}
