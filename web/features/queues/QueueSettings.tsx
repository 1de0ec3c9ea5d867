import CalendarClock from 'lucide-react/icons/calendar-clock'
import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { bestTimes, type Queue } from '#contract/queues.ts'
import { clockText } from '#web/lib/dates.ts'
import { count, dayAndTimeOf } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { ZoneNote } from '#web/ui/ZoneNote.tsx'
import { ZonePicker } from '#web/ui/ZonePicker.tsx'
import { QueueOrder } from './QueueOrder.tsx'
import { SlotWeek } from './SlotWeek.tsx'
import { days } from './slots.ts'
import { useQueue } from './useQueue.ts'

const SHOWN_SLOTS = 5
type Props = {
  queue: Queue
  name: string
  /** Shown next to the name: channels on several platforms often have the same name. */
  platform: PlatformKey | undefined
  /** Whether the role allows changing queues. */ mayEdit: boolean
  /** The plan doesn't include queues: viewing and pausing remain. */ closed: boolean
}

/** One channel's queue: running or paused, its weekly slots, and the posts waiting in it. */
export function QueueSettings({ queue, name, platform, mayEdit, closed }: Props) {
  const now = useNow()
  const { setSlots, setPaused, move } = useQueue(queue)
  const change = mayEdit && !closed
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 dir="auto" className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-lg font-bold wrap-anywhere">
          {name}
          {platform ? <span className="text-base font-normal text-ink-muted">{platformName(platform)}</span> : null}
        </h2>
        <Button
          icon={queue.paused ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
          tone={queue.paused ? 'primary' : 'default'}
          disabled={!mayEdit || (closed && queue.paused)}
          onClick={() => setPaused(!queue.paused)}
        >
          {queue.paused ? 'Resume queue' : 'Pause queue'}
        </Button>
      </div>
      {queue.paused ? (
        <Banner live tone="wait" title="This queue is paused.">
          Its posts aren't published. They keep their order and take the next slots once you resume the queue.
        </Banner>
      ) : null}

      <section aria-labelledby="slots" className="grid gap-2.5">
        <div className="flex flex-wrap items-end justify-between gap-3">
          <div>
            <h3 id="slots" className="font-bold">
              Slots
            </h3>
            <p className="text-sm text-ink-muted">Each queued post takes the next free slot.</p>
          </div>
          {change ? (
            <ZonePicker
              label="Time zone"
              value={queue.timezone}
              at={now}
              onChange={(timezone) => setSlots({ timezone, slots: queue.slots })}
              className="w-72 max-w-full"
            />
          ) : (
            <ZoneNote zone={queue.timezone} at={now} />
          )}
        </div>
        <SlotWeek
          slots={queue.slots}
          onChange={change ? (slots) => setSlots({ timezone: queue.timezone, slots }) : undefined}
        />
      </section>

      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <section aria-labelledby="order" className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
          <div>
            <h3 id="order" className="font-bold">
              {queue.posts.length === 0 ? 'Queued posts' : count(queue.posts.length, 'queued post')}
            </h3>
            {change && queue.posts.length > 1 ? (
              <p className="text-sm text-ink-muted">
                Drag a post to another place, or press Alt and an arrow key on it.
              </p>
            ) : null}
          </div>
          {queue.posts.length === 0 ? (
            <EmptyState className="py-6!" icon={<CalendarClock size={20} />} title="Nothing queued">
              Choose Queue when you create a post, and it appears here until its slot.
            </EmptyState>
          ) : (
            <QueueOrder queue={queue} onMove={change ? move : undefined} />
          )}
        </section>
        <div className="grid gap-5">
          <section aria-labelledby="free" className="grid gap-1.5">
            <h3 id="free" className="font-bold">
              Next free slots
            </h3>
            {queue.next.length === 0 ? (
              <p className="text-ink-muted">
                {queue.paused ? 'None while the queue is paused.' : 'None. The queue has no slots.'}
              </p>
            ) : (
              <ul className="tnum grid gap-1">
                {queue.next.slice(0, SHOWN_SLOTS).map((at) => (
                  <li key={at}>
                    <time dateTime={at}>{dayAndTimeOf(at, queue.timezone)}</time>
                  </li>
                ))}
              </ul>
            )}
          </section>
          <BestTimes channelId={queue.channelId} />
        </div>
      </div>
    </div>
  )
}

/** The slots in which the channel's own posts did best, or why that isn't known. */
function BestTimes({ channelId }: { channelId: string }) {
  const query = useCall(bestTimes, { params: { ...useProjectIds(), channelId } }, { handles: true })
  return (
    <section aria-labelledby="best" className="grid gap-1.5">
      <h3 id="best" className="font-bold">
        Best times
      </h3>
      <Loaded query={query} skeleton={<SkeletonLines lines={2} label="Loading the best times" />}>
        {({ slots, problem, posts, needed }) =>
          slots.length === 0 ? (
            <p className="text-ink-muted">
              {posts >= needed
                ? `${problem}.`
                : `${problem ?? 'Not enough results yet'}: ${posts.toLocaleString('en')} of ${count(needed, 'post')} with results.`}
            </p>
          ) : (
            <ol className="tnum grid gap-1">
              {slots.map(({ day, time }) => (
                <li key={`${day} ${time}`}>{`${days[day]}, ${clockText(time)}`}</li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </section>
  )
}
