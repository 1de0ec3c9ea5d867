import { clsx } from 'clsx'
import type { ReactNode } from 'react'

type Props<V extends string> = {
  label: string
  options: readonly { value: V; label: ReactNode }[]
  value: V
  onChange: (value: V) => void
  className?: string
}

/** Two to four views of the same content. */
export function Segmented<V extends string>({ label, options, value, onChange, className }: Props<V>) {
  return (
    <div
      role="group"
      aria-label={label}
      className={clsx('inline-flex rounded-md bg-sunken p-0.5 inset-ring inset-ring-line', className)}
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className="h-6.5 flex-1 rounded-[6px] px-2.5 text-sm font-semibold whitespace-nowrap text-ink-muted transition-colors hover:text-ink aria-pressed:bg-raised aria-pressed:text-ink aria-pressed:shadow-1 aria-pressed:ring aria-pressed:ring-line pointer-coarse:h-8.5"
        >
          {option.label}
        </button>
      ))}
    </div>
  )
}
