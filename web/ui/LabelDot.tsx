import { clsx } from 'clsx'
import { labelLook, type LabelColor } from './labelLook.ts'

/** The color of a label or a campaign. Decorative: the name stands beside it. */
export function LabelDot({ color, className }: { color: LabelColor; className?: string }) {
  return (
    <span
      aria-hidden
      className={clsx('inline-block size-2.5 shrink-0 rounded-full', labelLook[color].dot, className)}
    />
  )
}
