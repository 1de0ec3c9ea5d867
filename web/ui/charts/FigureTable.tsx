import type { ChartData } from '#charts/data.ts'
import { valueText } from '#contract/values.ts'
import { dayText, shortWeekday } from '#web/lib/dates.ts'
import { Table, type Column } from '../Table.tsx'

/** A chart's data as a table. */
export function FigureTable({ label, data: { axis, series, unit } }: { label: string; data: ChartData }) {
  const isDays = axis.kind === 'days'
  const columns: Column<number>[] = [
    {
      key: 'of',
      header: isDays ? 'Day' : 'Name',
      className: isDays ? 'whitespace-nowrap' : '',
      cell: (row) => {
        const key = axis.keys[row] ?? ''
        return isDays ? `${shortWeekday(key)} ${dayText(key)}` : key
      },
    },
    ...series.map(({ key, name, values }): Column<number> => ({
      key,
      header: name,
      align: 'end',
      className: 'tnum',
      cell: (row) => valueText(values[row] ?? null, unit),
    })),
  ]
  return <Table slim label={label} rows={axis.keys.map((_, i) => i)} rowKey={String} columns={columns} />
}
