type Line = { label: string; amount: string }

/** Amounts under each other, with their sum. */
export function Lines({ lines, total }: { lines: readonly Line[]; total: Line }) {
  return (
    <dl className="tnum grid gap-1.5 rounded-md bg-sunken px-3 py-2.5 inset-ring inset-ring-line">
      {lines.map(({ label, amount }) => (
        <div key={label} className="flex items-baseline justify-between gap-4">
          <dt className="min-w-0 text-ink-muted">{label}</dt>
          <dd>{amount}</dd>
        </div>
      ))}
      <div className="flex items-baseline justify-between gap-4 border-t border-line pt-1.5 font-bold">
        <dt>{total.label}</dt>
        <dd>{total.amount}</dd>
      </div>
    </dl>
  )
}
