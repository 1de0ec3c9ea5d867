/**
 * Where a parsed request holds text that the database cannot keep, a zero byte or half of a surrogate pair, as a path
 * such as `contents.0.text`; undefined when there is none.
 */
export function unstorable(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, one] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`
    const found = unstorable(key, path) ?? unstorable(one, at)
    if (found !== undefined) return found
  }
  return undefined
}
