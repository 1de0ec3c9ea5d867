import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { assertUncommonPassword } from './commonPasswords.ts'

/** argon2id with the library's defaults, which are OWASP's: 19 MiB, 2 passes, 1 lane. */
export function hashPassword(password: string): Promise<string> {
  return hash(password)
}

/** The hash of a chosen password. Throws BAD_INPUT at the field `password` if it's too common. */
export async function hashNewPassword(password: string): Promise<string> {
  await assertUncommonPassword(password)
  return await hashPassword(password)
}

/** The hash of a password nobody knows: only an emailed link opens the account again. */
export function voidPassword(): Promise<string> {
  return hash(randomBytes(32))
}

let nobodysHash: Promise<string> | undefined

/**
 * Whether the password matches the hash. Without a hash, it takes the same time and returns false, so that nobody
 * learns who has an account.
 */
export async function isPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  nobodysHash ??= hash('the password of nobody')
  const matches = await verify(passwordHash ?? (await nobodysHash), password)
  return matches && passwordHash !== undefined
}
