import type { ReactNode } from 'react'

/** A section of the gallery. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid min-w-0 gap-3">
      <h2 className="text-lg font-bold">{title}</h2>
      <div className="grid min-w-0 gap-4 rounded-lg border border-line bg-surface p-4">{children}</div>
    </section>
  )
}

export function Row({ children }: { children: ReactNode }) {
  return <div className="flex min-w-0 flex-wrap items-center gap-3">{children}</div>
}
