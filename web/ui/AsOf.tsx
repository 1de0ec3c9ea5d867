import { momentOf, timeOf } from '#web/lib/format.ts'

type Props = {
  /** When the newest of the section's numbers was read or counted. */ at: string
  zone: string
  /** It was today, so the time says it. */ today?: boolean
}

/** How current a section's numbers are: when the newest of them was read. The zone is in its title and announced. */
export function AsOf({ at, zone, today = false }: Props) {
  return (
    <span
      className="tnum text-sm whitespace-nowrap text-ink-muted"
      title={`The newest of these numbers is of then (${zone})`}
    >
      As of {today ? timeOf(at, zone) : momentOf(at, zone)}
      <span className="sr-only">, {zone}</span>
    </span>
  )
}
