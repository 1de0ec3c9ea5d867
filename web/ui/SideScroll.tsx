import { clsx } from 'clsx'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useEffect, useRef, type ReactNode } from 'react'
import { useScrollEdges } from './useScrollEdges.ts'

type Props = {
  /** Of the row inside, such as its gaps. */
  className?: string
  children: ReactNode
}

/** The row's selected item: scrolled into view when it changes. */
const CHOSEN = '[aria-current=page], [data-state=active]'
/** How much stays visible next to the selected item, and of the previous view after a step. Pixels. */
const BESIDE = 48

/**
 * A row that may not fit: it fades out where there's more, with arrows for people whose mouse can't scroll sideways.
 * Keys need no arrows, because what gets the focus scrolls into view.
 */
export function SideScroll({ className, children }: Props) {
  const view = useRef<HTMLDivElement>(null)
  const row = useRef<HTMLDivElement>(null)
  const more = useScrollEdges(view)
  useEffect(() => {
    const [box, inside] = [view.current, row.current]
    if (!box || !inside) return undefined
    const show = () => {
      const chosen = inside.querySelector<HTMLElement>(CHOSEN)
      if (!chosen) return
      const [left, right] = [chosen.offsetLeft - BESIDE, chosen.offsetLeft + chosen.offsetWidth + BESIDE]
      if (box.scrollLeft > left) box.scrollLeft = left
      else if (box.scrollLeft + box.clientWidth < right) box.scrollLeft = right - box.clientWidth
    }
    // counts that arrive make the row wider
    const resized = new ResizeObserver(show)
    resized.observe(box)
    resized.observe(inside)
    const selection = new MutationObserver(show)
    selection.observe(inside, { subtree: true, attributes: true, attributeFilter: ['aria-current', 'data-state'] })
    return () => {
      resized.disconnect()
      selection.disconnect()
    }
  }, [])
  const step = (by: 1 | -1) =>
    view.current?.scrollBy({ left: by * (view.current.clientWidth - 2 * BESIDE), behavior: 'smooth' })
  return (
    <div className="relative min-w-0">
      <div
        ref={view}
        className={clsx('no-scrollbar overflow-x-auto', more.before && 'fade-before', more.after && 'fade-after')}
      >
        <div ref={row} className={clsx('relative flex w-max min-w-full items-center', className)}>
          {children}
        </div>
      </div>
      {more.before ? <Arrow icon={<ChevronLeft size={15} />} className="left-0" onClick={() => step(-1)} /> : null}
      {more.after ? <Arrow icon={<ChevronRight size={15} />} className="right-0" onClick={() => step(1)} /> : null}
    </div>
  )
}

/** For the mouse only: neither a tab stop nor announced. */
function Arrow({ icon, className, onClick }: { icon: ReactNode; className: string; onClick: () => void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-hidden
      onClick={onClick}
      className={clsx(
        'absolute inset-y-0 my-auto hidden size-7 place-items-center rounded-full border border-line bg-raised text-ink-muted shadow-1 hover:text-ink pointer-fine:grid',
        className,
      )}
    >
      {icon}
    </button>
  )
}
