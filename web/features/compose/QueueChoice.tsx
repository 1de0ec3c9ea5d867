import { queuePositions } from '#contract/queues.ts'
import { dayAndTimeOf, offsetOf } from '#web/lib/format.ts'
import { Link } from '#web/ui/Link.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { useCheckResults, useComposer, useOptions, usePlannedChannels } from './ComposerContext.ts'
import type { Plan } from './plan.ts'
import { queueSlot } from './queueSlot.ts'

const positions = queuePositions.map((value) => ({
  value,
  label: value === 'NEXT' ? 'Front of the queue' : 'End of the queue',
}))

type Props = { plan: Plan; now: Date; onChange: (plan: Plan) => void }

/** The place in the queue, and the slot that each channel's post would get now. */
export function QueueChoice({ plan, now, onChange }: Props) {
  const { ids, edited } = useComposer()
  const { queuesOf = [] } = useOptions()
  const { scheduleError: error } = useCheckResults()
  const planned = usePlannedChannels()
  // a queued post keeps its place
  const slots = (edited?.post.status === 'QUEUED' ? [] : planned).flatMap((channel) =>
    queuesOf.filter(({ channelId }) => channelId === channel.channelId).map((queue) => ({ channel, queue })),
  )
  const given = slots.map(({ channel, queue }) => ({
    channel,
    zone: queue.timezone,
    at: queueSlot(queue, plan.position, now),
  }))
  const waits = given.filter(({ at }) => at === undefined).map(({ channel }) => channel.channelName)
  return (
    <div className="grid gap-2">
      <Segmented
        label="Place in the queue"
        options={positions}
        value={plan.position}
        onChange={(position) => onChange({ ...plan, position })}
        className="justify-self-start"
      />
      <p className="text-sm text-ink-muted">
        {plan.position === 'NEXT'
          ? 'Uses the next slot of each channel. Every queued post moves one slot later.'
          : "Uses the first free slot after each channel's last queued post."}
      </p>
      {given.length > waits.length ? (
        <ul aria-label="Slots" className="tnum grid gap-1 text-sm">
          {given.map(({ channel, zone, at }) =>
            at === undefined ? null : (
              <li key={channel.channelId} className="flex min-w-0 flex-wrap items-center gap-x-2">
                <PlatformIcon platform={channel.platformName} size={14} named />
                <span dir="auto" className="max-w-48 truncate font-medium">
                  {channel.channelName}
                </span>
                <span className="text-ink-muted">
                  {dayAndTimeOf(at, zone)} {offsetOf(at, zone)}
                </span>
              </li>
            ),
          )}
        </ul>
      ) : null}
      {waits.length > 0 ? (
        <p className="text-sm text-wait">
          The queue of {waits.join(', ')} is paused or has no free slot. The post won't get a time there until that
          changes.
        </p>
      ) : null}
      <Link
        to="/$orgId/project/$projectId/queues"
        params={ids}
        search={{ channel: slots[0]?.channel.channelId }}
        className="justify-self-start text-sm"
      >
        Queue settings
      </Link>
      {error ? (
        <p role="alert" className="text-sm text-bad">
          {error}
        </p>
      ) : null}
    </div>
  )
}
