import { clsx } from 'clsx'
import { zoneText } from '#web/lib/dates.ts'

/** "Europe/Berlin, GMT+1", beside every time. The offset is the one that holds at `at`. */
export function ZoneNote({ zone, at, className }: { zone: string; at: Date; className?: string }) {
  return <span className={clsx('text-sm whitespace-nowrap text-ink-muted', className)}>{zoneText(zone, at)}</span>
}
