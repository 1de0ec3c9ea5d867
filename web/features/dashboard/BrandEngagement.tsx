import { clsx } from 'clsx'
import ChartLine from 'lucide-react/icons/chart-line'
import { useState } from 'react'
import { figureName } from '#contract/analytics/labels.ts'
import {
  dashboardBrandEngagement,
  dashboardPosts,
  engagementFigures,
  type EngagementFigure,
  type RangeType,
} from '#contract/dashboard.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { shortNumber } from '#contract/format.ts'
import { plan } from '#contract/organizations.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { upgrade } from '#web/lib/upgrade.ts'
import { Button } from '#web/ui/Button.tsx'
import { ChartFigure } from '#web/ui/charts/ChartFigure.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { AsOf } from '#web/ui/AsOf.tsx'
import { FigureChange } from '#web/ui/Change.tsx'
import { Panel, paperClass } from '#web/ui/Panel.tsx'
import { beforeWords, spanWords } from './ranges.ts'

type Props = {
  ids: ProjectIds
  zone: string
  range: RangeType
  onRange: (range: RangeType) => void
  mayCreate: boolean
}
type Engagement = ReplyOf<typeof dashboardBrandEngagement>

/** The days that the plan has: 7 at most without analytics. */
function useShownRange(ids: ProjectIds, range: RangeType) {
  const facts = useCall(plan, { params: { orgId: ids.orgId } }, { handles: true })
  const isLimited = facts.data?.closed.includes('analytics') ?? false
  return {
    isKnown: !facts.isPending,
    isLimited,
    shown: isLimited && range === 'thirty' ? ('seven' as const) : range,
  }
}

/** The figures, and, if there are none, whether anything was published at all: only then do other days help. */
export function useEngagement(ids: ProjectIds, range: RangeType, { enabled = true }: { enabled?: boolean } = {}) {
  const { shown, isLimited, isKnown } = useShownRange(ids, range)
  const found = useCall(
    dashboardBrandEngagement,
    { params: ids, query: { rangeType: shown } },
    { keepPrevious: true, handles: true, enabled: enabled && isKnown },
  )
  const asksMore = !isLast(shown, isLimited) && found.data !== undefined && isEmpty(found.data)
  const published = useCall(
    dashboardPosts,
    { params: ids, query: { page: 1, limit: 1, status: ['PUBLISHED'] } },
    { handles: true, enabled: asksMore },
  )
  return { found, published, shown, isLimited, isPending: found.isPending || (asksMore && published.isPending) }
}

/** Whether the plan has no longer range. */
const isLast = (range: RangeType, isLimited: boolean) => range === 'thirty' || (isLimited && range === 'seven')
const isEmpty = ({ totals }: Engagement) => engagementFigures.every((figure) => totals[figure].value === null)

/** How often your content was seen and what people did with it, as in the insights. */
export function BrandEngagement({ ids, zone, range, onRange, mayCreate }: Props) {
  const { found, published, shown, isLimited } = useEngagement(ids, range)
  const asOf = found.data?.asOf
  const mayWiden = !isLast(shown, isLimited)
  const wider = isLimited ? 'seven' : 'thirty'
  const isNew = published.data?.posts.length === 0
  return (
    <Panel title="Brand Engagement" anchor="engagement" aside={asOf ? <AsOf at={asOf} zone={zone} /> : null}>
      <div className={paperClass}>
        <Loaded
          query={found}
          skeleton={<SkeletonLines lines={4} label="Loading engagement" />}
          isEmpty={isEmpty}
          empty={
            <EmptyState
              icon={<ChartLine size={20} />}
              className="py-6!"
              title={!mayWiden || isNew ? 'No metrics yet' : `No metrics ${spanWords[shown]}`}
              action={
                mayWiden && !isNew ? (
                  published.isPending ? null : (
                    <Button onClick={() => onRange(wider)}>{isLimited ? 'Show 7 days' : 'Show 30 days'}</Button>
                  )
                ) : mayCreate ? (
                  <ButtonLink to="/$orgId/project/$projectId/compose" params={ids}>
                    Create post
                  </ButtonLink>
                ) : null
              }
            >
              We read what your platforms report about your channels and posts every day.
            </EmptyState>
          }
        >
          {(data) => <Figures data={data} range={shown} />}
        </Loaded>
        {shown === range ? null : <Limited />}
      </div>
    </Panel>
  )
}

/** Why these aren't the days that were chosen. */
function Limited() {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-3.5 py-2 text-sm text-ink-muted">
      Your plan shows the last 7 days here.
      <Button size="s" tone="quiet" onClick={() => upgrade.open({ gate: 'analytics' })}>
        See plans
      </Button>
    </p>
  )
}

/** The totals; one of them is shown by day. */
function Figures({ data: { totals, days }, range }: { data: Engagement; range: RangeType }) {
  const told = engagementFigures.filter((figure) => totals[figure].value !== null)
  const [chosen, setChosen] = useState<EngagementFigure>('viewsAndImpressions')
  const drawn = told.includes(chosen) ? chosen : told[0]
  return (
    <>
      <div
        role="group"
        aria-label="Metric shown in the chart"
        className="grid grid-cols-2 gap-px bg-line sm:grid-cols-4"
      >
        {engagementFigures.map((figure) => {
          const { value } = totals[figure]
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
                {figureName(figure)}
              </span>
              {value === null ? (
                <span className="text-sm text-ink-muted">Not available from your platforms</span>
              ) : (
                <span className="flex flex-wrap items-baseline gap-x-2">
                  <span className="tnum text-2xl font-bold tracking-tight" title={value.toLocaleString('en')}>
                    {shortNumber(value)}
                  </span>
                  <FigureChange figure={totals[figure]} than={beforeWords[range]} />
                </span>
              )}
            </button>
          )
        })}
      </div>
      {drawn && days.length > 1 ? (
        <div className="border-t border-line px-3.5 py-3">
          <ChartFigure
            label={`${figureName(drawn)} by day`}
            data={{
              axis: { kind: 'days', keys: days.map(({ date }) => date) },
              series: [{ key: drawn, name: figureName(drawn), values: days.map((day) => day[drawn]) }],
              // the last days that platforms report aren't all there yet
              finalUntil: totals[drawn].coverage.finalUntil,
            }}
          />
        </div>
      ) : null}
    </>
  )
}
