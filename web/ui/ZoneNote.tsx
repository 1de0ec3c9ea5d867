import { clsx } from 'clsx'
import { zoneTextOver } from '#web/lib/dates.ts'

type Props = {
  zone: string
  at: Date
  /** The end of a range that begins at `at`. If clocks change in between, it has no single offset. */
  until?: Date
  className?: string
}

/** "Europe/Berlin, GMT+1", next to every time. The offset is the one at `at`; a range with two shows none. */
export function ZoneNote({ zone, at, until = at, className }: Props) {
  return (
    <span className={clsx('text-sm whitespace-nowrap text-ink-muted', className)}>{zoneTextOver(zone, at, until)}</span>
  )
}
