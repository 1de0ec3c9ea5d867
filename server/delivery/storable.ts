/**
 * A platform's answer as our database can store it: PostgreSQL rejects zero bytes and unpaired surrogates. Takes
 * values as they come from JSON; anything else is returned unchanged.
 */
export function storable<T>(value: T): T {
  // of the same shape: only texts differ
  return cleaned(value) as T
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed()
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [cleaned(key), cleaned(one)]))
}
