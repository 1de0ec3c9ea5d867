import { SCHEDULE } from '#contract/constants.ts'
import type { Channel } from '#contract/channels.ts'
import { instantOfMoment, type Moment } from '#web/lib/moment.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { WhenPicker } from '#web/ui/WhenPicker.tsx'

type Props = { mode: 'now' | 'once'; onMode: (mode: 'now' | 'once') => void; when: Moment; onWhen: (when: Moment) => void; now: Date; error: string | undefined; cap: { limit: number; channels: readonly Pick<Channel, 'channelId' | 'channelName' | 'handle'>[] } | undefined }

const modes = [
  { value: 'now', label: 'Publish now' },
  { value: 'once', label: 'Schedule' },
] as const

/** Now, or a day and a time. Where a channel can take no more scheduled posts, a warning stands in the scheduler's place. */
export function ScheduleSection({ mode, onMode, when, onWhen, now, error, cap }: Props) {
  return (
    <section aria-labelledby="when" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="when" className="font-bold">
          When
        </h2>
        <Segmented label="When" options={modes} value={mode} onChange={onMode} />
      </div>
      {mode === 'once' ? cap ? <CapWarning {...cap} /> : <WhenPicker value={when} now={now} error={error} onChange={onWhen} /> : null}
      {mode === 'once' && !cap && !error && isJustPast(when, now) ? <p className="text-sm text-wait">This time has just passed. The post goes out at once.</p> : null}
    </section>
  )
}

/** Between the time itself and an hour after it, the post goes out at once. */
export function isJustPast(when: Moment, now: Date): boolean {
  const late = now.getTime() - instantOfMoment(when).getTime()
  return late >= 0 && late <= SCHEDULE.pastMinutes * 60_000
}

export function isTooPast(when: Moment, now: Date): boolean {
  return now.getTime() - instantOfMoment(when).getTime() > SCHEDULE.pastMinutes * 60_000
}

function CapWarning({ limit, channels }: NonNullable<Props['cap']>) {
  const upgrade = limit === SCHEDULE.cap.limited ? ' Upgrade your plan to schedule more posts' : ''
  return (
    <Banner tone="wait" live title={`You've reached the limit of ${limit} scheduled posts for the following accounts.${upgrade}`}>
      <ul>
        {channels.map((channel) => (
          <li key={channel.channelId}>
            {channel.channelName} <span className="text-sm">{channel.handle}</span>
          </li>
        ))}
      </ul>
    </Banner>
  )
}
