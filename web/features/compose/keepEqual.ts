import { replaceEqualDeep } from '@tanstack/react-query'

/** The new value, in which each unchanged part keeps its previous identity; if all are unchanged, `before` itself. */
export function keepEqual<T extends object>(before: T | undefined, next: T): T {
  if (!before) return next
  const kept = { ...next }
  let isSame = true
  // the names of an object's own parts
  for (const part of Object.keys(next) as (keyof T)[]) {
    // a copy is made of what differs in any way, and not taken: what holds channels is compared by identity
    if (replaceEqualDeep(before[part], next[part]) === before[part]) kept[part] = before[part]
    else isSame = false
  }
  return isSame ? before : kept
}
