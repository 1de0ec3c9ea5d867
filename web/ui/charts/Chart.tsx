import { clsx } from 'clsx'
import ChartNoAxesColumn from 'lucide-react/icons/chart-no-axes-column'
import Download from 'lucide-react/icons/download'
import Table2 from 'lucide-react/icons/table-2'
import { useState } from 'react'
import type { Series } from '#charts/data.ts'
import { colorOf, COMPARED_DASH, dashOf } from '#charts/style.ts'
import { csvOf, tableOf } from '#charts/table.ts'
import { saveFile } from '#web/lib/saveFile.ts'
import { Button } from '../Button.tsx'
import { IconButton } from '../IconButton.tsx'
import type { FigureProps, Looks } from './figureProps.ts'
import { FigureTable } from './FigureTable.tsx'
import { Plot } from './Plot.tsx'
import { RowsPlot } from './RowsPlot.tsx'

type Props = FigureProps & { height: number }

/** The chart itself: legend, drawing or table, and the file. */
export default function Chart({ label, data, shape, colors, height }: Props) {
  const [asTable, setAsTable] = useState(false)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const own = data.series.filter(({ comparedWith }) => comparedWith === undefined)
  const looks = new Map(own.map(({ key }, order) => [key, { order, color: colors?.[key] ?? colorOf(order) }]))
  const toggle = (key: string) => {
    const next = new Set(hidden)
    if (!next.delete(key)) next.add(key)
    // an empty chart says nothing: hiding the last series shows all
    setHidden(data.series.every((one) => next.has(one.key)) ? new Set() : next)
  }
  const shown = { ...data, series: data.series.filter(({ key }) => !hidden.has(key)) }
  return (
    <>
      <div className="flex h-10 items-start justify-between gap-2">
        <Legend label={label} series={data.series} hidden={hidden} looks={looks} shape={shape} onToggle={toggle} />
        <span className="-mr-1.5 flex shrink-0 items-center">
          <Button
            size="s"
            tone="quiet"
            icon={asTable ? <ChartNoAxesColumn size={14} aria-hidden /> : <Table2 size={14} aria-hidden />}
            onClick={() => setAsTable(!asTable)}
            aria-label={`Show ${label} as a ${asTable ? 'chart' : 'table'}`}
          >
            {asTable ? 'Chart' : 'Table'}
          </Button>
          <IconButton
            size="s"
            label={`Download ${label} as CSV`}
            icon={<Download size={14} />}
            onClick={() => saveFile(`${fileName(label)}.csv`, csvOf(tableOf(data)), 'text/csv;charset=utf-8')}
          />
        </span>
      </div>
      {asTable ? (
        <FigureTable label={label} data={data} />
      ) : shape === 'rows' ? (
        <RowsPlot label={label} data={data} height={height} />
      ) : (
        <Plot label={label} data={shown} shape={shape} looks={looks} height={height} />
      )}
    </>
  )
}

/** Several series can be hidden one by one; a single one is only named. */
function Legend({
  label,
  series,
  hidden,
  looks,
  shape,
  onToggle,
}: {
  label: string
  series: readonly Series[]
  hidden: ReadonlySet<string>
  looks: Looks
  shape: Props['shape']
  onToggle: (key: string) => void
}) {
  const row = 'flex h-7 shrink-0 items-center gap-1.5 whitespace-nowrap'
  const sample = ({ key, comparedWith }: Series) => {
    const { order, color } = looks.get(comparedWith ?? key) ?? { order: 0, color: colorOf(0) }
    return <Sample shape={shape} color={color} dash={comparedWith ? COMPARED_DASH : dashOf(order)} />
  }
  return (
    <ul
      aria-label={`${label}: legend`}
      className="no-scrollbar -ml-1.5 flex min-w-0 gap-x-1 overflow-x-auto p-0.5 text-sm"
    >
      {series.map((one) => (
        <li key={one.key}>
          {series.length === 1 ? (
            <span className={clsx(row, 'px-1.5 text-ink-muted')}>
              {sample(one)}
              {one.name}
            </span>
          ) : (
            <button
              type="button"
              aria-pressed={!hidden.has(one.key)}
              onClick={() => onToggle(one.key)}
              className={clsx(
                row,
                'rounded-sm px-1.5 hover:bg-hover focus-visible:outline-offset-0',
                hidden.has(one.key) ? 'text-ink-faint line-through' : 'text-ink-muted',
              )}
            >
              {sample(one)}
              {one.name}
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

function Sample({ shape, color, dash }: { shape: Props['shape']; color: string; dash: string }) {
  return (
    <svg width={18} height={10} aria-hidden className="shrink-0">
      {shape === 'line' ? (
        <line
          x1={1}
          x2={17}
          y1={5}
          y2={5}
          stroke={color}
          strokeWidth={2.5}
          strokeDasharray={dash}
          strokeLinecap="round"
        />
      ) : (
        <rect x={4} width={10} height={10} rx={3} fill={color} />
      )}
    </svg>
  )
}

const fileName = (label: string): string =>
  label
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
