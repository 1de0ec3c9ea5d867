import { insightsSummary } from '#contract/analytics/overview.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import AudiencePanel from '#web/features/insights/AudiencePanel.tsx'
import { bestBy } from '#contract/analytics/bestBy.ts'
import BestPosts from '#web/features/insights/BestPosts.tsx'
import ByChannel from '#web/features/insights/ByChannel.tsx'
import { notFinal } from '#web/features/insights/finality.ts'
import { NotFinal } from '#web/features/insights/NotFinal.tsx'
import { CardsToCome } from '#web/features/insights/CardsToCome.tsx'
import { Figures } from '#web/features/insights/Figures.tsx'
import { FirstFigures } from '#web/features/insights/FirstFigures.tsx'
import { ownCards, spanText } from '#web/features/insights/insightsSearch.ts'
import { platformNotes } from '#web/features/insights/platformNotes.ts'
import { Reach } from '#web/features/insights/reach/Reach.tsx'
import { useChannels } from '#web/features/insights/useChannels.ts'
import { useFilters } from '#web/features/insights/useFigures.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { AfterPaint } from '#web/ui/AfterPaint.tsx'
import { AsOf } from '#web/ui/AsOf.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Panel } from '#web/ui/Panel.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'

/** One platform's figures in its own terms, all of them; its best posts, its channels, and what can still change. */
export default function PlatformSection({ platform }: { platform: PlatformKey }) {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const { filters, query } = useFilters(platform)
  const own = { ...filters, platforms: [platform] }
  const channels = useChannels(ids)
  const summary = useCall(insightsSummary, { params: ids, query }, { keepPrevious: true, handles: true })
  return (
    <Loaded query={summary} skeleton={<CardsToCome isOnePlatform />}>
      {(data) => {
        const { range, asOf } = data
        const cards = ownCards(data)
        const isApart = data.apart.length > 0
        return (
          <FirstFigures cards={cards} query={query} onArrived={() => void summary.refetch()}>
            <Panel title={spanText(range)} aside={asOf ? <AsOf at={asOf} zone={zone} days /> : null}>
              <Figures
                whole
                ids={ids}
                label={platformName(platform)}
                cards={cards}
                // what may not be added to others is its own here
                missing={data.missing.filter(({ reason }) => reason !== 'termsForbid')}
                query={query}
                channels={channels}
                range={range}
                lines={['channel']}
                platform={platform}
                beside={<Reach ids={ids} query={query} platform={platform} channels={channels} />}
              />
              <p className="text-sm text-pretty text-ink-muted">{platformNotes(platform, zone).join(' ')}</p>
            </Panel>
            <AfterPaint>
              <BestPosts
                ids={ids}
                query={query}
                filters={own}
                channels={channels}
                platform={platform}
                {...bestBy(platform, isApart)}
              />
              <ByChannel
                ids={ids}
                query={query}
                filters={filters}
                channels={channels}
                platform={platform}
                isApart={isApart}
              />
              <AudiencePanel ids={ids} filters={filters} channels={channels} platform={platform} />
              <NotFinal lines={notFinal([{ platform, figures: cards }], range, zone)} to={range.to} />
            </AfterPaint>
          </FirstFigures>
        )
      }}
    </Loaded>
  )
}
