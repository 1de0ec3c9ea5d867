import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { dashboardPostStatus, type RangeType } from '#contract/dashboard.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { percentChange, shortNumber } from '#contract/format.ts'
import type { PostState } from '#contract/postStates.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Skeleton, Skeletons } from '#web/ui/Skeleton.tsx'
import { StatusMark } from '#web/ui/StatusBadge.tsx'
import { AsOf } from '#web/ui/AsOf.tsx'
import { Change } from '#web/ui/Change.tsx'
import { Panel } from '#web/ui/Panel.tsx'
import { beforeWords, spanWords } from './ranges.ts'
import { StatusPosts } from './StatusPosts.tsx'
import { shownStatuses, statusFacts, type ShownStatus } from './statusTiles.ts'

type Props = {
  ids: ProjectIds
  zone: string
  range: RangeType
  /** The status whose posts are listed below the numbers. */ shown: ShownStatus
  onShow: (status: ShownStatus) => void
  mayCreate: boolean
  /** What else is shown below the numbers. */ children?: ReactNode
}
type Status = ReplyOf<typeof dashboardPostStatus>

/** The figures of Content Status. */
export const useStatus = (ids: ProjectIds, range: RangeType, { enabled = true }: { enabled?: boolean } = {}) =>
  useCall(
    dashboardPostStatus,
    { params: ids, query: { rangeType: range } },
    { keepPrevious: true, handles: true, enabled },
  )

/**
 * How many posts were published and failed in the range, and how many are waiting now; below them, posts of the chosen
 * status.
 */
export function ContentStatus({ ids, zone, range, shown, onShow, mayCreate, children }: Props) {
  const status = useStatus(ids, range)
  return (
    <Panel title="Content Status" aside={status.data ? <AsOf at={status.data.asOf} zone={zone} today /> : null}>
      <Loaded query={status} skeleton={<TileSkeletons />}>
        {(data) => (
          <div role="group" aria-label="Status of the posts shown" className="grid grid-cols-2 gap-2.5 lg:grid-cols-4">
            {shownStatuses.map((one) => (
              <Tile key={one} status={one} isShown={one === shown} onShow={onShow} {...figureOf(data, one, range)} />
            ))}
          </div>
        )}
      </Loaded>
      {status.data ? (
        <p className="text-sm text-pretty text-ink-muted">
          Posts from here, without those published elsewhere: Insights counts these, too. Changes compare the days that
          are over.
        </p>
      ) : null}
      {children}
      <StatusPosts ids={ids} zone={zone} status={shown} mayCreate={mayCreate} />
    </Panel>
  )
}

type Figure = { value: number; note: string; change?: ReactNode }

function figureOf(data: Status, status: ShownStatus, range: RangeType): Figure {
  switch (status) {
    case 'published':
      return {
        value: inRange(data, 'PUBLISHED').count,
        note: spanWords[range],
        change: <Change percent={percentOf(data, 'PUBLISHED')} than={beforeWords[range]} />,
      }
    case 'failed':
      return {
        value: inRange(data, 'FAILED').count,
        note: spanWords[range],
        change: <Change percent={percentOf(data, 'FAILED')} than={beforeWords[range]} good="fewer" />,
      }
    case 'scheduled':
      return { value: standing(data, ...statusFacts.scheduled.states), note: 'waiting to be published' }
    case 'draft':
    default:
      return { value: standing(data, ...statusFacts.draft.states), note: 'not scheduled' }
  }
}

const inRange = ({ counts }: Status, state: PostState) =>
  counts.find(({ status }) => status === state) ?? { count: 0, over: null }
const standing = ({ standing: all }: Status, ...states: readonly PostState[]) =>
  all.filter(({ status }) => states.includes(status)).reduce((sum, { count }) => sum + count, 0)

function percentOf(data: Status, state: PostState): number | null {
  const { over } = inRange(data, state)
  const percent = over === null ? undefined : percentChange(over.count, over.before)
  return percent === undefined ? null : Number(percent)
}

type TileProps = Figure & { status: ShownStatus; isShown: boolean; onShow: (status: ShownStatus) => void }

function Tile({ status, isShown, onShow, note, value, change }: TileProps) {
  const {
    label,
    states: [mark],
  } = statusFacts[status]
  return (
    <button
      type="button"
      aria-pressed={isShown}
      onClick={() => onShow(status)}
      className={clsx(
        'grid content-start gap-1 rounded-lg border bg-surface px-3.5 py-3 text-left',
        isShown ? 'border-accent inset-ring inset-ring-accent' : 'border-line hover:border-line-strong',
      )}
    >
      <span className="flex items-center gap-1.5 text-sm font-semibold text-ink-muted">
        <span aria-hidden className="contents">
          <StatusMark status={mark} />
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
    </button>
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
