import { clsx } from 'clsx'
import { zoneTextOver } from '#web/lib/dates.ts'

type Props = {
  zone: string
  at: Date
  /** Of a range that begins at `at`: its end. Where clocks change in between, no one offset holds for it. */
  until?: Date
  className?: string
}

/** "Europe/Berlin, GMT+1", beside every time. The offset is the one that holds at `at`; a range with two shows none. */
export function ZoneNote({ zone, at, until = at, className }: Props) {
  return (
    <span className={clsx('text-sm whitespace-nowrap text-ink-muted', className)}>{zoneTextOver(zone, at, until)}</span>
  )
}
