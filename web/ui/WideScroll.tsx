import { clsx } from 'clsx'
import { useRef, type ReactNode } from 'react'
import { useScrollEdges } from './useScrollEdges.ts'

/** A cell that stays in view while what follows it scrolls; it needs a background of its own. */
export const pinnedClass =
  'group-data-wide/wide:sticky group-data-wide/wide:left-0 group-data-wide/wide:z-1 group-data-wide/wide:max-w-48 group-data-wide/wide:border-r group-data-wide/wide:border-line'

type Props = {
  /** Names the region for screen readers, while there's something to scroll. */ label: string
  /** Its first column stays in view (`pinnedClass`), so nothing fades out before it. */ isPinned?: boolean
  /** Of the frame around it. */ className?: string
  children: ReactNode
}

/**
 * The frame of something that can be wider than its place, such as a table. While it is, it fades out where there's more, and the
 * keyboard reaches it: the arrow keys scroll.
 */
export function WideScroll({ label, isPinned = false, className, children }: Props) {
  const view = useRef<HTMLDivElement>(null)
  const more = useScrollEdges(view)
  const isWide = more.before || more.after
  return (
    <div
      className={clsx(
        'min-w-0 overflow-hidden rounded-lg border border-line bg-surface has-[>:focus-visible]:outline-2 has-[>:focus-visible]:outline-accent',
        className,
      )}
    >
      <div
        ref={view}
        {...(isWide
          ? { role: 'region', 'aria-label': `${label}, scrolls sideways`, tabIndex: 0, 'data-wide': '' }
          : {})}
        // fading would hide the edges of a focus ring, so that's on the frame
        className={clsx(
          'group/wide overflow-x-auto outline-none',
          more.before && !isPinned && 'fade-before',
          more.after && 'fade-after',
        )}
      >
        {children}
      </div>
    </div>
  )
}
