import { instantAt } from '#web/lib/dates.ts'
import { momentWords } from '#web/lib/moment.ts'
import type { EditedItem } from './edited.ts'
import { instantOf } from './problems.ts'

/** Whether visitors see an item at the moment, and why not. */
export type Standing = 'shown' | 'hidden' | 'waiting' | 'ended'
type Timed = Pick<EditedItem, 'hidden' | 'starts' | 'ends' | 'zone'>

export function standingOf({ hidden, starts, ends, zone }: Timed, now: Date): Standing {
  if (hidden) return 'hidden'
  const [from, until] = [instantOf(starts, zone), instantOf(ends, zone)]
  if (until && until <= now) return 'ended'
  return from && from > now ? 'waiting' : 'shown'
}

/** "Starts Thu 03 Dec, 09:00 AM", "Until Fri 04 Dec, 06:00 PM"; undefined if its times say nothing about now. */
export function timesText(item: Timed, now: Date): string | undefined {
  const { starts, ends, zone } = item
  const words = (moment: { date: string; time: string }) => momentWords({ day: moment.date, clock: moment.time, zone })
  const isOver = ends && instantAt(ends.date, ends.time, zone) <= now
  if (ends && isOver) return `Ended ${words(ends)}`
  const isAhead = starts && instantAt(starts.date, starts.time, zone) > now
  if (starts && isAhead) return `Starts ${words(starts)}`
  return ends ? `Until ${words(ends)}` : undefined
}
