import { clsx } from 'clsx'
import ChartLine from 'lucide-react/icons/chart-line'
import { useState } from 'react'
import {
  dashboardBrandEngagement,
  dashboardPosts,
  engagementFigures,
  type EngagementFigure,
  type RangeType,
} from '#contract/dashboard.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { shortNumber } from '#contract/format.ts'
import { momentOf } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { ChartFigure } from '#web/ui/charts/ChartFigure.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { AsOf } from '#web/ui/AsOf.tsx'
import { Change } from '#web/ui/Change.tsx'
import { Panel, paperClass } from '#web/ui/Panel.tsx'
import { beforeWords, spanWords } from './ranges.ts'

const names: Record<EngagementFigure, string> = {
  impressions: 'Impressions',
  reactions: 'Reactions',
  comments: 'Comments',
  shares: 'Shares',
}
type Props = {
  ids: ProjectIds
  zone: string
  range: RangeType
  onRange: (range: RangeType) => void
  mayCreate: boolean
}
type Engagement = ReplyOf<typeof dashboardBrandEngagement>

/** The metrics, and, if there are none, whether anything was published at all: only then do other days help. */
export function useEngagement(ids: ProjectIds, range: RangeType, { enabled = true }: { enabled?: boolean } = {}) {
  const found = useCall(
    dashboardBrandEngagement,
    { params: ids, query: { rangeType: range } },
    { keepPrevious: true, handles: true, enabled },
  )
  const asksMore = range !== 'thirty' && found.data?.readings === 0
  const published = useCall(
    dashboardPosts,
    { params: ids, query: { page: 1, limit: 1, status: ['PUBLISHED'] } },
    { handles: true, enabled: asksMore },
  )
  return { found, published, isPending: found.isPending || (asksMore && published.isPending) }
}

/** What people did with published posts, as reported by the platforms. */
export function BrandEngagement({ ids, zone, range, onRange, mayCreate }: Props) {
  const { found, published } = useEngagement(ids, range)
  const asOf = found.data?.asOf
  const mayWiden = range !== 'thirty'
  const isNew = published.data?.posts.length === 0
  return (
    <Panel
      title="Brand Engagement"
      anchor="engagement"
      aside={asOf ? <AsOf zone={zone}>{momentOf(asOf, zone)}</AsOf> : null}
    >
      <div className={paperClass}>
        <Loaded
          query={found}
          skeleton={<SkeletonLines lines={4} label="Loading engagement" />}
          isEmpty={({ readings }) => readings === 0}
          empty={
            <EmptyState
              icon={<ChartLine size={20} />}
              className="py-6!"
              title={!mayWiden || isNew ? 'No metrics yet' : `No metrics ${spanWords[range]}`}
              action={
                mayWiden && !isNew ? (
                  published.isPending ? null : (
                    <Button onClick={() => onRange('thirty')}>Show 30 days</Button>
                  )
                ) : mayCreate ? (
                  <ButtonLink to="/$orgId/project/$projectId/compose" params={ids}>
                    Create post
                  </ButtonLink>
                ) : null
              }
            >
              We collect metrics an hour, a day and a week after a post is published, from the platforms that provide
              them.
            </EmptyState>
          }
        >
          {(data) => <Figures data={data} range={range} />}
        </Loaded>
      </div>
    </Panel>
  )
}

/** The totals; one of them is shown by day. */
function Figures({ data: { totals, days }, range }: { data: Engagement; range: RangeType }) {
  const told = engagementFigures.filter((figure) => totals[figure].value !== null)
  const [chosen, setChosen] = useState<EngagementFigure>('impressions')
  const drawn = told.includes(chosen) ? chosen : told[0]
  return (
    <>
      <div
        role="group"
        aria-label="Metric shown in the chart"
        className="grid grid-cols-2 gap-px bg-line sm:grid-cols-4"
      >
        {engagementFigures.map((figure) => {
          const { value, changePercent } = totals[figure]
          return (
            <button
              key={figure}
              type="button"
              disabled={value === null}
              aria-pressed={figure === drawn}
              onClick={() => setChosen(figure)}
              className={clsx(
                'grid content-start gap-1 bg-surface px-3.5 py-3 text-left focus-visible:-outline-offset-2',
                value === null ? '' : 'hover:bg-sunken',
                figure === drawn ? 'shadow-[inset_0_-2px_0_var(--accent)]' : '',
              )}
            >
              <span className={clsx('text-sm font-semibold', figure === drawn ? 'text-ink' : 'text-ink-muted')}>
                {names[figure]}
              </span>
              {value === null ? (
                <span className="text-sm text-ink-muted">Not available from your platforms</span>
              ) : (
                <span className="flex flex-wrap items-baseline gap-x-2">
                  <span className="tnum text-2xl font-bold tracking-tight" title={value.toLocaleString('en')}>
                    {shortNumber(value)}
                  </span>
                  <Change percent={changePercent} than={beforeWords[range]} />
                </span>
              )}
            </button>
          )
        })}
      </div>
      {drawn && days.length > 1 ? (
        <div className="border-t border-line px-3.5 py-3">
          <ChartFigure
            label={`${names[drawn]} by day`}
            data={{
              axis: { kind: 'days', keys: days.map(({ date }) => date) },
              series: [{ key: drawn, name: names[drawn], values: days.map((day) => day[drawn]) }],
            }}
          />
        </div>
      ) : null}
    </>
  )
}
