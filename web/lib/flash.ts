/** Milliseconds to wait for the post: by then its list has usually been read again. */
const PATIENCE = 5000

/**
 * Brings posts into view and marks them for a moment, once the page shows them (`data-post`). If it doesn't, such as in
 * a full day of the month, the day is marked.
 */
export function flashPosts(postIds: readonly string[], day: string | undefined): void {
  const left = new Set(postIds)
  const look = () => {
    for (const postId of left) if (mark(`[data-post="${CSS.escape(postId)}"]`)) left.delete(postId)
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
  observer.observe(document.body, { childList: true, subtree: true })
  look()
}

function mark(selector: string): boolean {
  const found = document.querySelector<HTMLElement>(selector)
  if (!found) return false
  found.scrollIntoView({ block: 'nearest' })
  found.dataset['flash'] = ''
  found.addEventListener('animationend', () => delete found.dataset['flash'], { once: true })
  return true
}
