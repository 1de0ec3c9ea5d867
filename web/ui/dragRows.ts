import { swallowClick } from './swallowClick.ts'

/** Pixels that a press may move before it's a drag. */
const SLACK = 5

/**
 * Dragging of the `[data-row]` elements inside a list by mouse, pen or finger: by a grip (`[data-grip]`, which needs
 * `touch-action: none`), and by mouse anywhere on a row marked `data-whole` but its buttons and fields. The row is known
 * by its id and not by its place or element: a list that is read again meanwhile, and puts its rows elsewhere, takes
 * nothing out of the hand. Escape lets go. In a grid, rows are side by side as
 * well. Returns the way to switch it off.
 */
export function dragRows(list: HTMLElement, onDrop: (id: string, overId: string) => void, isGrid = false): () => void {
  let press: { id: string; pointer: number; x: number; y: number } | undefined
  let drag: { id: string; hold: number; holdX: number; over: string | undefined } | undefined
  let frame = 0
  let at = 0
  let across = 0

  const rowOf = (id: string | undefined) =>
    id === undefined
      ? undefined
      : [...list.querySelectorAll<HTMLElement>('[data-row]')].find((row) => row.dataset['row'] === id)
  /** Where the row would be if it weren't dragged. */
  const topOf = (row: HTMLElement) =>
    row.getBoundingClientRect().top - (Number.parseFloat(row.style.translate.split(' ')[1] ?? '') || 0)
  const leftOf = (row: HTMLElement) =>
    row.getBoundingClientRect().left - (Number.parseFloat(row.style.translate.split(' ')[0] ?? '') || 0)
  const mark = (over: string | undefined) => {
    if (!drag || drag.over === over) return
    delete rowOf(drag.over)?.dataset['drop']
    drag.over = over
    const row = rowOf(over)
    if (!row) return
    row.dataset['drop'] = 'true'
    // the next ones scroll into view
    row.scrollIntoView({ block: 'nearest' })
  }
  const follow = () => {
    frame = 0
    const row = rowOf(drag?.id)
    if (!drag || !row) return letGo()
    row.dataset['dragged'] = 'true'
    const aside = isGrid ? across - drag.holdX - leftOf(row) : 0
    row.style.translate = `${aside}px ${at - drag.hold - topOf(row)}px`
    const rows = [...list.querySelectorAll<HTMLElement>('[data-row]')].filter((one) => one !== row)
    mark(
      rows.find((one) => {
        const { top, bottom, left, right } = one.getBoundingClientRect()
        return at >= top && at < bottom && (!isGrid || (across >= left && across < right))
      })?.dataset['row'],
    )
  }
  const letGo = () => {
    cancelAnimationFrame(frame)
    frame = 0
    press = undefined
    if (!drag) return
    mark(undefined)
    for (const row of list.querySelectorAll<HTMLElement>('[data-dragged]')) {
      delete row.dataset['dragged']
      row.style.translate = ''
    }
    document.documentElement.style.cursor = ''
    drag = undefined
  }

  const onDown = (event: PointerEvent) => {
    if (!(event.target instanceof Element) || event.button !== 0 || !event.isPrimary) return
    const row = event.target.closest<HTMLElement>('[data-row]')
    const id = row?.dataset['row']
    const byGrip = event.target.closest('[data-grip]') !== null
    const byRow =
      event.pointerType === 'mouse' &&
      row?.dataset['whole'] !== undefined &&
      event.target.closest('button, input, select, textarea') === null
    if (id === undefined || !(byGrip || byRow)) return
    at = event.clientY
    across = event.clientX
    press = { id, pointer: event.pointerId, x: across, y: at }
  }
  const onMove = (event: PointerEvent) => {
    if (!press || event.pointerId !== press.pointer) return
    at = event.clientY
    across = event.clientX
    if (!drag) {
      const row = rowOf(press.id)
      const moved = Math.max(Math.abs(at - press.y), isGrid ? Math.abs(across - press.x) : 0)
      if (!row || moved < SLACK) return
      drag = { id: press.id, hold: press.y - topOf(row), holdX: press.x - leftOf(row), over: undefined }
      document.documentElement.style.cursor = 'grabbing'
      // removes the text selection that the press left behind
      document.getSelection()?.removeAllRanges()
    }
    event.preventDefault()
    frame ||= requestAnimationFrame(follow)
  }
  const onUp = () => {
    if (!drag) return letGo()
    // the last move's position counts
    cancelAnimationFrame(frame)
    follow()
    // the row may be gone by now
    const { id, over } = { ...drag }
    swallowClick()
    letGo()
    if (id !== undefined && over !== undefined) onDrop(id, over)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !drag) return
    event.preventDefault()
    event.stopPropagation()
    letGo()
  }

  const aborter = new AbortController()
  const { signal } = aborter
  list.addEventListener('pointerdown', onDown, { signal })
  // the browser itself would drag a link or an image
  list.addEventListener('dragstart', (event) => event.preventDefault(), { signal })
  list.addEventListener('selectstart', (event) => (drag ? event.preventDefault() : undefined), { signal })
  window.addEventListener('pointermove', onMove, { signal })
  window.addEventListener('pointerup', onUp, { signal })
  window.addEventListener('pointercancel', letGo, { signal })
  window.addEventListener('blur', letGo, { signal })
  window.addEventListener('keydown', onKey, { signal, capture: true })
  return () => {
    letGo()
    aborter.abort()
  }
}
