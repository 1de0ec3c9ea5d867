import { clsx } from 'clsx'
import ChevronDown from 'lucide-react/icons/chevron-down'
import X from 'lucide-react/icons/x'
import type { ComponentProps, ReactNode } from 'react'

/** A filter: dashed while it's off, accented while it's on. Use it as the trigger of a Popover or Menu. */
export function FilterChip({
  on,
  opens = false,
  children,
  className,
  ...rest
}: ComponentProps<'button'> & { on: boolean; opens?: boolean }) {
  return (
    <button
      {...rest}
      type="button"
      aria-pressed={opens ? undefined : on}
      className={clsx(
        'inline-flex h-7 max-w-full shrink-0 items-center gap-1.5 rounded-md border px-2.5 text-sm font-medium whitespace-nowrap transition-colors pointer-coarse:h-9',
        on
          ? 'border-accent bg-accent-soft text-ink'
          : 'border-dashed border-line-strong text-ink-muted hover:bg-hover hover:text-ink',
        className,
      )}
    >
      {children}
      {opens ? <ChevronDown size={12} aria-hidden className="-mr-0.5 opacity-70" /> : null}
    </button>
  )
}

/** One of several values; with `onRemove`, it can be removed. */
export function Chip({
  children,
  label,
  icon,
  onRemove,
  className,
}: {
  children: ReactNode
  label?: string
  icon?: ReactNode
  onRemove?: () => void
  className?: string
}) {
  return (
    <span
      className={clsx(
        'inline-flex h-6 max-w-full min-w-0 items-center gap-1.5 rounded-md bg-sunken px-2 text-sm inset-ring inset-ring-line',
        className,
      )}
    >
      {icon}
      <span dir="auto" className="truncate">
        {children}
      </span>
      {onRemove ? (
        <button
          type="button"
          onClick={onRemove}
          aria-label={`Remove ${label ?? (typeof children === 'string' ? children : '')}`.trim()}
          className="hit-area -mr-1 grid size-4 place-items-center rounded-sm text-ink-muted hover:bg-hover hover:text-ink"
        >
          <X size={12} />
        </button>
      ) : null}
    </span>
  )
}
