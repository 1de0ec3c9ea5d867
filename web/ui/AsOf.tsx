import type { ReactNode } from 'react'

/** When a section's numbers were current; the zone is in its title and announced. */
export function AsOf({ zone, children }: { zone: string; children: ReactNode }) {
  return (
    <span className="tnum text-sm whitespace-nowrap text-ink-muted" title={zone}>
      As of {children}
      <span className="sr-only">, {zone}</span>
    </span>
  )
}
