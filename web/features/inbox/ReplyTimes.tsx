import { useState } from 'react'
import Timer from 'lucide-react/icons/timer'
import type { RangeType } from '#contract/dashboard.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { inboxReplyTimes } from '#contract/inbox/replyTimes.ts'
import { count } from '#web/lib/format.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Popover } from '#web/ui/Popover.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { useIsPhone } from '#web/ui/useMedia.ts'
import { hoursText, waitText } from '#contract/inbox/businessHours.ts'
import { INBOX, opening } from './inboxSearch.ts'

type Times = ReplyOf<typeof inboxReplyTimes>
const ranges = [
  { value: 'today', label: 'Today', empty: 'No replies today.', before: 'yesterday' },
  { value: 'seven', label: '7 days', empty: 'No replies in the last 7 days.', before: 'in the 7 days before' },
  { value: 'thirty', label: '30 days', empty: 'No replies in the last 30 days.', before: 'in the 30 days before' },
] as const satisfies readonly { value: RangeType; label: string; empty: string; before: string }[]

type Props = {
  /** Opens the settings with the business hours, for people who may change them. */
  onSettings: (() => void) | undefined
}

/** How soon people are answered, in a panel that opens on request: nobody needs it while they answer. */
export function ReplyTimes({ onSettings }: Props) {
  const [open, setOpen] = useState(false)
  const [range, setRange] = useState<RangeType>('seven')
  const isPhone = useIsPhone()
  const icon = <Timer size={isPhone ? 16 : 14} aria-hidden />
  return (
    <Popover
      label="Reply times"
      className="w-80"
      focusWhole
      open={open}
      onOpenChange={setOpen}
      trigger={
        isPhone ? (
          <IconButton label="Reply times" icon={icon} />
        ) : (
          <Button size="s" tone="quiet" icon={icon}>
            Reply times
          </Button>
        )
      }
    >
      <Panel
        range={range}
        onRange={setRange}
        onLeave={() => setOpen(false)}
        onSettings={
          onSettings &&
          (() => {
            setOpen(false)
            onSettings()
          })
        }
      />
    </Popover>
  )
}

type PanelProps = Props & { range: RangeType; onRange: (range: RangeType) => void; onLeave: () => void }

function Panel({ range, onRange, onLeave, onSettings }: PanelProps) {
  const ids = useProjectIds()
  const times = useCall(
    inboxReplyTimes,
    { params: ids, query: { rangeType: range } },
    { keepPrevious: true, handles: true },
  )
  return (
    <div className="grid gap-3">
      <h2 className="font-semibold">Reply times</h2>
      <Segmented label="Period" options={ranges} value={range} onChange={onRange} className="w-full" />
      <Loaded query={times} skeleton={<SkeletonLines lines={4} label="Loading the reply times" />}>
        {(read) => <Figures times={read} range={range} onLeave={onLeave} onSettings={onSettings} />}
      </Loaded>
    </div>
  )
}

type FiguresProps = { times: Times; range: RangeType; onLeave: () => void; onSettings: (() => void) | undefined }

function Figures({ times, range, onLeave, onSettings }: FiguresProps) {
  const { replies, medianMinutes, slowestMinutes, slowestId, before, businessHours, timezone } = times
  const words = ranges.find(({ value }) => value === range)
  const hours = hoursText(businessHours)
  return (
    <>
      {replies === 0 ? (
        <p className="text-ink-muted">{words?.empty}</p>
      ) : medianMinutes === null || slowestMinutes === null ? (
        <p className="text-ink-muted">Set your business hours to see how soon people get a reply.</p>
      ) : (
        <>
          <dl className="tnum grid grid-cols-2 gap-3">
            <div>
              <dt className="text-sm text-ink-muted">Median</dt>
              <dd className="text-lg font-bold">{waitText(medianMinutes)}</dd>
              {before.medianMinutes === null ? null : (
                <dd className="text-xs text-ink-muted">{`${waitText(before.medianMinutes)} ${words?.before}`}</dd>
              )}
            </div>
            <div>
              <dt className="text-sm text-ink-muted">Slowest</dt>
              <dd className="text-lg font-bold">{waitText(slowestMinutes)}</dd>
              {slowestId === null ? null : (
                <dd className="text-xs">
                  <Link from={INBOX} to="." search={opening(slowestId)} onClick={onLeave}>
                    Open conversation
                  </Link>
                </dd>
              )}
            </div>
          </dl>
          <p className="tnum text-sm text-ink-muted">{`${count(replies, 'reply', 'replies')} to someone who was waiting.`}</p>
        </>
      )}
      <div className="grid justify-items-start gap-1 border-t border-line pt-2 text-xs text-ink-muted">
        <p>
          {hours === null ? 'No business hours are set.' : `Only business hours count: ${hours}, ${timezone} time.`}
        </p>
        {onSettings ? (
          <Button size="s" tone="quiet" className="-ml-2" onClick={onSettings}>
            Change business hours
          </Button>
        ) : null}
      </div>
    </>
  )
}
