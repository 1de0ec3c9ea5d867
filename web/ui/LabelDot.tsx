import { clsx } from 'clsx'
import { labelLook, type LabelColor } from './labelLook.ts'

/** A label's or campaign's color. Decorative: the name is next to it. */
export function LabelDot({ color, className }: { color: LabelColor; className?: string }) {
  return (
    <span
      aria-hidden
      className={clsx('inline-block size-2.5 shrink-0 rounded-full', labelLook[color].dot, className)}
    />
  )
}
