import TrendingUp from 'lucide-react/icons/trending-up'
import type { Channel } from '#contract/channels.ts'
import { bestTimes } from '#contract/queues.ts'
import { clockText, dayText, shortWeekday } from '#web/lib/dates.ts'
import { count } from '#web/lib/format.ts'
import type { Moment } from '#web/lib/moment.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { nextOf } from './plan.ts'

/** As many as people can compare at a glance. */
const SHOWN = 3

/** When the channel's own posts did best, or why that isn't known. */
export function BestTimes({
  channel,
  now,
  onChoose,
}: {
  channel: Pick<Channel, 'channelId' | 'channelName'>
  now: Date
  onChoose: (when: Moment) => void
}) {
  const mayAsk = useMay([['queue', 'view']]) === 'yes'
  const found = useCall(
    bestTimes,
    { params: { ...useProjectIds(), channelId: channel.channelId } },
    { enabled: mayAsk, handles: true },
  )
  // a hint, not a part of the form: nothing is missing while it isn't known
  if (!found.data) return null
  const { slots, problem, posts, needed, timezone } = found.data
  if (slots.length === 0 && posts >= needed) return <p className="text-sm text-ink-muted">{problem}.</p>
  if (slots.length === 0)
    return (
      <p className="tnum text-sm text-ink-muted">{`${problem ?? 'Not enough results yet'}. Best times need ${count(needed, 'post')} with results, and ${channel.channelName} has ${posts.toLocaleString('en')}.`}</p>
    )
  return (
    <div
      role="group"
      aria-label={`Best times for ${channel.channelName}`}
      className="tnum flex flex-wrap items-center gap-2 text-sm text-ink-muted"
    >
      <span className="flex items-center gap-1.5">
        <TrendingUp size={14} aria-hidden />
        Best times for {channel.channelName}
      </span>
      {slots.slice(0, SHOWN).map((slot) => {
        const when = nextOf(slot, timezone, now)
        return (
          <Button key={`${slot.day} ${slot.time}`} size="s" onClick={() => onChoose(when)}>
            {shortWeekday(when.day)} {dayText(when.day)}, {clockText(when.clock)}
          </Button>
        )
      })}
    </div>
  )
}
