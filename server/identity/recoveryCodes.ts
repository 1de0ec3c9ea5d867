import { randomInt, scrypt } from 'node:crypto'
import type { Tx } from '../db/kysely.ts'

/** Without letters and digits that are taken for one another. Twelve of them are 59 bits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 12
const HOW_MANY = 10
/** scrypt's N: some milliseconds, which makes 59 bits out of reach for whoever holds a copy of the database. */
const COST = 4096
const HASH_BYTES = 32

/** Ten codes such as `k7fq-2m9x-hd4p`, and the hashes that are kept of them. Salted by the person: no key that rotates is involved. */
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

/** Keeps new codes in place of the old ones. */
export async function keepRecoveryCodes(tx: Tx, personId: string, hashes: readonly Buffer[]): Promise<void> {
  await dropRecoveryCodes(tx, personId)
  await tx
    .insertInto('recovery_code')
    .values(hashes.map((hash) => ({ person_id: personId, code_hash: hash, used_at: null })))
    .execute()
}

/** Voids all codes of the person. */
export async function dropRecoveryCodes(tx: Tx, personId: string): Promise<void> {
  await tx.deleteFrom('recovery_code').where('person_id', '=', personId).execute()
}

/** Uses a code up, written without hyphens. One statement: of two uses at the same time one is right. */
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
