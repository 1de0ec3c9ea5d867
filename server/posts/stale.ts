import { isDeepStrictEqual } from 'node:util'
import { fail } from '../errors.ts'

/** JSON without undefined fields, so that an absent field equals an undefined one. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))
/** Whether two values are the same as JSON. */
export const isSame = (a: unknown, b: unknown): boolean => isDeepStrictEqual(plain(a), plain(b))

/** STALE_VERSION with the fields that differ from what is stored, and the stored version. */
export function stale(version: number, pairs: Record<string, readonly [sent: unknown, stored: unknown]>) {
  const fields = Object.entries(pairs).flatMap(([field, [sent, stored]]) => (isSame(sent, stored) ? [] : [field]))
  return fail('STALE_VERSION', { meta: { version, fields } })
}
