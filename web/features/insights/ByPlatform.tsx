import type { ComparedFigure } from '#contract/analytics/filter.ts'
import { baseText, cardTitle, figureText } from '#contract/analytics/labels.ts'
import type { FigureBase, FigureKey } from '#contract/analytics/names.ts'
import type { insightsSummary } from '#contract/analytics/overview.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { count } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Link } from '#web/ui/Link.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { Table } from '#web/ui/Table.tsx'
import { BaseHeader } from './BaseHeader.tsx'
import { changeOf, FigureCell } from './FigureCell.tsx'
import type { InsightsFilters } from './insightsSearch.ts'

type Row = ReplyOf<typeof insightsSummary>['platforms'][number]

const columns: readonly { base: FigureBase; name: FigureKey }[] = [
  { base: 'postsPublished', name: 'published' },
  { base: 'inTheseDays', name: 'viewsAndImpressions' },
  { base: 'inTheseDays', name: 'engagements' },
  { base: 'inTheseDays', name: 'followers' },
]
const namesIn = (base: FigureBase): FigureKey[] =>
  columns.flatMap((column) => (column.base === base ? column.name : []))
/** The figures that the table needs of each platform. */
export const platformColumns = { byPlatform: namesIn('inTheseDays'), postsByPlatform: namesIn('postsPublished') }

type Props = {
  ids: ProjectIds
  platforms: readonly Row[]
  /** Platforms whose other figures are on their own. */
  apart: readonly PlatformKey[]
  filters: InsightsFilters
  than: string
}

/** Each platform's channels together. Within one platform, its own figures can be added. */
export function ByPlatform({ ids, platforms, apart, filters, than }: Props) {
  const seen = (row: Row) => figureOf(row, { base: 'inTheseDays', name: 'viewsAndImpressions' })?.value ?? -1
  const own = platforms.filter(({ platform }) => apart.includes(platform))
  return (
    <>
      <Table
        label="By platform"
        figures
        rows={platforms.toSorted((one, other) => seen(other) - seen(one))}
        rowKey={({ platform }) => platform}
        columns={[
          {
            key: 'platform',
            header: 'Platform',
            cell: ({ platform, channels }) => (
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
                  <span className="ml-2 text-sm text-ink-muted">{count(channels, 'channel')}</span>
                </span>
              </span>
            ),
          },
          ...columns.map((column) => ({
            key: `${column.base} ${column.name}`,
            header: (
              <BaseHeader title={cardTitle(column.base, column.name)} base={baseText(column.base, column.name)} />
            ),
            align: 'end' as const,
            cell: (row: Row) => {
              const figure = figureOf(row, column)
              return <FigureCell value={figureText(column.name, figure?.value)} change={changeOf(figure, than)} />
            },
          })),
        ]}
      />
      {own.length === 0 ? null : (
        <p className="text-sm text-pretty text-ink-muted">
          Of {own.map(({ platform }) => platformName(platform)).join(' and ')}, only the published posts are here. The
          other figures are below, on their own, by {own.length === 1 ? 'its' : 'their'} terms.
        </p>
      )}
    </>
  )
}

const figureOf = ({ figures }: Row, { base, name }: (typeof columns)[number]): ComparedFigure | undefined =>
  figures.find((one) => one.base === base && one.name === name)
