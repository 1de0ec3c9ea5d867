import { clsx } from 'clsx'
import ChevronDown from 'lucide-react/icons/chevron-down'
import X from 'lucide-react/icons/x'
import { useId, useState, type ReactNode } from 'react'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'

type Props = {
  platforms: readonly PlatformKey[]
  title: string
  /** The reason and what else is affected, shown when someone asks. */
  children: ReactNode
  /** The button that fixes it. */
  action?: ReactNode
  onDismiss?: () => void
}

/** One line over the list about what is missing in it. */
export function NoteLine({ platforms, title, children, action, onDismiss }: Props) {
  const id = useId()
  const [open, setOpen] = useState(false)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1 rounded-md border border-l-3 border-line border-l-wait bg-surface py-1 pr-1 pl-2">
      <div className="flex min-w-0 items-center gap-1.5">
        <span aria-hidden className="flex shrink-0 gap-1">
          {platforms.slice(0, 3).map((platform) => (
            <PlatformIcon key={platform} platform={platform} size={14} />
          ))}
        </span>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          title={title}
          onClick={() => setOpen(!open)}
          className="flex min-h-6 min-w-0 grow items-center gap-1 rounded-sm text-left text-sm font-medium pointer-coarse:min-h-10"
        >
          <span dir="auto" className={open ? '' : 'truncate'}>
            {title}
            <span className="sr-only"> ({platforms.map(platformName).join(', ')})</span>
          </span>
          <ChevronDown
            size={13}
            aria-hidden
            className={clsx('shrink-0 text-ink-muted transition-transform', open ? 'rotate-180' : '')}
          />
        </button>
        {action}
        {onDismiss ? <IconButton label="Dismiss" size="s" icon={<X size={14} />} onClick={onDismiss} /> : null}
      </div>
      <div id={id} hidden={!open} className="pb-1 text-sm text-pretty text-ink-muted">
        {children}
      </div>
    </div>
  )
}
