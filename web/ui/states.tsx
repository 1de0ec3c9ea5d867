import { clsx } from 'clsx'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Lock from 'lucide-react/icons/lock'
import WifiOff from 'lucide-react/icons/wifi-off'
import type { ReactNode } from 'react'
import { FALLBACK_MESSAGE } from '#web/lib/onFailure.ts'
import { useViewOnlyReason } from '#web/lib/permissions.ts'
import { Button } from './Button.tsx'

type StateProps = { icon?: ReactNode; title: string; children?: ReactNode; action?: ReactNode; className?: string }

/** Nothing here yet: what would be here, and the one thing to do about it. */
export function EmptyState({ icon, title, children, action, className }: StateProps) {
  return (
    <div className={clsx('mx-auto grid max-w-104 justify-items-center gap-1.5 px-6 py-12 text-center', className)}>
      {icon ? (
        <div className="mb-2 grid size-11 place-items-center rounded-lg bg-sunken text-ink-muted inset-ring inset-ring-line">
          {icon}
        </div>
      ) : null}
      <p className="text-lg font-bold text-balance">{title}</p>
      {children ? <div className="text-balance text-ink-muted">{children}</div> : null}
      {action ? <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div> : null}
    </div>
  )
}

type ErrorProps = {
  title?: string
  error?: { code?: string; detail?: string | undefined; requestId?: string | undefined } | null
  onRetry?: () => void
  retrying?: boolean
  className?: string
}

/** It couldn't be shown: why, and how to retry. */
export function ErrorState({
  title = "We couldn't load this",
  error,
  onRetry,
  retrying = false,
  className,
}: ErrorProps) {
  const offline = error?.code === 'NETWORK'
  return (
    <div role="alert">
      <EmptyState
        {...(className ? { className } : {})}
        icon={offline ? <WifiOff size={20} /> : <CircleAlert size={20} className="text-bad" />}
        title={offline ? 'No connection' : title}
        action={
          onRetry ? (
            <Button onClick={onRetry} loading={retrying}>
              Try again
            </Button>
          ) : null
        }
      >
        {error?.detail ?? FALLBACK_MESSAGE}
        {error?.requestId ? (
          <span className="mt-1 block text-xs text-ink-faint select-all">Reference {error.requestId}</span>
        ) : null}
      </EmptyState>
    </div>
  )
}

/** The person's role, or a plan that doesn't include them. */
function WhyDenied() {
  return useViewOnlyReason() ?? "Your role doesn't allow this. Ask a project admin."
}

/** Other people may do this, but not this person. */
export function DeniedState({
  title = "You don't have access",
  children = <WhyDenied />,
  action,
  className,
}: Partial<StateProps>) {
  return (
    <EmptyState icon={<Lock size={20} />} title={title} action={action} {...(className ? { className } : {})}>
      {children}
    </EmptyState>
  )
}
