import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { shortNumber } from '#contract/format.ts'
import { postStatistics } from '#contract/posts.ts'
import { addDays, rangeOf, wallOf } from '#web/lib/dates.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { Skeleton, Skeletons } from '#web/ui/Skeleton.tsx'
import { StatusMark } from '#web/ui/StatusBadge.tsx'
import { Panel } from './Panel.tsx'

export type Range = 'today' | 'seven' | 'thirty'
const ranges = [
  { value: 'today', label: 'Today' },
  { value: 'seven', label: '7 days' },
  { value: 'thirty', label: '30 days' },
] as const
const back: Record<Range, number> = { today: 0, seven: 6, thirty: 29 }
const spans: Record<Range, string> = { today: 'today', seven: 'last 7 days', thirty: 'last 30 days' }

type Props = { ids: ProjectIds; zone: string; range: Range; onRange: (range: Range) => void; /** What stands under the figures. */ children?: ReactNode }

/** How many posts went out and failed in the range, and how many stand by now. */
export function ContentStatus({ ids, zone, range, onRange, children }: Props) {
  const [now] = useState(() => new Date())
  const today = wallOf(now, zone).day
  const { from, to } = rangeOf(addDays(today, -back[range]), today, zone)
  const past = useCall(postStatistics, { params: ids, query: { from: from.toISOString(), to: to.toISOString(), timezone: zone } }, { keepPrevious: true, handles: true })
  const all = useCall(postStatistics, { params: ids, query: {} }, { handles: true })
  return (
    <Panel title="Content Status" aside={<Segmented label="Range" options={ranges} value={range} onChange={onRange} />}>
      <Loaded query={past} skeleton={<TileSkeletons />}>
        {(inRange) => (
          <Loaded query={all} skeleton={<TileSkeletons />}>
            {(ever) => (
              <div className="grid grid-cols-2 gap-2.5 lg:grid-cols-4">
                <Tile ids={ids} tab="published" status="PUBLISHED" label="Published" note={spans[range]} value={inRange.total.PUBLISHED} />
                <Tile ids={ids} tab="failed" status="FAILED" label="Failed" note={spans[range]} value={inRange.total.FAILED} />
                <Tile ids={ids} tab="scheduled" status="SCHEDULED" label="Scheduled" note="waiting to go out" value={waiting(ever.total)} />
                <Tile ids={ids} tab="draft" status="DRAFTS" label="Drafts" note="not scheduled" value={ever.total.DRAFTS} />
              </div>
            )}
          </Loaded>
        )}
      </Loaded>
      {children}
    </Panel>
  )
}

/** What the list behind the tile shows: a queued post and one on its way wait as well. */
const waiting = ({ SCHEDULED = 0, QUEUED = 0, PROCESSING = 0 }: { SCHEDULED?: number; QUEUED?: number; PROCESSING?: number }) => SCHEDULED + QUEUED + PROCESSING

type TileProps = { ids: ProjectIds; tab: string; status: 'PUBLISHED' | 'FAILED' | 'SCHEDULED' | 'DRAFTS'; label: string; note: string; value: number | undefined }

function Tile({ ids, tab, status, label, note, value = 0 }: TileProps) {
  return (
    <Link to="/$orgId/project/$projectId/posts/$tab" params={{ ...ids, tab }} className="grid gap-1 rounded-lg border border-line bg-surface px-3.5 py-3 hover:border-line-strong">
      <span className="flex items-center gap-1.5 text-sm font-semibold text-ink-muted">
        <span aria-hidden className="contents">
          <StatusMark status={status} />
        </span>
        {label}
      </span>
      <span className="tnum text-2xl font-bold tracking-tight" title={value.toLocaleString('en')}>
        {shortNumber(value)}
      </span>
      <span className="text-sm text-ink-muted">{note}</span>
    </Link>
  )
}

function TileSkeletons() {
  return (
    <Skeletons className="grid grid-cols-2 gap-2.5 lg:grid-cols-4">
      {[0, 1, 2, 3].map((tile) => (
        <div key={tile} className="grid gap-2.5 rounded-lg border border-line bg-surface px-3.5 py-3">
          <Skeleton className="h-3 w-20" />
          <Skeleton className="h-6 w-12" />
          <Skeleton className="h-3 w-24" />
        </div>
      ))}
    </Skeletons>
  )
}
