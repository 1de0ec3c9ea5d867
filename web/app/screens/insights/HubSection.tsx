import ChartLine from 'lucide-react/icons/chart-line'
import { insightsChannels, insightsSummary } from '#contract/analytics/overview.ts'
import { Apart } from '#web/features/insights/Apart.tsx'
import { ByPlatform } from '#web/features/insights/ByPlatform.tsx'
import { CardsToCome } from '#web/features/insights/CardsToCome.tsx'
import { Figures } from '#web/features/insights/Figures.tsx'
import { spanText, thanText } from '#web/features/insights/insightsSearch.ts'
import { useChannels } from '#web/features/insights/useChannels.ts'
import { useFilters } from '#web/features/insights/useFigures.ts'
import { momentOf } from '#web/lib/format.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { AsOf } from '#web/ui/AsOf.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Panel } from '#web/ui/Panel.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { EmptyState } from '#web/ui/states.tsx'

/** Totals with their change, one of them by day, and each platform. */
export function HubSection() {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const { filters, query } = useFilters()
  const channels = useChannels(ids)
  const options = { keepPrevious: true, handles: true } as const
  const summary = useCall(insightsSummary, { params: ids, query }, options)
  const rows = useCall(insightsChannels, { params: ids, query }, options)
  return (
    <Loaded
      query={summary}
      skeleton={<CardsToCome />}
      isEmpty={({ cards, apart }) => cards.every(({ value }) => value === null) && apart.length === 0}
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
      {({ cards, apart, range, asOf }) => {
        const than = thanText(range.compare)
        return (
          <>
            <Panel title={spanText(range)} aside={asOf ? <AsOf zone={zone}>{momentOf(asOf, zone)}</AsOf> : null}>
              <Figures
                ids={ids}
                label="Totals"
                cards={cards}
                query={query}
                channels={channels}
                than={than}
                lines={['platform', 'channel']}
              />
            </Panel>
            <Apart apart={apart} than={than} />
            <Panel title="By platform">
              <Loaded query={rows} skeleton={<SkeletonRows rows={3} label="Loading platforms" />}>
                {({ channels: all }) => (
                  <ByPlatform
                    ids={ids}
                    // platforms that may not be compared are on their own, above
                    channels={all.filter((one) => apart.every(({ platform }) => platform !== one.platformName))}
                    filters={filters}
                    than={than}
                  />
                )}
              </Loaded>
            </Panel>
          </>
        )
      }}
    </Loaded>
  )
}
