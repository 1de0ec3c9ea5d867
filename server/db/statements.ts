import { createHash } from 'node:crypto'

/**
 * A list spliced into SQL makes a new statement per length. Beyond this many, statements stay unnamed, which is slower
 * but limits memory on both sides. `= any($1)` uses one statement for every length.
 */
const LIMIT = 1000

const names = new Map<string, string>()

/**
 * The name under which a statement is prepared: a hash of its SQL, so that the same text is planned once per
 * connection. Undefined if there are too many different texts.
 */
export function statementName(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined) return known
  if (names.size >= LIMIT) return undefined
  const name = `r${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
  names.set(text, name)
  return name
}
