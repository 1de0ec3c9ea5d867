import { addDays, weekday, type Day } from '#web/lib/dates.ts'

export type GridKeyTools = {
  /** Days are in one row (week) or in rows of seven (month). */
  rows: boolean
  /** Shows the day, on another page if necessary, and focuses it; with `index`, the post at that position. */
  goTo: (day: Day, index?: number) => void
  step: (by: 1 | -1) => void
  /** Moves the post by days. */
  move: (postId: string, from: Day, to: Day) => void
  /** Enter on a day without chips. */
  choose: (day: Day) => void
}

const arrows: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/**
 * Keys of the calendar's grid (ARIA grid pattern): arrows move between days, Enter goes into a day, where up and down
 * move between its posts and Escape leaves it. Ctrl or Cmd with an arrow moves the post to that day.
 */
export function onGridKey(event: KeyboardEvent, tools: GridKeyTools): void {
  const target = event.target instanceof HTMLElement ? event.target : undefined
  const cell = target?.closest<HTMLElement>('[data-day]')
  const day = cell?.dataset.day
  if (!target || !cell || !day) return
  const handled = target === cell ? onCellKey(event, cell, day, tools) : onItemKey(event, target, cell, day, tools)
  if (handled) event.preventDefault()
}

function onCellKey(event: KeyboardEvent, cell: HTMLElement, day: Day, tools: GridKeyTools): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  const by = arrows[event.key]
  if (by !== undefined && (tools.rows || Math.abs(by) === 1)) {
    tools.goTo(addDays(day, by))
    return true
  }
  switch (event.key) {
    case 'ArrowDown':
      return focusItem(cell, 0)
    case 'Home':
      tools.goTo(addDays(day, -weekday(day)))
      return true
    case 'End':
      tools.goTo(addDays(day, 6 - weekday(day)))
      return true
    case 'PageUp':
      tools.step(-1)
      return true
    case 'PageDown':
      tools.step(1)
      return true
    case 'Enter':
    case ' ':
      if (!focusItem(cell, 0)) tools.choose(day)
      return true
    default:
      return false
  }
}

function onItemKey(event: KeyboardEvent, item: HTMLElement, cell: HTMLElement, day: Day, tools: GridKeyTools): boolean {
  const by = arrows[event.key]
  const postId = item.dataset.post
  if (by !== undefined && (event.ctrlKey || event.metaKey)) {
    if (postId && item.dataset.movable) tools.move(postId, day, addDays(day, by))
    return true
  }
  if (event.altKey || event.ctrlKey || event.metaKey) return false
  const items = itemsOf(cell)
  const index = items.indexOf(item)
  switch (event.key) {
    case 'ArrowDown':
      items[index + 1]?.focus()
      return true
    case 'ArrowUp':
      ;(items[index - 1] ?? cell).focus()
      return true
    case 'ArrowLeft':
    case 'ArrowRight':
      tools.goTo(addDays(day, by ?? 0), index)
      return true
    case 'Escape':
      cell.focus()
      return true
    default:
      return false
  }
}

function itemsOf(cell: HTMLElement): HTMLElement[] {
  return [...cell.querySelectorAll<HTMLElement>('[data-post], [data-more]')]
}

/** Focuses the item at that position, or the last one; false if the day has none. */
export function focusItem(cell: HTMLElement, index: number): boolean {
  const items = itemsOf(cell)
  const item = items[Math.min(index, items.length - 1)]
  item?.focus()
  return item !== undefined
}
