import { fail } from '../errors.ts'

/** Up to this many characters around a common word don't make it a strong password: `Password2026!`, `1Qwerty!`. */
const ADDED = 5
/** What people use in place of letters. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

let known: Promise<ReadonlySet<string>> | undefined

/** Some 50,000 passwords from published leaks, in lower case. Loaded with the first new password; it takes some MB. */
const commonPasswords = (): Promise<ReadonlySet<string>> =>
  (known ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const words = new Set(dictionary['passwords-common'].map(String))
    words.add('rookery')
    return words
  }))

/**
 * Whether a password is among the common ones, also with capitals, lookalike characters, or a few digits and symbols
 * around it: the rules for passwords ask for those, and `Password1!` is as easy to guess as `password`.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const common = await commonPasswords()
  const lower = password.toLowerCase()
  if (common.has(lower)) return true
  const front = lower.replace(/[^a-z]+$/, '')
  const spellings = [front, plain(front)].flatMap((word) => [word, word.replace(/^[^a-z]+/, '')])
  return spellings.some((word) => {
    if (!common.has(word)) return false
    const digits = lower.replaceAll(/\D/g, '')
    return lower.length - word.length <= ADDED || common.has(digits)
  })
}

const plain = (word: string): string => word.replaceAll(/[01357@$!]/g, (sign) => LOOKALIKES[sign] ?? sign)

/** Throws BAD_INPUT at the field `password` for a common password. */
export async function assertUncommonPassword(password: string): Promise<void> {
  if (await isCommonPassword(password))
    throw fail('BAD_INPUT', { errors: { password: ['This password is too common'] } })
}
