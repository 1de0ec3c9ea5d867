import { clsx } from 'clsx'

export type ButtonTone = 'primary' | 'default' | 'quiet' | 'danger'
export type ButtonSize = 's' | 'm' | 'l'

const tones: Record<ButtonTone, string> = {
  primary: 'border-accent bg-accent text-on-accent shadow-1 hover:border-accent-hover hover:bg-accent-hover',
  default: 'border-line bg-surface text-ink shadow-1 hover:border-line-strong',
  quiet: 'border-transparent bg-transparent text-ink-muted hover:bg-hover hover:text-ink',
  danger: 'border-bad bg-bad text-on-bad shadow-1 hover:border-bad-hover hover:bg-bad-hover',
}
const sizes: Record<ButtonSize, string> = {
  s: 'h-7 gap-1.5 px-2.5 text-sm pointer-coarse:h-9',
  m: 'h-8 gap-1.5 px-3 pointer-coarse:h-10',
  l: 'h-10 gap-2 px-4 pointer-coarse:h-11',
}

/** The look of a button, for buttons and for links that are the main action. */
export function buttonClass({
  tone = 'default',
  size = 'm',
  className,
}: {
  tone?: ButtonTone | undefined
  size?: ButtonSize | undefined
  className?: string | undefined
}): string {
  return clsx(
    'inline-flex shrink-0 items-center justify-center rounded-md border font-semibold whitespace-nowrap transition-colors select-none',
    'disabled:opacity-50 aria-disabled:opacity-50',
    tones[tone],
    sizes[size],
    className,
  )
}
