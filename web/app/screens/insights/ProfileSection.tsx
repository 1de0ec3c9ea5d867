import { getRouteApi } from '@tanstack/react-router'
import ChartLine from 'lucide-react/icons/chart-line'
import { allChannels, type Channel } from '#contract/channels.ts'
import { insightsSummary } from '#contract/analytics/overview.ts'
import { bestBy } from '#contract/analytics/bestBy.ts'
import BestPosts from '#web/features/insights/BestPosts.tsx'
import { CardsToCome } from '#web/features/insights/CardsToCome.tsx'
import { Figures } from '#web/features/insights/Figures.tsx'
import { FirstFigures } from '#web/features/insights/FirstFigures.tsx'
import { ownCards, spanText } from '#web/features/insights/insightsSearch.ts'
import { NoChannels } from '#web/features/insights/NoChannels.tsx'
import { platformNotes } from '#web/features/insights/platformNotes.ts'
import { Reach } from '#web/features/insights/reach/Reach.tsx'
import { Audience, audienceTitle } from '#web/features/insights/profile/Audience.tsx'
import { BestTimes } from '#web/features/insights/profile/BestTimes.tsx'
import { Cadence } from '#web/features/insights/profile/Cadence.tsx'
import { ChannelPicker } from '#web/features/insights/profile/ChannelPicker.tsx'
import { Growth } from '#web/features/insights/profile/Growth.tsx'
import { pathOf, sectionOf } from '#web/features/insights/sections.ts'
import { useChannels } from '#web/features/insights/useChannels.ts'
import { useFilters } from '#web/features/insights/useFigures.ts'
import { useToday } from '#web/features/insights/useToday.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { AsOf } from '#web/ui/AsOf.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Panel } from '#web/ui/Panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'

const route = getRouteApi('/$orgId/project/$projectId/insights/$')

/** One channel over time: its figures, growth, cadence, best times and audience. Without a channel in the address, the first one. */
export default function ProfileSection() {
  const ids = useProjectIds()
  const { _splat: path } = route.useParams()
  const section = sectionOf(path ?? '')
  const wanted = section?.key === 'profile' ? section.channelId : undefined
  const found = useCall(allChannels, { params: ids }, { handles: true })
  return (
    <Loaded
      query={found}
      skeleton={<CardsToCome isOnePlatform />}
      isEmpty={({ channels }) => channels.length === 0}
      empty={<NoChannels />}
    >
      {({ channels }) => {
        const channel = wanted === undefined ? channels[0] : channels.find(({ channelId }) => channelId === wanted)
        return channel ? <Profile key={channel.channelId} channel={channel} /> : <NotFound />
      }}
    </Loaded>
  )
}

function Profile({ channel }: { channel: Channel }) {
  const { channelId, platformName: platform } = channel
  const ids = useProjectIds()
  const zone = useProjectZone()
  const today = useToday()
  const navigate = route.useNavigate()
  const channels = useChannels(ids)
  const { filters: address, query: filters } = useFilters()
  const query = { ...filters, channelIds: [channelId] }
  const { compareFrom: _, compareTo: __, ...days } = query
  const summary = useCall(insightsSummary, { params: ids, query }, { keepPrevious: true, handles: true })
  return (
    <>
      <ChannelPicker
        channel={channel}
        channels={channels}
        onChoose={(chosen) =>
          void navigate({
            params: (before) => ({ ...before, _splat: pathOf({ key: 'profile', channelId: chosen }) }),
            search: (before) => before,
          })
        }
      />
      <Loaded query={summary} skeleton={<CardsToCome isOnePlatform />}>
        {(data) => {
          // what may not be added to others is its own here
          const missing = data.missing.filter(({ reason }) => reason !== 'termsForbid')
          const { range, asOf } = data
          return (
            <FirstFigures cards={ownCards(data)} query={query} onArrived={() => void summary.refetch()}>
              <Panel title={spanText(range)} aside={asOf ? <AsOf at={asOf} zone={zone} days /> : null}>
                <Figures
                  ids={ids}
                  label={channel.channelName}
                  cards={ownCards(data)}
                  missing={missing}
                  query={query}
                  channels={channels}
                  range={range}
                  lines={[]}
                  platform={platform}
                  beside={<Reach ids={ids} query={query} platform={platform} channels={channels} />}
                />
                <p className="text-sm text-pretty text-ink-muted">
                  {platformNotes(platform, zone, channel.kind).join(' ')}
                </p>
              </Panel>
              <BestPosts
                ids={ids}
                query={query}
                filters={{ ...address, channelIds: [channelId] }}
                channels={channels}
                platform={platform}
                {...bestBy(platform, data.apart.length > 0)}
              />
              <Panel title="Growth">
                <Growth ids={ids} query={days} platform={platform} kind={channel.kind} missing={missing} />
              </Panel>
            </FirstFigures>
          )
        }}
      </Loaded>
      <Panel title="Cadence">
        <Cadence ids={ids} query={days} today={today} />
      </Panel>
      <Panel title="Best times">
        <BestTimes ids={ids} channelId={channelId} platform={platform} today={today} />
      </Panel>
      <Panel title={audienceTitle}>
        <Audience ids={ids} channelId={channelId} />
      </Panel>
    </>
  )
}

function NotFound() {
  const ids = useProjectIds()
  return (
    <EmptyState
      icon={<ChartLine size={20} />}
      title="Channel not found"
      action={
        <ButtonLink
          to="/$orgId/project/$projectId/insights/$"
          params={{ ...ids, _splat: pathOf({ key: 'profile' }) }}
          search={(before) => before}
        >
          Show another channel
        </ButtonLink>
      }
    >
      It was deleted, or you don&apos;t have access to it.
    </EmptyState>
  )
}
