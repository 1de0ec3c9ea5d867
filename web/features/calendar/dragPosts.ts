import type { Day } from '#web/lib/dates.ts'
import { swallowClick } from '#web/ui/swallowClick.ts'

/**
 * How many pixels the pointer may move before a press becomes a drag; how many milliseconds of touch pick up a post.
 */
const SLACK = 5
const HOLD = 350

type Cell = { element: HTMLElement; day: Day; box: DOMRect }
type Drag = {
  chip: HTMLElement
  ghost: HTMLElement
  cover: HTMLElement
  cells: readonly Cell[]
  over: Cell | undefined
  dx: number
  dy: number
}

/**
 * Dragging of `[data-movable]` posts between `[data-day]` cells inside the root, by mouse, pen or a resting finger. It
 * works on the DOM and leaves React alone until the post is dropped: one transform per frame, cells measured once.
 * Escape cancels. Returns a function that turns it off.
 */
export function dragPosts(root: HTMLElement, onDrop: (postId: string, from: Day, to: Day) => void): () => void {
  let press:
    | {
        chip: HTMLElement
        pointer: number
        x: number
        y: number
        touch: boolean
        timer?: ReturnType<typeof setTimeout>
      }
    | undefined
  let drag: Drag | undefined
  let frame = 0
  let at = { x: 0, y: 0 }

  const lift = () => {
    if (!press) return
    const { chip, pointer, x, y } = press
    const box = chip.getBoundingClientRect()
    const ghost = ghostOf(chip, box)
    const cover = coverFor(pointer)
    const cells = [...root.querySelectorAll<HTMLElement>('[data-day]')].map((element) => ({
      element,
      day: element.dataset.day ?? '',
      box: element.getBoundingClientRect(),
    }))
    drag = { chip, ghost, cover, cells, over: undefined, dx: x - box.left, dy: y - box.top }
    chip.dataset.dragged = 'true'
    schedule()
  }
  const schedule = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0
      if (!drag) return
      drag.ghost.style.transform = `translate3d(${at.x - drag.dx}px, ${at.y - drag.dy}px, 0)`
      const over = drag.cells.find(
        ({ box }) => at.x >= box.left && at.x < box.right && at.y >= box.top && at.y < box.bottom,
      )
      if (over === drag.over) return
      delete drag.over?.element.dataset.drop
      if (over) over.element.dataset.drop = 'true'
      drag.over = over
    })
  }
  const letGo = () => {
    clearTimeout(press?.timer)
    press = undefined
    if (!drag) return
    cancelAnimationFrame(frame)
    frame = 0
    drag.ghost.remove()
    drag.cover.remove()
    delete drag.chip.dataset.dragged
    delete drag.over?.element.dataset.drop
    drag = undefined
  }

  const onDown = (event: PointerEvent) => {
    const chip = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-movable]') : null
    if (!chip || event.button !== 0 || !event.isPrimary) return
    at = { x: event.clientX, y: event.clientY }
    press = { chip, pointer: event.pointerId, ...at, touch: event.pointerType === 'touch' }
    if (press.touch) press.timer = setTimeout(lift, HOLD)
  }
  const onMove = (event: PointerEvent) => {
    if (!press) return
    at = { x: event.clientX, y: event.clientY }
    if (drag) return schedule()
    if (Math.hypot(at.x - press.x, at.y - press.y) < SLACK) return
    // a finger that moves right away scrolls
    if (press.touch) return letGo()
    lift()
  }
  const onUp = () => {
    const dropped = drag
    if (dropped) {
      // the position of the very last move counts
      const over = dropped.cells.find(
        ({ box }) => at.x >= box.left && at.x < box.right && at.y >= box.top && at.y < box.bottom,
      )
      const from = dropped.chip.closest<HTMLElement>('[data-day]')?.dataset.day
      const postId = dropped.chip.dataset.post
      swallowClick()
      letGo()
      if (over && from && postId && over.day !== from) onDrop(postId, from, over.day)
      return
    }
    letGo()
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !drag) return
    event.preventDefault()
    event.stopPropagation()
    letGo()
  }
  const onTouchMove = (event: TouchEvent) => {
    if (drag) event.preventDefault()
  }
  const onMenu = (event: Event) => {
    // a long press would open the browser's menu
    if (press?.touch) event.preventDefault()
  }

  const aborter = new AbortController()
  const { signal } = aborter
  root.addEventListener('pointerdown', onDown, { signal })
  root.addEventListener('contextmenu', onMenu, { signal })
  root.addEventListener('touchmove', onTouchMove, { signal, passive: false })
  window.addEventListener('pointermove', onMove, { signal, passive: true })
  window.addEventListener('pointerup', onUp, { signal })
  window.addEventListener('pointercancel', letGo, { signal })
  window.addEventListener('blur', letGo, { signal })
  window.addEventListener('keydown', onKey, { signal, capture: true })
  return () => {
    letGo()
    aborter.abort()
  }
}

function ghostOf(chip: HTMLElement, box: DOMRect): HTMLElement {
  // a deep clone of an element of the same class
  const ghost = chip.cloneNode(true) as HTMLElement
  for (const name of ['data-post', 'data-movable', 'aria-expanded']) ghost.removeAttribute(name)
  ghost.setAttribute('aria-hidden', 'true')
  ghost.inert = true
  Object.assign(ghost.style, {
    position: 'fixed',
    left: '0',
    top: '0',
    width: `${box.width}px`,
    height: `${box.height}px`,
    zIndex: '60',
    pointerEvents: 'none',
    background: 'var(--raised)',
    boxShadow: 'var(--shadow-2), inset 0 0 0 1px var(--accent)',
    willChange: 'transform',
    transform: `translate3d(${box.left}px, ${box.top}px, 0)`,
  })
  document.body.append(ghost)
  return ghost
}

/** Covers everything while a post is dragged: nothing below is highlighted, restyled or hit-tested. */
function coverFor(pointer: number): HTMLElement {
  const cover = document.createElement('div')
  Object.assign(cover.style, { position: 'fixed', inset: '0', zIndex: '59', cursor: 'grabbing' })
  document.body.append(cover)
  cover.setPointerCapture(pointer)
  return cover
}
