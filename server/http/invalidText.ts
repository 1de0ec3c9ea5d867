/**
 * Where a parsed request contains text that the database can't store, a zero byte or half of a surrogate pair, as a
 * path such as `contents.0.text`; undefined if nowhere.
 */
export function findInvalidText(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, one] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`
    const found = findInvalidText(key, path) ?? findInvalidText(one, at)
    if (found !== undefined) return found
  }
  return undefined
}

/** Far deeper than any body of the contract. */
const DEEPEST = 100

/** Whether JSON is nested so deeply that recursive code would run out of stack. Isn't recursive itself. */
export function isNestedTooDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return true
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}
