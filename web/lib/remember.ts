/** What this browser remembers. Storage may be full or turned off: then it simply doesn't remember. */

const PREFIX = 'rookery.'
/**
 * Survives a lost session: the theme, and drafts that couldn't be saved while offline (they belong to one user's id).
 */
const KEPT = ['rookery.theme']
const DRAFTS = 'rookery.draft.'

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + key, value)
  } catch {
    // full or turned off
  }
}

export function recall(key: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + key) ?? undefined
  } catch {
    return undefined
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(PREFIX + key)
  } catch {
    // turned off: nothing was remembered
  }
}

/** Removes everything that belongs to the person. Logging out removes unsaved drafts, an expired session doesn't. */
export function forgetAll(options: { drafts: boolean }): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (KEPT.includes(key) || (!options.drafts && key.startsWith(DRAFTS))) continue
      localStorage.removeItem(key)
    }
    sessionStorage.clear()
  } catch {
    // turned off: nothing was remembered
  }
}
