import { clsx } from 'clsx'
import ChartColumn from 'lucide-react/icons/chart-no-axes-column'
import type { Look } from '#charts/style.ts'
import { dashboardPostChart, type RangeType } from '#contract/dashboard.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { percentChange } from '#contract/format.ts'
import { count } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { ChartFigure } from '#web/ui/charts/ChartFigure.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { AsOf } from '#web/ui/AsOf.tsx'
import { Change } from '#web/ui/Change.tsx'
import { Panel, paperClass } from '#web/ui/Panel.tsx'
import { beforeWords, spanWords } from './ranges.ts'

type Chart = ReplyOf<typeof dashboardPostChart>
const kinds = [
  { key: 'published', name: 'Published' },
  { key: 'scheduled', name: 'Planned' },
  { key: 'failed', name: 'Failed' },
] as const
const looks: Record<(typeof kinds)[number]['key'], Look> = {
  published: { color: 'accent', dash: '', hatch: null },
  scheduled: { color: 'line-strong', dash: '', hatch: 45 },
  failed: { color: 'bad', dash: '', hatch: 90 },
}

export const usePostChart = (ids: ProjectIds, range: RangeType, { enabled = true }: { enabled?: boolean } = {}) =>
  useCall(
    dashboardPostChart,
    { params: ids, query: { rangeType: range } },
    { keepPrevious: true, handles: true, enabled },
  )

/** Published, failed and planned posts by day, and the platforms they were published on. */
export function PublishingBehavior({
  ids,
  zone,
  range,
  mayCreate,
}: {
  ids: ProjectIds
  zone: string
  range: RangeType
  mayCreate: boolean
}) {
  const found = usePostChart(ids, range)
  return (
    <Panel title="Publishing Behavior" aside={found.data ? <AsOf at={found.data.asOf} zone={zone} today /> : null}>
      <div className={paperClass}>
        <Loaded
          query={found}
          skeleton={<SkeletonLines lines={4} label="Loading publishing" />}
          isEmpty={({ days, platforms }) =>
            platforms.length === 0 && days.every((day) => kinds.every(({ key }) => day[key] === 0))
          }
          empty={
            <EmptyState
              icon={<ChartColumn size={20} />}
              className="py-6!"
              title={`Nothing was published ${spanWords[range]}`}
              action={
                mayCreate ? (
                  <ButtonLink to="/$orgId/project/$projectId/compose" params={ids}>
                    Create post
                  </ButtonLink>
                ) : null
              }
            >
              Your published posts appear here by day and by platform.
            </EmptyState>
          }
        >
          {(data) => <Behavior data={data} range={range} />}
        </Loaded>
      </div>
    </Panel>
  )
}

function Behavior({ data: { days, platforms }, range }: { data: Chart; range: RangeType }) {
  const sums = kinds.map((kind) => ({ ...kind, sum: days.reduce((sum, day) => sum + day[kind.key], 0) }))
  return (
    <>
      <p className="tnum px-3.5 pt-3 text-ink-muted">
        {sums
          .map(
            ({ key, sum, name }) =>
              `${sum.toLocaleString('en')} ${key === 'scheduled' ? 'still planned' : name.toLowerCase()}`,
          )
          .join(', ')}{' '}
        {spanWords[range]}.
      </p>
      {days.length > 1 ? (
        <div className="px-3.5 pt-1 pb-3">
          <ChartFigure
            label="Posts by day"
            shape="bars"
            data={{
              axis: { kind: 'days', keys: days.map(({ date }) => date) },
              series: sums
                .filter(({ key, sum }) => key === 'published' || sum > 0)
                .map(({ key, name }) => ({ key, name, look: looks[key], values: days.map((day) => day[key]) })),
            }}
          />
        </div>
      ) : (
        <div className="h-3" />
      )}
      {platforms.length > 0 ? (
        <ul
          aria-label="Published by platform"
          className={clsx('grid border-t border-line', platforms.length > 1 ? 'sm:grid-cols-2' : '')}
        >
          {platforms.map(({ platformName: platform, published, over }) => {
            const percent = over === null ? undefined : percentChange(over.count, over.before)
            return (
              <li key={platform} className="flex min-w-0 items-center gap-2.5 px-3.5 py-2.5">
                <PlatformIcon platform={platform} size={20} named />
                <span className="truncate">{platformName(platform)}</span>
                <span className="tnum ml-auto flex items-baseline gap-2 whitespace-nowrap">
                  <Change percent={percent === undefined ? null : Number(percent)} than={beforeWords[range]} />
                  <span className="font-semibold">{count(published, 'post')}</span>
                </span>
              </li>
            )
          })}
        </ul>
      ) : null}
    </>
  )
}
