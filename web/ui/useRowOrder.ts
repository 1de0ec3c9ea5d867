import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react'
import { dragRows } from './dragRows.ts'

type By = 'up' | 'down'
type Options = {
  /** The rows in their order. */
  ids: readonly string[]
  /** Undefined for view-only people. */
  onMove: ((from: number, to: number) => void) | undefined
  /** A row's name when its new place is announced: "step" in "Moved to step 2 of 3". */
  place: string
  /** They're side by side as well: a row is dragged in both directions. */
  isGrid?: boolean
}

/**
 * Rows that people sort: by dragging with mouse or finger, with buttons, or with Alt and an arrow key. Spread `list`
 * onto the list, `row(i)` onto each row, `button(i, by)` onto its two buttons, and show `said` to screen readers. Add
 * `data-grip` to the handle, and `data-whole` to a row that a mouse can grab anywhere.
 */
export function useRowOrder<E extends HTMLElement>({ ids, onMove, place, isGrid = false }: Options) {
  const [said, setSaid] = useState('')
  const list = useRef<E>(null)
  const wanted = useRef<{ id: string; to: number; by: By }>(undefined)
  // the focus follows the row once the list shows it in its new place, to the other button if this one has nowhere to
  // go
  useEffect(() => {
    if (!wanted.current) return
    const { id, to, by } = wanted.current
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const row = rows.find((one) => one.dataset['row'] === id)
    if (!row || rows[to] !== row) return
    wanted.current = undefined
    const button =
      row.querySelector<HTMLButtonElement>(`button[data-by="${by}"]:not([aria-disabled="true"])`) ??
      row.querySelector<HTMLButtonElement>('button[data-by]:not([aria-disabled="true"])')
    button?.focus()
  })
  const move = (from: number, to: number, by?: By) => {
    const id = ids[from]
    if (!onMove || id === undefined || to < 0 || to >= ids.length || from === to) return
    onMove(from, to)
    setSaid(`Moved to ${place} ${to + 1} of ${ids.length}`)
    if (by) wanted.current = { id, to, by }
  }
  const drop = useEffectEvent((id: string, overId: string) => move(ids.indexOf(id), ids.indexOf(overId)))
  const movable = onMove !== undefined
  useEffect(() => {
    const { current: element } = list
    return movable && element ? dragRows(element, (id, overId) => drop(id, overId), isGrid) : undefined
  }, [movable, isGrid])

  return {
    list,
    said,
    row: (i: number) => ({
      'data-row': ids[i],
      onKeyDown: (event: KeyboardEvent) => {
        if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
        event.preventDefault()
        if (event.key === 'ArrowUp') move(i, i - 1, 'up')
        else move(i, i + 1, 'down')
      },
    }),
    button: (i: number, by: By) => ({
      'data-by': by,
      'aria-disabled': by === 'up' ? i === 0 : i === ids.length - 1,
      onClick: () => move(i, by === 'up' ? i - 1 : i + 1, by),
    }),
  }
}

/** The list with one of its members in another place. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.filter((_, i) => i !== from)
  return [...rest.slice(0, to), ...list.slice(from, from + 1), ...rest.slice(to)]
}

/** How a row looks while it's dragged, and while another is held over it. */
export const rowDragLook =
  'data-dragged:relative data-dragged:z-10 data-dragged:cursor-grabbing data-dragged:shadow-2 data-dragged:opacity-90 data-drop:bg-accent-soft!'
/** The handle: also for a finger, which scrolls elsewhere. */
export const gripLook = 'cursor-grab touch-none text-ink-faint'
