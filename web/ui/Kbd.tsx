import { clsx } from 'clsx'
import type { ReactNode } from 'react'

/** A key or a chord, such as `Ctrl K`. */
export function Kbd({
  children,
  inverted = false,
  className,
}: {
  children: ReactNode
  inverted?: boolean
  className?: string
}) {
  return (
    <kbd
      className={clsx(
        'inline-flex items-center rounded-sm border px-1 py-px font-sans text-xs leading-tight font-medium',
        inverted ? 'border-current/40' : 'border-line bg-surface text-ink-muted',
        className,
      )}
    >
      {children}
    </kbd>
  )
}
