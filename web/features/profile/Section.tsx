import { useLocation } from '@tanstack/react-router'
import { useIsFetching } from '@tanstack/react-query'
import { useEffect, useRef, type ReactNode } from 'react'

type Props = {
  /** Its place in the address: `/profile#security`. Mails link to it. */
  id: string
  title: string
  lead?: ReactNode
  children: ReactNode
}

/** One matter of the profile: its name at the left, its form at the right; one column on a phone. */
export function Section({ id, title, lead, children }: Props) {
  const heading = useArrival(id)
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="grid scroll-mt-4 gap-4 border-b border-line py-6 first:pt-2 last:border-0 lg:grid-cols-[200px_minmax(0,1fr)] lg:gap-8">
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

/** Brings the section that the address names into view, and again once what stands above it has come. */
function useArrival(id: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  const named = useLocation({ select: (location) => location.hash === id })
  const settled = useIsFetching() === 0
  const arrived = useRef(false)
  useEffect(() => {
    const target = heading.current
    // whoever went on from the heading is not pulled back
    if (!named || !target || (arrived.current && document.activeElement !== target)) return
    arrived.current = true
    target.focus({ preventScroll: true })
    target.closest('section')?.scrollIntoView({ block: 'start' })
  }, [named, settled])
  return heading
}
