import { cardTitle } from '#contract/analytics/labels.ts'
import { insightsChannels, insightsSeries } from '#contract/analytics/overview.ts'
import { allChannels } from '#contract/channels.ts'
import { platformKeys } from '#contract/platforms/rules.ts'
import { Benchmarks } from '#web/features/insights/benchmarks/Benchmarks.tsx'
import { figuresOf, isSameEverywhere } from '#web/features/insights/benchmarks/benchmarks.ts'
import { NoChannels } from '#web/features/insights/NoChannels.tsx'
import { useTogether } from '#web/features/insights/benchmarks/useTogether.ts'
import { FigureChoice } from '#web/features/insights/FigureChoice.tsx'
import { useChannels } from '#web/features/insights/useChannels.ts'
import { useChosenFigure, useFilters } from '#web/features/insights/useFigures.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'

/** Channels against each other, their own past, and the median of their platform, by one figure. */
export default function BenchmarkingSection() {
  const ids = useProjectIds()
  const { query } = useFilters()
  const channels = useChannels(ids)
  const [wanted, choose] = useChosenFigure()
  const [together, onTogether] = useTogether()
  const known = useCall(allChannels, { params: ids }, { handles: true })
  // a role without the list of channels still has their figures
  const options = figuresOf(known.data?.channels.map(({ platformName }) => platformName) ?? platformKeys)
  const chosen = options.find(({ base, name }) => base === wanted?.base && name === wanted.name) ?? options[0]
  const figure = chosen ?? { base: 'postsPublished', name: 'published' }
  const { name } = figure
  // the rate isn't worked out by day
  const hasDays = name !== 'engagementRate'
  // another figure's reply isn't kept meanwhile: it has no values of this one
  const reading = { handles: true, enabled: !known.isPending } as const
  const found = useCall(insightsChannels, { params: ids, query: { ...query, names: [name] } }, reading)
  const { compareFrom: _, compareTo: __, ...days } = query
  const byDay = useCall(
    insightsSeries,
    { params: ids, query: { ...days, base: figure.base, names: [name], by: 'channel' } },
    { ...reading, enabled: reading.enabled && hasDays },
  )
  const canBeTogether = isSameEverywhere(name)
  return (
    <>
      {chosen && !known.isPending ? (
        <div className="flex flex-wrap items-center gap-2">
          <FigureChoice
            value={chosen}
            options={options.map((one) => ({ ...one, title: cardTitle(one.base, one.name) }))}
            onChange={choose}
          />
          {canBeTogether ? (
            <Segmented
              label="Order"
              value={together ? 'together' : 'apart'}
              options={[
                { value: 'apart', label: 'By platform' },
                { value: 'together', label: 'All channels' },
              ]}
              onChange={(next) => onTogether(next === 'together')}
            />
          ) : null}
        </div>
      ) : null}
      <Loaded
        query={found}
        skeleton={<SkeletonRows label="Loading figures" />}
        isEmpty={(reply) => reply.channels.length === 0}
        empty={<NoChannels />}
      >
        {(reply) => (
          <Benchmarks
            reply={reply}
            figure={figure}
            together={together && canBeTogether}
            sparks={hasDays ? new Map(byDay.data?.series.map(({ key, values }) => [key, values])) : undefined}
            channels={channels}
          />
        )}
      </Loaded>
    </>
  )
}
