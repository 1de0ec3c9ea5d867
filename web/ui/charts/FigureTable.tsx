import type { ChartData } from '#charts/data.ts'
import { notesOf } from '#charts/notes.ts'
import { valueText } from '#contract/values.ts'
import { dayText, shortWeekday } from '#web/lib/dates.ts'
import { Table, type Column } from '../Table.tsx'

/** A chart's data as a table. */
export function FigureTable({ label, data }: { label: string; data: ChartData }) {
  const { axis, series, unit } = data
  const isDays = axis.kind === 'days'
  const hasNotes = axis.keys.some((_, i) => notesOf(data, i).length > 0)
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
    ...series.map(({ key, name, values, days, unit: own = unit }): Column<number> => ({
      key,
      header: name,
      align: 'end',
      className: 'tnum',
      cell: (row) => (
        <>
          {days?.[row] === undefined ? null : (
            <span className="mr-2 text-sm text-ink-muted">{dayText(days[row]).slice(0, 6)}</span>
          )}
          {valueText(values[row] ?? null, own)}
        </>
      ),
    })),
    ...(hasNotes
      ? [
          {
            key: 'notes',
            header: 'Notes',
            className: 'text-sm text-ink-muted',
            cell: (row: number) => notesOf(data, row).join('; '),
          },
        ]
      : []),
  ]
  return <Table slim label={label} rows={axis.keys.map((_, i) => i)} rowKey={String} columns={columns} />
}
