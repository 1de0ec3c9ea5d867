/** What this browser remembers. Storage may be full or switched off: then it simply doesn't remember. */

const PREFIX = 'rookery.'
/** Outlives a lost session: a look, and drafts that couldn't be saved while offline (they belong to one user's id). */
const KEPT = ['rookery.theme']
const DRAFTS = 'rookery.draft.'

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + key, value)
  } catch {
    // full or switched off
  }
}

export function recall(key: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + key) ?? undefined
  } catch {
    return undefined
  }
}

/** Forgets everything that belongs to the person. A log out takes unsaved drafts along, an expired session doesn't. */
export function forgetAll(options: { drafts: boolean }): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (KEPT.includes(key) || (!options.drafts && key.startsWith(DRAFTS))) continue
      localStorage.removeItem(key)
    }
    sessionStorage.clear()
  } catch {
    // switched off: nothing was remembered
  }
}
