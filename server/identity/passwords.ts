import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { assertUncommonPassword } from './commonPasswords.ts'

/** argon2id by the library's defaults, which are OWASP's: 19 MiB, 2 passes, 1 lane. */
export function hashPassword(password: string): Promise<string> {
  return hash(password)
}

/** The hash of a password that someone chose. Throws BAD_INPUT at the field `password` for one that is too common. */
export async function hashNewPassword(password: string): Promise<string> {
  await assertUncommonPassword(password)
  return await hashPassword(password)
}

/** The hash of a password that nobody knows: only a mailed link opens the account again. */
export function voidPassword(): Promise<string> {
  return hash(randomBytes(32))
}

let nobodysHash: Promise<string> | undefined

/**
 * Whether the password belongs to the hash. Without one it takes the same time and returns false: nobody learns who has
 * an account.
 */
export async function isPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  nobodysHash ??= hash('the password of nobody')
  const matches = await verify(passwordHash ?? (await nobodysHash), password)
  return matches && passwordHash !== undefined
}
