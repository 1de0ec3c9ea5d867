import { asSystem } from '../db/system.ts'
import { fail, type Failure } from '../errors.ts'
import type { Dependencies } from '../dependencies.ts'
import { limits } from './limits.ts'
import { assertWithinLimit, count, forgetCount } from '../http/attempts.ts'
import { isPassword } from './passwords.ts'

export type OwnAccount = { id: string; email: string; first_name: string; password_hash: string }

/**
 * The caller's account, once its password was entered. Attempts are counted before the password is checked; a correct
 * one clears them. Throws PASSWORD_WRONG, with its message at `field`; RATE_LIMITED after five wrong ones in 15
 * minutes.
 */
export async function withOwnPassword(
  { databases: { system } }: Pick<Dependencies, 'databases'>,
  personId: string,
  password: string,
  now: Date,
  field = 'password',
): Promise<OwnAccount> {
  const { asked, person } = await asSystem(system, async (tx) => ({
    asked: await count(tx, limits.oldPassword, personId, now),
    person: await tx
      .selectFrom('person')
      .select(['id', 'email', 'first_name', 'password_hash'])
      .where('id', '=', personId)
      .executeTakeFirst(),
  }))
  assertWithinLimit(asked)
  if (!person || !(await isPassword(person.password_hash, password))) throw wrongPassword(field)
  await asSystem(system, (tx) => forgetCount(tx, limits.oldPassword, personId))
  return person
}

/** `field` is where the person typed it. */
export const wrongPassword = (field = 'password'): Failure =>
  fail('PASSWORD_WRONG', { errors: { [field]: ["This isn't your current password."] } })
