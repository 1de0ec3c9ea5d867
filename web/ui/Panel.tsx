import { clsx } from 'clsx'
import { useId, type ReactNode } from 'react'

/** One section of a page: a heading, something to the right of it, and its content. */
export function Panel({
  title,
  anchor,
  aside,
  children,
  className,
}: {
  title: string
  /** Its anchor in the URL. */ anchor?: string
  aside?: ReactNode
  children: ReactNode
  className?: string
}) {
  const id = useId()
  return (
    <section
      {...(anchor ? { id: anchor } : {})}
      aria-labelledby={id}
      className={clsx('grid scroll-mt-4 min-w-0 content-start gap-2', className)}
    >
      <div className="flex min-h-7 items-center justify-between gap-3">
        <h2 id={id} className="text-lg font-bold">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  )
}

/** The card that contains a section's lists. */
export const paperClass = 'min-w-0 overflow-hidden rounded-lg border border-line bg-surface'
