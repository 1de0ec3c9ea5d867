import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { Spinner } from './Spinner.tsx'
import { Tooltip } from './Tooltip.tsx'

type Props = Omit<ComponentProps<'button'>, 'aria-label'> & {
  /** Names the action; also its tooltip. */
  label: string
  icon: ReactNode
  tone?: 'quiet' | 'danger'
  size?: 's' | 'm'
  loading?: boolean
  /** Shown in the tooltip, such as `N`. */
  shortcut?: string
}

export function IconButton({
  label,
  icon,
  tone = 'quiet',
  size = 'm',
  loading = false,
  shortcut,
  className,
  onClick,
  type = 'button',
  ...rest
}: Props) {
  return (
    <Tooltip text={label} shortcut={shortcut}>
      <button
        {...rest}
        type={type}
        aria-label={label}
        aria-busy={loading || undefined}
        aria-disabled={loading || rest['aria-disabled']}
        onClick={loading ? undefined : onClick}
        className={clsx(
          'inline-grid shrink-0 place-items-center rounded-md text-ink-muted transition-colors hover:bg-hover disabled:opacity-50 aria-disabled:opacity-50 data-[state=open]:bg-hover',
          tone === 'danger' ? 'hover:text-bad' : 'hover:text-ink',
          size === 's' ? 'size-6 pointer-coarse:size-8' : 'size-8 pointer-coarse:size-10',
          className,
        )}
      >
        {loading ? <Spinner /> : icon}
      </button>
    </Tooltip>
  )
}
