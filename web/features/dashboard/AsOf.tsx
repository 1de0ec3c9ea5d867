import type { ReactNode } from 'react'

/** When the figures of a part were true; the zone stands in its title and is read aloud. */
export function AsOf({ zone, children }: { zone: string; children: ReactNode }) {
  return (
    <span className="tnum text-sm whitespace-nowrap text-ink-muted" title={zone}>
      As of {children}
      <span className="sr-only">, {zone}</span>
    </span>
  )
}
