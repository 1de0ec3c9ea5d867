import type { InsightsRange } from '#contract/analytics/filter.ts'
import { figureText } from '#contract/analytics/labels.ts'
import type { InsightsChannel } from '#contract/analytics/overview.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Spark } from '#web/ui/charts/Spark.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { changeOf, FigureCell } from '../FigureCell.tsx'
import { thanText } from '../insightsSearch.ts'
import { sparkOf } from '../sparkDays.ts'
import { knownDaysText } from './benchmarkWords.ts'
import { extentOf, type BenchmarkGroup, type BenchmarkRow } from './benchmarks.ts'
import { Standing } from './Standing.tsx'

type Props = {
  label: string
  /** The figure's name above the values. */ title: string
  group: BenchmarkGroup
  range: InsightsRange
  /** Values by day of each channel; undefined if there are none to show. */
  sparks: ReadonlyMap<string, readonly (number | null)[]> | undefined
  nameOf: (channel: InsightsChannel) => string
}

/** Channels in one order: their days, value, change against their own past, and where they are against the median. */
export function BenchmarkTable({ label, title, group, range, sparks, nameOf }: Props) {
  const { median } = group
  const extent = extentOf(group)
  const columns: Column<BenchmarkRow>[] = [
    {
      key: 'channel',
      header: 'Channel',
      className: 'rows:w-[30%]',
      cell: ({ channel }) => (
        <span className="flex min-w-0 items-center gap-2.5">
          <Avatar name={channel.channelName} src={channel.profileUrl} size={26} />
          <span className="min-w-0">
            <span className="flex min-w-0 items-center gap-1.5">
              <PlatformIcon platform={channel.platformName} size={14} named={group.platform !== null} />
              <span dir="auto" className="truncate font-medium">
                {nameOf(channel)}
              </span>
            </span>
            <span dir="auto" className="block truncate text-sm text-ink-muted">
              {channel.handle}
              {channel.deleted ? ' (deleted)' : channel.status === 'CONNECTED' ? '' : ' (disconnected)'}
            </span>
          </span>
        </span>
      ),
    },
    ...(sparks
      ? [
          {
            key: 'days',
            header: 'By day',
            cell: ({ channel, figure }: BenchmarkRow) => (
              <Spark
                label={`${title} of ${nameOf(channel)} by day`}
                values={sparkOf(figure, sparks.get(channel.channelId), range) ?? []}
              />
            ),
          },
        ]
      : []),
    {
      key: 'value',
      header: title,
      align: 'end',
      cell: ({ figure }) => (
        <FigureCell
          value={figureText(figure.name, figure.value)}
          change={changeOf(figure, thanText(range.compare))}
          note={knownDaysText(figure)}
        />
      ),
    },
    ...(median
      ? [
          {
            key: 'standing',
            header: 'Against the median',
            cell: ({ figure }: BenchmarkRow) => <Standing figure={figure} median={median} extent={extent} />,
          },
        ]
      : []),
  ]
  return <Table figures label={label} rows={group.rows} rowKey={({ channel }) => channel.channelId} columns={columns} />
}
