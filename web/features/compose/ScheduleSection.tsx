import { memo, useRef } from 'react'
import { SCHEDULE } from '#contract/constants.ts'
import type { Channel } from '#contract/channels.ts'
import { queuePositions, type Queue } from '#contract/queues.ts'
import { dayAndTimeOf, offsetOf } from '#web/lib/format.ts'
import { instantOfMoment } from '#web/lib/moment.ts'
import { useHome, useProjectIds } from '#web/lib/project.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { ButtonLink, Link } from '#web/ui/Link.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { WhenPicker } from '#web/ui/WhenPicker.tsx'
import { BestTimes } from './BestTimes.tsx'
import { isRepeating, withMode, type Plan, type SeriesView } from './plan.ts'
import { queueSlot } from './queueSlot.ts'
import { SeriesEditor } from './SeriesEditor.tsx'
import { SeriesPreview } from './SeriesPreview.tsx'

type Props = {
  plan: Plan
  onChange: (plan: Plan) => void
  now: Date
  error: string | undefined
  cap: { limit: number; channels: readonly Pick<Channel, 'channelId' | 'channelName' | 'handle'>[] } | undefined
  /** The plan, the post's state or the server allow it. */
  repeats: boolean
  queues: boolean
  /** The queues of the channels that it is for. */
  slots: readonly { channel: Pick<Channel, 'channelId' | 'channelName' | 'platformName'>; queue: Queue }[]
  series: SeriesView | undefined
  /** How many channels the series is made for. */
  channels: number
  /** The channel whose own results are asked for the best time. */
  best: Pick<Channel, 'channelId' | 'channelName'> | undefined
  /** Whose own zone the time is in, where that is not the project's. */
  zoneOf: string | undefined
}

/** Now, at a time, over and over, or by the queue. Where a channel can take no more scheduled posts, a warning stands in the scheduler's place. */
export const ScheduleSection = memo(function ScheduleSection({
  plan,
  onChange,
  now,
  error,
  cap,
  repeats,
  queues,
  slots,
  series,
  channels,
  best,
  zoneOf,
}: Props) {
  const repeating = isRepeating(plan)
  const shown = plan.mode === 'now' ? 'now' : plan.mode === 'queue' ? 'queue' : 'once'
  const modes = [
    { value: 'now', label: 'Publish now' },
    { value: 'once', label: 'Schedule' },
    ...(queues || shown === 'queue' ? [{ value: 'queue', label: 'Queue' } as const] : []),
  ] as const
  const section = useRef<HTMLElement>(null)
  const choose = (mode: Plan['mode']) => {
    onChange(withMode(plan, mode, now))
    // what it opens may lie below the screen
    requestAnimationFrame(() => section.current?.scrollIntoView({ block: 'nearest' }))
  }
  return (
    <section ref={section} aria-labelledby="when" className="grid scroll-mb-20 gap-3 max-md:scroll-mb-44">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="when" className="font-bold">
          When
        </h2>
        <Segmented
          label="When"
          options={modes}
          value={shown}
          onChange={(mode) => (mode === shown ? undefined : choose(mode))}
        />
      </div>
      {shown !== 'now' && cap ? <CapWarning {...cap} /> : null}
      {shown === 'queue' && !cap ? (
        <QueueChoice plan={plan} now={now} onChange={onChange} error={error} slots={slots} />
      ) : null}
      {shown === 'once' && !cap ? (
        <>
          {repeats || repeating ? (
            <Switch
              label="Repeat"
              checked={repeating}
              onChange={(event) => choose(event.target.checked ? 'weekly' : 'once')}
              className="justify-self-start"
            />
          ) : null}
          {repeating ? (
            <SeriesEditor plan={plan} now={now} onChange={onChange} />
          ) : (
            <WhenPicker value={plan.when} now={now} error={error} onChange={(when) => onChange({ ...plan, when })} />
          )}
          {zoneOf === undefined ? null : <p className="text-sm text-ink-muted">In the time zone of {zoneOf}.</p>}
          {best && !repeating ? (
            <BestTimes channel={best} now={now} onChoose={(when) => onChange({ ...plan, when })} />
          ) : null}
          {series ? <SeriesPreview series={series} zone={plan.when.zone} channels={channels} error={error} /> : null}
          {!repeating && !error && isJustPast(plan, now) ? (
            <p className="text-sm text-wait">This time has just passed. The post will be published right away.</p>
          ) : null}
        </>
      ) : null}
    </section>
  )
})

const positions = queuePositions.map((value) => ({
  value,
  label: value === 'NEXT' ? 'Front of the queue' : 'End of the queue',
}))

function QueueChoice({
  plan,
  now,
  onChange,
  error,
  slots,
}: Pick<Props, 'plan' | 'now' | 'onChange' | 'error' | 'slots'>) {
  const ids = useProjectIds()
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
                <span className="max-w-48 truncate font-medium">{channel.channelName}</span>
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

/** Between the time itself and an hour after it, the post goes out at once. */
function isJustPast({ when }: Pick<Plan, 'when'>, now: Date): boolean {
  const late = now.getTime() - instantOfMoment(when).getTime()
  return late >= 0 && late <= SCHEDULE.pastMinutes * 60_000
}

export function isTooPast({ when }: Pick<Plan, 'when'>, now: Date): boolean {
  return now.getTime() - instantOfMoment(when).getTime() > SCHEDULE.pastMinutes * 60_000
}

function CapWarning({ limit, channels }: NonNullable<Props['cap']>) {
  const ids = useProjectIds()
  const canUpgrade = limit === SCHEDULE.cap.limited
  const organization = useHome().data?.organizations.find(({ orgId }) => orgId === ids.orgId)
  return (
    <Banner
      tone="wait"
      live
      title={`You've reached the limit of ${limit} scheduled posts for the following accounts.${canUpgrade ? ' Upgrade your plan to schedule more posts' : ''}`}
      actions={
        canUpgrade && organization?.isOrgAdmin ? (
          <ButtonLink
            size="s"
            tone="primary"
            to="/$orgId/project/$projectId/org-settings"
            params={ids}
            search={{ tab: 'billing' }}
          >
            Upgrade plan
          </ButtonLink>
        ) : null
      }
    >
      <ul>
        {channels.map((channel) => (
          <li key={channel.channelId}>
            {channel.channelName} <span className="text-sm">{channel.handle}</span>
          </li>
        ))}
      </ul>
      {canUpgrade && organization && !organization.isOrgAdmin ? (
        <p>Ask an admin of your organization to upgrade.</p>
      ) : null}
    </Banner>
  )
}
