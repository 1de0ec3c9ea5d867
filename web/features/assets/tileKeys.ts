import type { KeyboardEvent } from 'react'
import type { Selection } from '#web/ui/useSelection.ts'

type Keys = {
  /** The ids of the tiles in order; each tile's button has its own as `data-tile`. */
  listed: readonly string[]
  selection: Selection
  /** Undefined for people who can't delete. */
  onDelete: ((id: string) => void) | undefined
}

/** The tile that a key leads to from the one at `at`. Undefined for other keys, and beyond the ends. */
export function tileFor(key: string, at: number, columns: number, count: number): number | undefined {
  const to = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at - columns,
    ArrowDown: at + columns,
    Home: 0,
    End: count - 1,
  }[key]
  return to === undefined || to < 0 || to >= count ? undefined : to
}

/**
 * Keys of a grid of tiles: arrows move, with Shift they select; Space, Ctrl or Cmd with A and Esc select; Delete
 * deletes.
 */
export function onTileKey(event: KeyboardEvent<HTMLElement>, { listed, selection, onDelete }: Keys): void {
  const { target, currentTarget: grid, key } = event
  // events of menus bubble here too, although they're elsewhere on the page
  if (!(target instanceof HTMLElement) || !grid.contains(target)) return
  const id = target.closest<HTMLElement>('[data-tile]')?.dataset['tile']
  if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === 'a') {
    event.preventDefault()
    return selection.all(true)
  }
  if (key === 'Escape' && selection.ids.length > 0) {
    event.stopPropagation()
    return selection.clear()
  }
  if (id === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  if (key === ' ') {
    event.preventDefault()
    return selection.toggle(id, !selection.has(id), event.shiftKey)
  }
  if (key === 'Delete') return onDelete?.(id)
  const tiles = [...grid.querySelectorAll<HTMLElement>('[data-tile]')]
  const top = tiles[0]?.getBoundingClientRect().top
  const columns = tiles.filter((tile) => tile.getBoundingClientRect().top === top).length
  const to = tileFor(key, listed.indexOf(id), Math.max(1, columns), listed.length)
  const next = to === undefined ? undefined : listed[to]
  if (next === undefined) return
  event.preventDefault()
  if (event.shiftKey) selection.choose([id, next])
  tiles.find((tile) => tile.dataset['tile'] === next)?.focus()
}
