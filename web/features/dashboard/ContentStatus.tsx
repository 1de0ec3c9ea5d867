import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { dashboardPostStatus, type RangeType } from '#contract/dashboard.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { percentChange, shortNumber } from '#contract/format.ts'
import type { PostState } from '#contract/postStates.ts'
import { timeOf } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Skeleton, Skeletons } from '#web/ui/Skeleton.tsx'
import { StatusMark } from '#web/ui/StatusBadge.tsx'
import { AsOf } from './AsOf.tsx'
import { Change } from './Change.tsx'
import { Panel } from './Panel.tsx'
import { beforeWords, spanWords } from './ranges.ts'

type Props = { ids: ProjectIds; zone: string; range: RangeType; /** What stands under the figures. */ children?: ReactNode }
type Status = ReplyOf<typeof dashboardPostStatus>

/** How many posts went out and failed in the range, and how many stand by now. */
export function ContentStatus({ ids, zone, range, children }: Props) {
  const status = useCall(dashboardPostStatus, { params: ids, query: { rangeType: range } }, { keepPrevious: true, handles: true })
  return (
    <Panel title="Content Status" aside={status.data ? <AsOf zone={zone}>{timeOf(status.data.asOf, zone)}</AsOf> : null}>
      <Loaded query={status} skeleton={<TileSkeletons />}>
        {(data) => (
          <div className="grid grid-cols-2 gap-2.5 lg:grid-cols-4">
            <Tile ids={ids} tab="published" status="PUBLISHED" label="Published" note={spanWords[range]} value={inRange(data, 'PUBLISHED').count} change={<Change percent={percentOf(data, 'PUBLISHED')} than={beforeWords[range]} />} />
            <Tile ids={ids} tab="failed" status="FAILED" label="Failed" note={spanWords[range]} value={inRange(data, 'FAILED').count} change={<Change percent={percentOf(data, 'FAILED')} than={beforeWords[range]} good="fewer" />} />
            <Tile ids={ids} tab="scheduled" status="SCHEDULED" label="Scheduled" note="waiting to go out" value={standing(data, 'SCHEDULED', 'QUEUED', 'PROCESSING')} />
            <Tile ids={ids} tab="draft" status="DRAFTS" label="Drafts" note="not scheduled" value={standing(data, 'DRAFTS')} />
          </div>
        )}
      </Loaded>
      {children}
    </Panel>
  )
}

const inRange = ({ counts }: Status, state: PostState) => counts.find(({ status }) => status === state) ?? { count: 0, before: 0 }
/** What the list behind the tile shows: a queued post and one on its way wait as well. */
const standing = ({ standing: all }: Status, ...states: readonly PostState[]) => all.filter(({ status }) => states.includes(status)).reduce((sum, { count }) => sum + count, 0)

function percentOf(data: Status, state: PostState): number | null {
  const { count, before } = inRange(data, state)
  const percent = percentChange(count, before)
  return percent === undefined ? null : Number(percent)
}

type TileProps = { ids: ProjectIds; tab: string; status: 'PUBLISHED' | 'FAILED' | 'SCHEDULED' | 'DRAFTS'; label: string; note: string; value: number; change?: ReactNode }

function Tile({ ids, tab, status, label, note, value, change }: TileProps) {
  return (
    <Link to="/$orgId/project/$projectId/posts/$tab" params={{ ...ids, tab }} className="grid gap-1 rounded-lg border border-line bg-surface px-3.5 py-3 hover:border-line-strong">
      <span className="flex items-center gap-1.5 text-sm font-semibold text-ink-muted">
        <span aria-hidden className="contents">
          <StatusMark status={status} />
        </span>
        {label}
      </span>
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span className="tnum text-2xl font-bold tracking-tight" title={value.toLocaleString('en')}>
          {shortNumber(value)}
        </span>
        {change}
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
