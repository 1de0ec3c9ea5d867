import { clsx } from 'clsx'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import { IconButton } from './IconButton.tsx'
import { inkTone } from './tones.ts'

type BannerTone = 'info' | 'ok' | 'wait' | 'bad'
const icons = { info: Info, ok: CircleCheck, wait: TriangleAlert, bad: CircleAlert }
const edges = { info: 'border-l-info', ok: 'border-l-ok', wait: 'border-l-wait', bad: 'border-l-bad' }

type Props = {
  tone: BannerTone
  /** What happened. */
  title: ReactNode
  /** What didn't happen, and what else is affected. */
  children?: ReactNode
  /** The one button that fixes it, and a quiet second one. */
  actions?: ReactNode
  onDismiss?: () => void
  /** Announced when it appears. */
  live?: boolean
  className?: string
}

/** Something people should know before they continue, with a way to fix it. */
export function Banner({ tone, title, children, actions, onDismiss, live = false, className }: Props) {
  const Icon = icons[tone]
  return (
    <div
      role={live ? (tone === 'bad' ? 'alert' : 'status') : undefined}
      className={clsx(
        'flex gap-2.5 rounded-md border border-l-3 border-line bg-surface px-3 py-2.5',
        edges[tone],
        className,
      )}
    >
      <Icon size={15} aria-hidden className={clsx('mt-0.5 shrink-0', inkTone[tone])} />
      <div className="grid min-w-0 grow gap-2">
        <div>
          <p className="font-bold">{title}</p>
          {children ? <div className="text-ink-muted">{children}</div> : null}
        </div>
        {actions ? <div className="flex flex-wrap gap-1.5">{actions}</div> : null}
      </div>
      {onDismiss ? (
        <IconButton label="Dismiss" size="s" icon={<X size={14} />} onClick={onDismiss} className="-mt-0.5 -mr-1" />
      ) : null}
    </div>
  )
}
