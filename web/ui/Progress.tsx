import { useId, type ReactNode } from 'react'

/** Long work: its progress in its own units, such as "3.1 of 8 MB". Without `value` it's indeterminate. */
export function Progress({
  label,
  value,
  max = 100,
  note,
}: {
  label: string
  value?: number
  max?: number
  note?: ReactNode
}) {
  const id = useId()
  const part = value === undefined ? undefined : Math.max(0, Math.min(1, max === 0 ? 1 : value / max))
  return (
    <div className="grid gap-1.5">
      <div className="flex justify-between gap-3 text-sm">
        <span id={id}>{label}</span>
        {note ? <span className="tnum text-ink-muted">{note}</span> : null}
      </div>
      <div
        role="progressbar"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={part === undefined ? undefined : Math.round(part * 100)}
        className="h-1.5 overflow-hidden rounded-full bg-sunken inset-ring inset-ring-line"
      >
        <div
          className={`h-full rounded-full bg-accent ${part === undefined ? 'w-1/3 animate-shimmer' : 'transition-[width] duration-200'}`}
          style={part === undefined ? undefined : { width: `${part * 100}%` }}
        />
      </div>
    </div>
  )
}
