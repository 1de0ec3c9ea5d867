/** Milliseconds to wait for the post: by then its list has usually been read again. */
const PATIENCE = 5000
/** Pixels at the bottom that a message and the phone's tabs cover. */
const COVERED = 140

/**
 * Brings posts into view and marks them for a moment, once the page shows them (`data-post`), or what hides them
 * (`data-hides`), such as "3 more" in a full day of the month. If it does neither, the day is marked.
 */
export function flashPosts(postIds: readonly string[], day: string | undefined): void {
  const left = new Set(postIds)
  const look = () => {
    for (const postId of left) if (mark(selectorOf(CSS.escape(postId)))) left.delete(postId)
    if (left.size === 0) end()
  }
  const observer = new MutationObserver(look)
  const late = setTimeout(() => {
    if (left.size === postIds.length && day) mark(`[data-day="${CSS.escape(day)}"]`)
    end()
  }, PATIENCE)
  const end = () => {
    clearTimeout(late)
    observer.disconnect()
  }
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['data-hides'] })
  look()
}

const selectorOf = (id: string): string => `[data-post="${id}"], [data-hides~="${id}"]`

function mark(selector: string): boolean {
  const found = document.querySelector<HTMLElement>(selector)
  if (!found) return false
  // in a table, the whole row is shown and marked
  const shown = found.closest('tr') ?? found
  shown.scrollIntoView({ block: 'nearest' })
  // a message and the phone's tabs lie over the end of the page
  if (shown.getBoundingClientRect().bottom > window.innerHeight - COVERED) shown.scrollIntoView({ block: 'center' })
  found.dataset['flash'] = ''
  found.addEventListener('animationend', () => delete found.dataset['flash'], { once: true })
  return true
}
