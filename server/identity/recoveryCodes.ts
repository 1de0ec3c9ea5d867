import { createHmac, randomInt } from 'node:crypto'
import type { Tx } from '../db/kysely.ts'

/** Without letters and digits that are taken for one another. Twelve of them are 59 bits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 12
const HOW_MANY = 10

/** Signs recovery codes, so that a copy of the database does not tell them. */
export type RecoveryKey = string

const hashOf = (key: RecoveryKey, personId: string, code: string) => createHmac('sha256', key).update(`${personId} ${code}`).digest()

/** Ten new codes in place of the old ones, such as `k7fq-2m9x-hd4p`. Only their hashes are kept. */
export async function replaceRecoveryCodes(tx: Tx, key: RecoveryKey, personId: string): Promise<string[]> {
  const codes = Array.from({ length: HOW_MANY }, () => Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join(''))
  await dropRecoveryCodes(tx, personId)
  await tx.insertInto('recovery_code').values(codes.map((code) => ({ person_id: personId, code_hash: hashOf(key, personId, code), used_at: null }))).execute()
  return codes.map((code) => code.replaceAll(/(.{4})(?=.)/g, '$1-'))
}

export async function dropRecoveryCodes(tx: Tx, personId: string): Promise<void> {
  await tx.deleteFrom('recovery_code').where('person_id', '=', personId).execute()
}

/** Uses a code up, written without hyphens. One statement: of two uses at the same time one is right. */
export async function useRecoveryCode(tx: Tx, key: RecoveryKey, personId: string, code: string, now: Date): Promise<boolean> {
  const used = await tx.updateTable('recovery_code').set({ used_at: now }).where('person_id', '=', personId).where('code_hash', '=', hashOf(key, personId, code)).where('used_at', 'is', null).returning('person_id').executeTakeFirst()
  return used !== undefined
}

export async function recoveryCodesLeft(tx: Tx, personId: string): Promise<number> {
  const { left } = await tx.selectFrom('recovery_code').select((e) => e.fn.countAll<number>().as('left')).where('person_id', '=', personId).where('used_at', 'is', null).executeTakeFirstOrThrow()
  return left
}
