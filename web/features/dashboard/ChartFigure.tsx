import ChartNoAxesColumn from 'lucide-react/icons/chart-no-axes-column'
import Table2 from 'lucide-react/icons/table-2'
import { lazy, Suspense, useState } from 'react'
import { dayText, shortWeekday } from '#web/lib/dates.ts'
import { Button } from '#web/ui/Button.tsx'
import { Contained } from '#web/ui/Contained.tsx'
import { Table } from '#web/ui/Table.tsx'
import type { Series } from './DayChart.tsx'

// after the text: the numbers above are on screen while the chart loads
const DayChart = lazy(() => import('./DayChart.tsx'))

type Props = {
  /** Names chart and table. */ label: string
  days: readonly string[]
  series: readonly Series[]
  shape: 'bars' | 'line'
}

/** Numbers by day: as a chart, or as a table with the same data. */
export function ChartFigure({ label, days, series, shape }: Props) {
  const [asTable, setAsTable] = useState(false)
  return (
    <div className="grid min-w-0 gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-muted">
          {series.map(({ key, name, color }) => (
            <li key={key} className="flex items-center gap-1.5">
              <span aria-hidden className="size-2.5 rounded-[3px]" style={{ background: color }} />
              {name}
            </li>
          ))}
        </ul>
        <Button
          size="s"
          tone="quiet"
          className="-mr-2.5"
          icon={asTable ? <ChartNoAxesColumn size={14} aria-hidden /> : <Table2 size={14} aria-hidden />}
          onClick={() => setAsTable(!asTable)}
          aria-label={`Show ${label} as a ${asTable ? 'chart' : 'table'}`}
        >
          {asTable ? 'Chart' : 'Table'}
        </Button>
      </div>
      {asTable ? (
        <Table
          slim
          label={label}
          rows={days.map((day, i) => ({ day, i }))}
          rowKey={({ day }) => day}
          columns={[
            {
              key: 'day',
              header: 'Day',
              className: 'whitespace-nowrap',
              cell: ({ day }) => `${shortWeekday(day)} ${dayText(day)}`,
            },
            ...series.map(({ key, name, values }) => ({
              key,
              header: name,
              align: 'end' as const,
              className: 'tnum',
              cell: ({ i }: { i: number }) => (values[i] ?? 0).toLocaleString('en'),
            })),
          ]}
        />
      ) : (
        <Contained
          fallback={<p className="text-ink-muted">The chart couldn't be loaded. The table shows the same data.</p>}
        >
          <Suspense fallback={<div className="h-44" />}>
            <DayChart label={label} days={days} series={series} shape={shape} />
          </Suspense>
        </Contained>
      )}
    </div>
  )
}
