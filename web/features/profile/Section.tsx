import type { ReactNode } from 'react'
import { useArrival } from '#web/lib/arrival.ts'

type Props = {
  /** Its anchor in the URL: `/profile#security`. Emails link to it. */
  id: string
  title: string
  lead?: ReactNode
  children: ReactNode
}

/** One topic of the profile: its name at the left, its form at the right; one column on a phone. */
export function Section({ id, title, lead, children }: Props) {
  const heading = useArrival<HTMLHeadingElement>(id)
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-4 gap-4 border-b border-line py-6 first:pt-2 last:border-0 lg:grid-cols-[200px_minmax(0,1fr)] lg:gap-8"
    >
      <div>
        <h2 id={`${id}-title`} ref={heading} tabIndex={-1} className="text-lg font-bold">
          {title}
        </h2>
        {lead ? <p className="mt-1 text-sm text-pretty text-ink-muted">{lead}</p> : null}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  )
}
