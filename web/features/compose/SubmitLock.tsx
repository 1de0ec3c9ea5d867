import { clsx } from 'clsx'
import { useEffect, useRef, type ReactNode } from 'react'
import { useIsLocked } from './ComposerContext.ts'

/**
 * Blocks typing, clicks, pasted and dropped files while a submit is running: they would be in neither the post nor a
 * draft. After a refusal, the focus returns to where it was.
 */
export function SubmitLock({ children }: { children: ReactNode }) {
  const locked = useIsLocked()
  const lastFocused = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!locked && document.activeElement === document.body) lastFocused.current?.focus({ preventScroll: true })
  }, [locked])
  return (
    <div
      inert={locked}
      // letters typed in the meantime aren't shortcuts
      data-shortcuts={locked ? 'off' : undefined}
      onFocus={({ target }) => (lastFocused.current = target)}
      className={clsx('grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4', locked && 'opacity-60')}
    >
      {children}
    </div>
  )
}
