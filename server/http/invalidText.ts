/**
 * Where a parsed request contains text that the database can't store, a zero byte or half of a surrogate pair, as a
 * path such as `contents.0.text`; undefined if nowhere.
 */
export function findInvalidText(value: unknown): string | undefined {
  return pathToInvalid(value)?.join('.')
}

/** The names on the way to such a text. A list is only made once there is one: most requests have none. */
function pathToInvalid(value: unknown): string[] | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : []
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, one] of Object.entries(value)) {
    if (!isStorable(key)) return []
    const path = pathToInvalid(one)
    if (path) return [key, ...path]
  }
  return undefined
}

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** Far deeper than any body of the contract. */
const DEEPEST = 100

/**
 * Far more values than any body of the contract has; a test compares it with the largest ones. Each costs time in the
 * schemas, whatever they say of it, and a body of 2 MB has room for a million.
 */
export const MOST_VALUES = 40_000

/**
 * Why parsed JSON can't be an input: it's nested so deeply that recursive code would run out of stack, or has too many
 * values. Undefined if it can. Isn't recursive itself, and counts no further than it must.
 */
export function unreasonable(value: unknown): string | undefined {
  let level = [value]
  let count = 0
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return 'The body is nested too deeply.'
    const next: unknown[] = []
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue
      const values: unknown[] = Object.values(one)
      count += values.length
      if (count > MOST_VALUES)
        return `The body has too many values. At most ${MOST_VALUES.toLocaleString('en-US')} can be sent at once.`
      for (const inner of values) next.push(inner)
    }
    level = next
  }
  return undefined
}
