/**
 * What a platform said, as our database can keep it: PostgreSQL takes neither zero bytes nor halves of surrogate pairs.
 * Values as they come from JSON; anything else is handed on as it is.
 */
export function plain<T>(value: T): T {
  // of the same shape: only texts differ
  return cleaned(value) as T
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed()
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [cleaned(key), cleaned(one)]))
}
