import { expect, it } from 'vitest'
import { isCommonPassword } from './commonPasswords.ts'

it.each([
  'Password1!',
  'Passw0rd!',
  'Qwerty123!',
  'Welcome1!',
  'Rookery1!',
  'P@ssw0rd2026',
  '1Dragon-',
  'Password-123456!',
])('refuses %s', async (password) => expect(await isCommonPassword(password)).toBe(true))

it.each(['Larch-Otter7', 'Fresh-Horse-3', 'Rookery-2026-harbor', 'Xk9$mQ2!vT', 'Dragon-8472619'])(
  'accepts %s',
  async (password) => expect(await isCommonPassword(password)).toBe(false),
)
