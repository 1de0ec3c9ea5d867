import { insightsEvents } from '#contract/analytics/events.ts'
import { insightsSeries, type InsightsBreak, type InsightsCard } from '#contract/analytics/overview.ts'
import type { InsightsFilter } from '#contract/analytics/filter.ts'
import { addsOf, cardTitle, shownValue, unitOf } from '#contract/analytics/labels.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ChartData, Series } from '#charts/data.ts'
import { dayText } from '#web/lib/dates.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { ChartFigure } from '#web/ui/charts/ChartFigure.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { breaksIn, linesOf, marksOf } from './lines.ts'
import { spanText } from './insightsSearch.ts'
import { breakText } from '#contract/analytics/insightWords.ts'
import type { NamedChannels } from './useChannels.ts'
import type { Lines } from './useFigures.ts'

type Props = {
  ids: ProjectIds
  query: InsightsFilter
  figure: Pick<InsightsCard, 'base' | 'subject' | 'name' | 'holds'>
  by: Lines
  channels: NamedChannels
  /** Says it in this platform's own term. */ platform?: PlatformKey
  /** The last day whose values are final; null if none is. Without it, nothing is said. */ finalUntil?: string | null
}
type Reply = ReplyOf<typeof insightsSeries>

/** The drawing with its bar, and room for the note on breaks. */
const HEIGHT = 'min-h-55 lg:min-h-75'

/**
 * One figure by day: in total with the compared days dashed, or a line for each platform or channel. What the platforms
 * changed is marked.
 */
export function ByDay({ ids, query, figure, by, channels, platform, finalUntil }: Props) {
  const { base, subject, name } = figure
  const { compareFrom, compareTo, ...days } = query
  const options = { keepPrevious: true, handles: true } as const
  // a platform whose figures may not be added to others' has no total, but a line of its own
  const asked = platform && by === 'total' && name !== 'published' ? 'platform' : by
  const found = useCall(
    insightsSeries,
    { params: ids, query: { ...days, base, subject, names: [name], by: asked } },
    options,
  )
  const compares = by === 'total' && compareFrom !== undefined && compareTo !== undefined
  const before = useCall(
    insightsSeries,
    { params: ids, query: { ...days, from: compareFrom, to: compareTo, base, subject, names: [name], by: asked } },
    { ...options, enabled: compares },
  )
  const happened = useCall(insightsEvents, { params: ids, query: days }, options)
  const title = cardTitle(base, name, platform)
  const label = `${title} by day${base === 'postsPublished' && name !== 'published' ? ' of publishing' : ''}`
  return (
    <div className={HEIGHT}>
      <Loaded query={found} skeleton={<div className={HEIGHT} />}>
        {(lines) => {
          const breaks = breaksIn(lines, asked, { holds: figure.holds, channels })
          const data = chartOf(lines, compares ? before.data : undefined, {
            name,
            lineOf: linesOf(by, { title, channels, platform }),
            // posts by day say when posts were published
            events: happened.data ? marksOf(happened.data, { withPosts: name !== 'published' }) : [],
            finalUntil,
            breaks: breaks.map(({ date, platform: one, note }) => ({
              at: date,
              text: `${platformName(one)}: ${breakText(note)}`,
            })),
          })
          return (
            <>
              <ChartFigure label={label} data={data} tall />
              <Breaks of={breaks} />
            </>
          )
        }}
      </Loaded>
    </div>
  )
}

function chartOf(
  reply: Reply,
  before: Reply | undefined,
  {
    name,
    lineOf,
    ...more
  }: { name: FigureKey; lineOf: (key: string) => Pick<Series, 'name' | 'look'> } & Pick<
    ChartData,
    'events' | 'finalUntil' | 'breaks'
  >,
): ChartData {
  const shown = (values: readonly (number | null)[]) => values.map((value) => shownValue(name, value))
  const own = reply.series.map(({ key, values }): Series => ({ key, ...lineOf(key), values: shown(values) }))
  const first = own[0]
  const compared = before?.series[0]
  // day by day from the first: the second Monday beside the first one
  const series =
    first && before && compared
      ? [
          ...own,
          {
            key: 'before',
            name: spanText(before.range),
            values: reply.days.map((_, i) => shownValue(name, compared.values[i] ?? null)),
            days: before.days,
            comparedWith: first.key,
          },
        ]
      : own
  return {
    axis: { kind: 'days', keys: reply.days },
    series,
    unit: unitOf(name).unit,
    adds: addsOf(name),
    ...more,
  }
}

/** What the platforms changed in these days, below the chart. */
function Breaks({ of: breaks }: { of: readonly InsightsBreak[] }) {
  if (breaks.length === 0) return null
  return (
    <ul className="grid gap-0.5 pt-2 text-sm text-pretty text-ink-muted">
      {breaks.map(({ date, platform, figure, note }) => (
        <li key={`${date} ${platform} ${figure}`}>
          <span className="font-medium text-wait">
            {platformName(platform)}, {dayText(date)}:
          </span>{' '}
          {breakText(note)}
        </li>
      ))}
    </ul>
  )
}
