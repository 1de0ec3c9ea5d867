import ChartLine from 'lucide-react/icons/chart-line'
import type { FigureBase } from '#contract/analytics/names.ts'
import { insightsSummary } from '#contract/analytics/overview.ts'
import { lazy, Suspense } from 'react'
import { Apart } from '#web/features/insights/Apart.tsx'
import { ByPlatform, platformColumns } from '#web/features/insights/ByPlatform.tsx'
import { firstFigures } from '#web/features/insights/cardOrder.ts'
import { CardsToCome } from '#web/features/insights/CardsToCome.tsx'
import { Figures } from '#web/features/insights/Figures.tsx'
import { NotFinal } from '#web/features/insights/NotFinal.tsx'
import { notFinal } from '#web/features/insights/finality.ts'
import { spanText, thanText } from '#web/features/insights/insightsSearch.ts'
import { useChannels } from '#web/features/insights/useChannels.ts'
import { withFigures } from '#web/features/insights/withFigures.ts'
import { useChosenFigure, useFilters, useView } from '#web/features/insights/useFigures.ts'
import { momentOf } from '#web/lib/format.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { AsOf } from '#web/ui/AsOf.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Panel } from '#web/ui/Panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'

// below what is first seen
const BestPosts = lazy(() => import('#web/features/insights/BestPosts.tsx'))
const ByChannel = lazy(() => import('#web/features/insights/ByChannel.tsx'))

/** Totals with their change, one of them by day, and each platform. */
export function HubSection() {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const { filters, query } = useFilters()
  const channels = useChannels(ids)
  const options = { keepPrevious: true, handles: true } as const
  const [chosen] = useChosenFigure()
  const { all } = useView()
  // only what is shown, to keep the reply small
  const of = (base: FigureBase) => [
    ...new Set([...firstFigures[base], ...(chosen?.base === base ? [chosen.name] : [])]),
  ]
  const names = all ? {} : { names: of('inTheseDays'), postNames: of('postsPublished') }
  const summary = useCall(
    insightsSummary,
    { params: ids, query: { ...query, ...names, byPlatform: platformColumns } },
    options,
  )
  return (
    <Loaded
      query={summary}
      skeleton={<CardsToCome />}
      isEmpty={({ cards, apart }) => cards.every(({ value }) => value === null) && withFigures(apart).length === 0}
      empty={
        <EmptyState
          icon={<ChartLine size={20} />}
          title="No figures in these days"
          action={
            channels.size === 0 ? (
              <ButtonLink to="/$orgId/project/$projectId/channels" params={ids} search={{ connect: 'list' }}>
                Connect a channel
              </ButtonLink>
            ) : null
          }
        >
          We read what your platforms report about your channels and posts every day. Choose other days, or fewer
          filters.
        </EmptyState>
      }
    >
      {({ cards, missing, platforms, apart, range, asOf }) => {
        const than = thanText(range.compare)
        return (
          <>
            <Panel title={spanText(range)} aside={asOf ? <AsOf zone={zone}>{momentOf(asOf, zone)}</AsOf> : null}>
              <Figures
                ids={ids}
                label="Totals"
                cards={cards}
                missing={missing}
                query={query}
                channels={channels}
                range={range}
                lines={['platform', 'channel']}
              />
            </Panel>
            <Suspense>
              <BestPosts
                ids={ids}
                query={query}
                filters={filters}
                channels={channels}
                by="engagements"
                beside={['viewsAndImpressions', 'engagementRate']}
              />
            </Suspense>
            <Suspense>
              <ByChannel ids={ids} query={query} filters={filters} channels={channels} />
            </Suspense>
            <Panel title="By platform">
              <ByPlatform ids={ids} platforms={platforms} filters={filters} than={than} />
            </Panel>
            <Apart apart={apart} range={range} />
            <NotFinal lines={notFinal([...platforms, ...apart], range)} />
          </>
        )
      }}
    </Loaded>
  )
}
