import { clsx } from 'clsx'
import type { ReactNode } from 'react'

/** The shape of content that is loading. Several are put inside Skeletons, which move as one: each that moves costs a layer. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div
      aria-hidden
      className={clsx('animate-shimmer rounded-sm bg-line in-data-skeletons:animate-none', className ?? 'h-4 w-full')}
    />
  )
}

/** Shows its shapes only after 200 ms, so that fast responses don't flicker. */
export function Skeletons({
  label = 'Loading',
  className,
  children,
}: {
  label?: string
  className?: string
  children: ReactNode
}) {
  return (
    <div role="status" aria-label={label} data-skeletons className={clsx('animate-late-shimmer', className)}>
      {children}
    </div>
  )
}

/** Lines of a loading list or table. */
export function SkeletonRows({ rows = 6, label }: { rows?: number; label?: string }) {
  return (
    <Skeletons {...(label ? { label } : {})} className="divide-y divide-line rounded-lg border border-line bg-surface">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex h-11 items-center gap-3 px-3">
          <Skeleton className="size-6 rounded-full" />
          <Skeleton className={clsx('h-3', ['w-2/5', 'w-1/3', 'w-1/2'][row % 3])} />
          <Skeleton className="ml-auto h-3 w-16" />
        </div>
      ))}
    </Skeletons>
  )
}

/** A loading detail or form. */
export function SkeletonLines({ lines = 4, label }: { lines?: number; label?: string }) {
  return (
    <Skeletons {...(label ? { label } : {})} className="grid gap-3">
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} className={clsx('h-3.5', ['w-full', 'w-11/12', 'w-4/5', 'w-3/5'][line % 4])} />
      ))}
    </Skeletons>
  )
}
