import type { Approval } from '#contract/workflows.ts'

/** What changed since the reader decided on the post, side by side, or one below the other on phones. */
export function ApprovalChanges({ changes }: { changes: NonNullable<Approval['changes']> }) {
  return (
    <section aria-label="Changed since you decided" className="grid gap-2">
      <h3 className="text-sm font-semibold">Changed since you decided</h3>
      <dl className="grid gap-2">
        {changes.map(({ field, before, after }) => (
          <div key={field} className="grid gap-1">
            <dt className="text-sm text-ink-muted">{field}</dt>
            <dd className="grid gap-px overflow-hidden rounded-md bg-line inset-ring inset-ring-line sm:grid-cols-2">
              <Side name="Before" text={before} />
              <Side name="Now" text={after} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Side({ name, text }: { name: string; text: string }) {
  return (
    <div className="min-w-0 bg-surface px-2.5 py-2">
      <span className="block text-xs font-semibold text-ink-muted">{name}</span>
      {text ? (
        <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
          {text}
        </p>
      ) : (
        <p className="text-ink-muted">Nothing</p>
      )}
    </div>
  )
}
