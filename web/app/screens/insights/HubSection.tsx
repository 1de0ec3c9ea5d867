import ChartLine from 'lucide-react/icons/chart-line'
import type { InsightsFilter } from '#contract/analytics/filter.ts'
import { insightsSummary } from '#contract/analytics/overview.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { lazy } from 'react'
import { Apart } from '#web/features/insights/Apart.tsx'
import { ByPlatform } from '#web/features/insights/ByPlatform.tsx'
import { CardsToCome } from '#web/features/insights/CardsToCome.tsx'
import { chosenPlatforms } from '#web/features/insights/chosenPlatforms.ts'
import { Figures } from '#web/features/insights/Figures.tsx'
import { FirstFigures } from '#web/features/insights/FirstFigures.tsx'
import { FilteredAway } from '#web/features/insights/FilteredAway.tsx'
import { NotFinal } from '#web/features/insights/NotFinal.tsx'
import { notFinal } from '#web/features/insights/finality.ts'
import { hubCall, hubOptions } from '#web/features/insights/hubCall.ts'
import { spanText, thanText, type InsightsFilters } from '#web/features/insights/insightsSearch.ts'
import { useChannels, type NamedChannels } from '#web/features/insights/useChannels.ts'
import { withFigures } from '#web/features/insights/withFigures.ts'
import { useChosenFigure, useFilters, useView } from '#web/features/insights/useFigures.ts'
import { useProjectIds, useProjectZone, type ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { AfterPaint } from '#web/ui/AfterPaint.tsx'
import { AsOf } from '#web/ui/AsOf.tsx'
import { FoldedPanel } from '#web/ui/FoldedPanel.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Panel } from '#web/ui/Panel.tsx'

// below what is first seen
const BestPosts = lazy(() => import('#web/features/insights/BestPosts.tsx'))
const AudiencePanel = lazy(() => import('#web/features/insights/AudiencePanel.tsx'))
const ByChannel = lazy(() => import('#web/features/insights/ByChannel.tsx'))

/** Totals with their change, one of them by day, and each platform. */
export function HubSection() {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const { filters, query } = useFilters()
  const channels = useChannels(ids)
  const [chosen] = useChosenFigure()
  const { all } = useView()
  const isWithoutChannels = channels.size > 0 && chosenPlatforms(channels, query).length === 0
  const summary = useCall(insightsSummary, hubCall(ids, query, { chosen, all }), hubOptions)
  const again = () => void summary.refetch()
  return (
    <Loaded
      query={summary}
      skeleton={<CardsToCome />}
      isEmpty={({ cards, apart }) =>
        // no posts isn't a figure where no channel could have any
        cards.every(({ value }) => value === null || (value === 0 && isWithoutChannels)) &&
        withFigures(apart).length === 0
      }
      empty={
        <FirstFigures cards={[]} query={query} onArrived={again}>
          <FilteredAway
            icon={<ChartLine size={20} />}
            title={isWithoutChannels ? 'No channels in these filters' : 'No figures in these days'}
            text="We read what your platforms report about your channels and posts every day."
          />
        </FirstFigures>
      }
    >
      {({ cards, missing, platforms, apart, range, asOf }) => (
        <FirstFigures cards={[...cards, ...apart.flatMap(({ figures }) => figures)]} query={query} onArrived={again}>
          <Panel title={spanText(range)} aside={asOf ? <AsOf at={asOf} zone={zone} days /> : null}>
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
          <AfterPaint>
            <Below {...{ ids, query, filters, channels, platforms, apart, range }} />
          </AfterPaint>
        </FirstFigures>
      )}
    </Loaded>
  )
}

type BelowProps = {
  ids: ProjectIds
  query: InsightsFilter
  filters: InsightsFilters
  channels: NamedChannels
} & Pick<ReplyOf<typeof insightsSummary>, 'platforms' | 'apart' | 'range'>

/** What is looked at after the totals. */
function Below({ ids, query, filters, channels, platforms, apart, range }: BelowProps) {
  const zone = useProjectZone()
  return (
    <>
      <BestPosts
        ids={ids}
        query={query}
        filters={filters}
        channels={channels}
        by="engagements"
        beside={['viewsAndImpressions', 'engagementRate']}
      />
      <ByChannel ids={ids} query={query} filters={filters} channels={channels} />
      <AudiencePanel ids={ids} filters={filters} channels={channels} most={2} />
      <FoldedPanel
        title="By platform"
        name="by-platform"
        aside={<span className="text-sm text-ink-muted">In these days</span>}
      >
        <ByPlatform
          ids={ids}
          platforms={platforms}
          apart={apart.map(({ platform }) => platform)}
          filters={filters}
          than={thanText(range.compare)}
        />
      </FoldedPanel>
      <Apart apart={apart} range={range} />
      <NotFinal lines={notFinal([...platforms, ...apart], range, zone)} to={range.to} />
    </>
  )
}
