import type { insightsChannels } from '#contract/analytics/overview.ts'
import { figureText, figureTitle } from '#contract/analytics/labels.ts'
import type { FigureKey, FigureSubject } from '#contract/analytics/names.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { percentChange } from '#contract/format.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { count } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Change } from '#web/ui/Change.tsx'
import { Link } from '#web/ui/Link.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { Table } from '#web/ui/Table.tsx'
import type { InsightsFilters } from './insightsSearch.ts'

type Channels = ReplyOf<typeof insightsChannels>['channels']
type Row = { platform: PlatformKey; channels: Channels }

const columns: readonly { subject: FigureSubject; name: FigureKey }[] = [
  { subject: 'post', name: 'published' },
  { subject: 'post', name: 'viewsAndImpressions' },
  { subject: 'post', name: 'engagements' },
  { subject: 'channel', name: 'followers' },
]

type Props = { ids: ProjectIds; channels: Channels; filters: InsightsFilters; than: string }

/** Each platform's channels together. Within one platform, its own figures can be added. */
export function ByPlatform({ ids, channels, filters, than }: Props) {
  const rows = [...Map.groupBy(channels, ({ platformName: platform }) => platform)]
    .map(([platform, own]): Row => ({ platform, channels: own }))
    .toSorted((one, other) => (sumOf(other, columns[1], 'value') ?? -1) - (sumOf(one, columns[1], 'value') ?? -1))
  return (
    <Table
      label="By platform"
      rows={rows}
      rowKey={({ platform }) => platform}
      columns={[
        {
          key: 'platform',
          header: 'Platform',
          cell: ({ platform, channels: own }) => (
            <span className="flex min-w-0 items-center gap-2.5">
              <PlatformIcon platform={platform} size={20} named />
              <span className="min-w-0">
                <Link
                  to="/$orgId/project/$projectId/insights/$"
                  params={{ ...ids, _splat: `platform/${platform}` }}
                  search={filters}
                >
                  {platformName(platform)}
                </Link>
                <span className="ml-2 text-sm text-ink-muted">{count(own.length, 'channel')}</span>
              </span>
            </span>
          ),
        },
        ...columns.map((column) => ({
          key: `${column.subject} ${column.name}`,
          header: figureTitle(column.subject, column.name),
          align: 'end' as const,
          className: 'tnum',
          cell: (row: Row) => {
            const [value, before] = [sumOf(row, column, 'value'), sumOf(row, column, 'before')]
            const percent = value === null || before === null ? undefined : percentChange(value, before)
            return (
              <span className="inline-flex items-baseline gap-2">
                {percent === undefined ? null : <Change percent={Number(percent)} than={than} />}
                <span className="font-semibold">{figureText(column.name, value)}</span>
              </span>
            )
          },
        })),
      ]}
    />
  )
}

/** Null if none of the channels has the figure. */
function sumOf(
  { channels }: Row,
  column: (typeof columns)[number] | undefined,
  part: 'value' | 'before',
): number | null {
  const values = channels.flatMap(({ figures }) => {
    const figure = figures.find((one) => one.subject === column?.subject && one.name === column.name)
    const value = figure?.[part] ?? null
    return value === null ? [] : [value]
  })
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0)
}
