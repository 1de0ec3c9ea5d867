import { insightsSeries } from '#contract/analytics/overview.ts'
import type { InsightsFilter } from '#contract/analytics/filter.ts'
import { addsOf, figureTitle, shownValue, termOf, unitOf } from '#contract/analytics/labels.ts'
import type { FigureKey, FigureSubject } from '#contract/analytics/names.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import type { ChartData, Series } from '#charts/data.ts'
import { dayText } from '#web/lib/dates.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { ChartFigure } from '#web/ui/charts/ChartFigure.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { spanText } from './insightsSearch.ts'
import { breakText } from './insightWords.ts'
import type { NamedChannels } from './useChannels.ts'
import type { Lines } from './useFigures.ts'

type Props = {
  ids: ProjectIds
  query: InsightsFilter
  subject: FigureSubject
  name: FigureKey
  by: Lines
  channels: NamedChannels
  /** Says it in this platform's own term. */ platform?: PlatformKey
}
type Reply = ReplyOf<typeof insightsSeries>

/** The drawing with its bar, and room for the note on breaks. */
const HEIGHT = 'min-h-55'

/**
 * One figure by day: in total with the compared days dashed, or a line for each platform or channel. What the platforms
 * changed is marked.
 */
export function ByDay({ ids, query, subject, name, by, channels, platform }: Props) {
  const { compareFrom, compareTo, ...days } = query
  const options = { keepPrevious: true, handles: true } as const
  // a platform whose figures may not be added to others' has no total, but a line of its own
  const asked = platform && by === 'total' && name !== 'published' ? 'platform' : by
  const found = useCall(insightsSeries, { params: ids, query: { ...days, subject, names: [name], by: asked } }, options)
  const compares = by === 'total' && compareFrom !== undefined && compareTo !== undefined
  const before = useCall(
    insightsSeries,
    { params: ids, query: { ...days, from: compareFrom, to: compareTo, subject, names: [name], by: asked } },
    { ...options, enabled: compares },
  )
  const title = platform ? termOf(platform, subject, name) : figureTitle(subject, name)
  const label = `${title} by day`
  return (
    <div className={HEIGHT}>
      <Loaded query={found} skeleton={<div className={HEIGHT} />}>
        {(lines) => {
          const data = chartOf(lines, compares ? before.data : undefined, { name, title, by, channels })
          return (
            <>
              <ChartFigure label={label} shape="line" data={data} />
              <Breaks lines={lines} />
            </>
          )
        }}
      </Loaded>
    </div>
  )
}

function chartOf(
  lines: Reply,
  before: Reply | undefined,
  { name, title, by, channels }: { name: FigureKey; title: string; by: Lines; channels: NamedChannels },
): ChartData {
  const shown = (values: readonly (number | null)[]) => values.map((value) => shownValue(name, value))
  const own = lines.series.map(({ key, values }): Series => ({
    key,
    name:
      by === 'total'
        ? title
        : by === 'channel'
          ? (channels.get(key)?.shownName ?? 'A deleted channel')
          : nameOfPlatform(key),
    values: shown(values),
  }))
  const first = own[0]
  const compared = before?.series[0]
  // day by day from the first: the second Monday beside the first one
  const series =
    first && compared
      ? [
          ...own,
          {
            key: 'before',
            name: spanText(before.range),
            values: lines.days.map((_, i) => shownValue(name, compared.values[i] ?? null)),
            comparedWith: first.key,
          },
        ]
      : own
  return {
    axis: { kind: 'days', keys: lines.days },
    series,
    unit: unitOf(name).unit,
    adds: addsOf(name),
    breaks: lines.breaks.map(({ date, platform, note }) => ({
      at: date,
      text: `${platformName(platform)}: ${breakText(note)}`,
    })),
  }
}

const nameOfPlatform = (key: string): string => {
  const platform = PlatformKey.safeParse(key)
  return platform.success ? platformName(platform.data) : key
}

/** What the platforms changed in these days, below the chart. */
function Breaks({ lines }: { lines: Reply }) {
  if (lines.breaks.length === 0) return null
  return (
    <ul className="grid gap-0.5 pt-2 text-sm text-pretty text-ink-muted">
      {lines.breaks.map(({ date, platform, figure, note }) => (
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
