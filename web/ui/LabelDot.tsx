import { clsx } from 'clsx'
import { labelLook, type LabelColour } from './labelLook.ts'

/** The colour of a label or a campaign. Decorative: the name stands beside it. */
export function LabelDot({ colour, className }: { colour: LabelColour; className?: string }) {
  return (
    <span
      aria-hidden
      className={clsx('inline-block size-2.5 shrink-0 rounded-full', labelLook[colour].dot, className)}
    />
  )
}
