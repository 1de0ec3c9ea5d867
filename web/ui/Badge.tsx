import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { softTone, type Tone } from './tones.ts'

/** A short label: a status, a count, a kind. */
export function Badge({
  tone = 'neutral',
  icon,
  children,
  className,
}: {
  tone?: Tone
  icon?: ReactNode
  children: ReactNode
  className?: string
}) {
  return (
    <span
      className={clsx(
        'inline-flex h-5.5 shrink-0 items-center gap-1.5 rounded-full text-xs font-bold whitespace-nowrap',
        icon ? 'pr-2 pl-1.5' : 'px-2',
        softTone[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  )
}
