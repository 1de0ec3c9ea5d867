import { storedText } from '#contract/storedText.ts'

/** Passwords are compared as they were typed when they were set. */
const isSecret = /password$/i

/** A request's query or parsed body with each text as it's stored (contract/storedText.ts). */
export function storedIn(value: unknown): unknown {
  if (typeof value === 'string') return storedText(value)
  if (Array.isArray(value)) {
    const stored = value.map(storedIn)
    return stored.every((one, index) => one === value[index]) ? value : stored
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const stored = entries.map(([key, one]): [string, unknown] => [key, isSecret.test(key) ? one : storedIn(one)])
  // nearly all requests stay as they came
  return stored.every(([, one], index) => one === entries[index]?.[1]) ? value : Object.fromEntries(stored)
}
