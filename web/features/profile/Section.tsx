import { useId, type ReactNode } from 'react'

/** One matter of the profile: its name at the left, its form at the right; one column on a phone. */
export function Section({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid gap-4 border-b border-line py-6 first:pt-2 last:border-0 lg:grid-cols-[200px_minmax(0,1fr)] lg:gap-8">
      <div>
        <h2 id={id} className="text-lg font-bold">
          {title}
        </h2>
        {lead ? <p className="mt-1 text-sm text-pretty text-ink-muted">{lead}</p> : null}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  )
}
