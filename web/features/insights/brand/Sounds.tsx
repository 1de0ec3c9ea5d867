import type { BrandSounds } from '#contract/analytics/brand.ts'

const parts = [
  { key: 'positive', name: 'Positive', className: 'bg-ok' },
  { key: 'neutral', name: 'Neutral', className: 'bg-info' },
  { key: 'negative', name: 'Negative', className: 'bg-bad' },
  { key: 'notJudged', name: 'Not judged', className: 'bg-line-strong' },
] as const
const numbers = new Intl.NumberFormat('en')

/** How conversations sound: a bar of its parts, and each with its number. */
export function Sounds({ of, label }: { of: BrandSounds; label: string }) {
  const whole = parts.reduce((sum, { key }) => sum + of[key], 0)
  if (whole === 0) return <p className="text-ink-muted">No conversations in these days.</p>
  return (
    <div className="grid gap-2.5">
      <div aria-hidden className="flex h-2.5 gap-0.5 overflow-hidden rounded-full">
        {parts.map(({ key, className }) =>
          of[key] > 0 ? <span key={key} className={className} style={{ flexGrow: of[key] }} /> : null,
        )}
      </div>
      <ul aria-label={label} className="tnum flex flex-wrap gap-x-5 gap-y-1">
        {parts.map(({ key, name, className }) => (
          <li key={key} className="flex items-center gap-1.5">
            <span aria-hidden className={`size-2.5 rounded-full ${className}`} />
            <span className="text-ink-muted">{name}</span>{' '}
            <span className="font-semibold">{numbers.format(of[key])}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
