import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { ConnectionStrip } from './ConnectionStrip.tsx'
import { PRODUCT } from './Page.tsx'

/** The logo and the name. */
export function Brand() {
  return (
    <span className="flex items-center gap-2.5 text-lg font-bold tracking-tight">
      <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden className="rounded-md">
        <rect width="32" height="32" rx="8" className="fill-accent" />
        <path
          d="M9 23V9.5h7.2a4.6 4.6 0 0 1 1.6 8.9L22.5 23M9 18.6h7.4"
          className="fill-none stroke-on-accent"
          strokeWidth="3"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {PRODUCT}
    </span>
  )
}

type Props = {
  title: string
  lead?: ReactNode
  children: ReactNode
  footer?: ReactNode
  wide?: boolean
  aside?: ReactNode
}

/** A page on its own, without the rail: login, sign-up, verification, onboarding, errors. */
export function StandalonePage({ title, lead, children, footer, wide = false, aside }: Props) {
  return (
    <div className="flex min-h-dvh flex-col">
      <title>{`${title} · ${PRODUCT}`}</title>
      <ConnectionStrip alone />
      <header className="flex min-h-18 items-center justify-between gap-4 px-5 py-3">
        <a href="/" aria-label={`${PRODUCT} home`} className="rounded-md">
          <Brand />
        </a>
        {aside}
      </header>
      <main
        id="main"
        className={clsx(
          'mx-auto flex w-full flex-1 flex-col px-4 pt-[max(1rem,10vh)] pb-12 max-md:pt-4',
          wide ? 'max-w-160' : 'max-w-104',
        )}
      >
        <h1 tabIndex={-1} className="text-2xl font-bold tracking-[-0.02em] text-balance">
          {title}
        </h1>
        {lead ? <div className="mt-1.5 text-lg text-pretty text-ink-muted">{lead}</div> : null}
        <div className="mt-6">{children}</div>
        {footer ? <div className="mt-6 text-ink-muted">{footer}</div> : null}
      </main>
    </div>
  )
}

/** The card that contains a standalone form. */
export function Card({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={clsx('rounded-lg border border-line bg-surface p-5 shadow-1', className)}>{children}</div>
}
