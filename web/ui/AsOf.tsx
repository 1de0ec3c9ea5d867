import { momentOf, timeOf } from '#web/lib/format.ts'

type Props = {
  /** When the newest of the section's numbers was read or counted. */ at: string
  zone: string
  /** It was today, so the time says it. */ today?: boolean
  /** It's of figures of these days only: posts beside them have their figures to date. */ days?: boolean
}

/** How current a section's numbers are: when the newest of them was read. The zone is in its title and announced. */
export function AsOf({ at, zone, today = false, days = false }: Props) {
  return (
    <span
      className="tnum text-sm text-ink-muted sm:whitespace-nowrap"
      title={
        days
          ? `The newest figure of these days was read then (${zone}). Posts have their figures to date, which are newer.`
          : `The newest of these numbers is of then (${zone})`
      }
    >
      {days ? 'Days as of' : 'As of'} {today ? timeOf(at, zone) : momentOf(at, zone)}
      {days ? ', posts to date' : ''}
      <span className="sr-only">, {zone}</span>
    </span>
  )
}
