import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode } from 'react'

type Props = {
  /** Its anchor in the URL: `/profile#security`. Emails link to it. */
  id: string
  title: string
  lead?: ReactNode
  children: ReactNode
}

/** One topic of the profile: its name at the left, its form at the right; one column on a phone. */
export function Section({ id, title, lead, children }: Props) {
  const heading = useArrival(id)
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

/** Scrolls the section in the URL into view, and keeps it there while content above it is loading. */
function useArrival(id: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  const named = useLocation({ select: (location) => location.hash === id })
  useEffect(() => {
    const target = heading.current
    const section = target?.closest('section')
    if (!named || !target || !section?.parentElement) return undefined
    target.focus({ preventScroll: true })
    const observer = new ResizeObserver(() => section.scrollIntoView({ block: 'start' }))
    observer.observe(section.parentElement)
    // people who scrolled on aren't pulled back
    const stop = new AbortController()
    const letGo = () => {
      observer.disconnect()
      stop.abort()
    }
    for (const event of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
      window.addEventListener(event, letGo, { passive: true, signal: stop.signal })
    return letGo
  }, [named])
  return heading
}
