import { useMemo, useState, type PointerEvent } from 'react'
import type { ChartData, HeatData } from '#charts/data.ts'
import { drawHeat, heatElements, heatText, type HeatDrawing } from '#charts/heat.ts'
import { heatSummary } from '#charts/table.ts'
import { ChartTools } from './ChartTools.tsx'
import { Elements, token } from './Elements.tsx'
import { FigureTable } from './FigureTable.tsx'
import { HeatScale } from './HeatScale.tsx'
import { useSize } from './useSize.ts'

type Props = {
  /** Names the chart, its table and its file. */ label: string
  heat: HeatData
  /** The same as a list, for the table and the file. */ data: ChartData
  /** What the values are, beside their scale. */ of: string
  /** Below the map while no cell is chosen. */ hint: string
}

/** A heat map, as a table with the same data, and as a CSV file. The pointer and the arrow keys read its cells. */
export function HeatFigure({ label, heat, data, of, hint }: Props) {
  const [asTable, setAsTable] = useState(false)
  return (
    <div className="min-w-0">
      <div className="flex min-h-10 items-start justify-between gap-x-3">
        {asTable ? null : <HeatScale heat={heat} of={of} />}
        <ChartTools label={label} data={data} asTable={asTable} onTable={setAsTable} />
      </div>
      {asTable ? <FigureTable label={label} data={data} /> : <HeatPlot label={label} heat={heat} hint={hint} />}
    </div>
  )
}

function HeatPlot({ label, heat, hint }: Omit<Props, 'data' | 'of'>) {
  const [measure, size] = useSize()
  const [chosen, setChosen] = useState<number>()
  const drawing = useMemo(() => (size && size.width > 0 ? drawHeat(heat, size) : undefined), [heat, size])
  const columns = heat.columns.length
  const textOf = (cell: number) => heatText(heat, Math.floor(cell / columns), cell % columns)
  const follow = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    setChosen(drawing && cellAt(drawing, event.clientX - box.left, event.clientY - box.top))
  }
  return (
    <>
      <div ref={measure} className="relative h-60 min-w-0">
        {drawing ? (
          <>
            <svg
              width={drawing.width}
              height={drawing.height}
              role="img"
              aria-label={heatSummary(label, heat)}
              className="tnum block text-[11px]"
            >
              <g aria-hidden>
                <Elements of={heatElements(drawing, { data: heat, paint: token })} />
                <Chosen cell={chosen === undefined ? undefined : drawing.cells[chosen]} />
              </g>
            </svg>
            {/* like the charts by day: a slider is what screen readers and keyboards know for walking through values */}
            <span
              className="absolute inset-0 touch-pan-y rounded-sm has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-accent"
              onPointerMove={follow}
              onPointerDown={follow}
              onPointerLeave={() => setChosen(undefined)}
            >
              <input
                type="range"
                min={0}
                max={drawing.cells.length - 1}
                value={chosen ?? 0}
                aria-label={`Values of ${label}`}
                aria-valuetext={textOf(chosen ?? 0)}
                onChange={(event) => setChosen(Number(event.target.value))}
                onFocus={(event) => {
                  if (event.target.matches(':focus-visible')) setChosen(chosen ?? 0)
                }}
                onBlur={() => setChosen(undefined)}
                className="pointer-events-none absolute inset-0 size-full opacity-0"
              />
            </span>
          </>
        ) : null}
      </div>
      <p aria-hidden={chosen !== undefined} className="tnum min-h-5 pt-1.5 text-sm text-ink-muted">
        {chosen === undefined ? hint : textOf(chosen)}
      </p>
    </>
  )
}

const cellAt = ({ cells }: HeatDrawing, x: number, y: number): number | undefined => {
  const found = cells.findIndex(
    (cell) => x >= cell.x && x < cell.x + cell.width + 2 && y >= cell.y && y < cell.y + cell.height + 2,
  )
  return found < 0 ? undefined : found
}

function Chosen({ cell }: { cell: HeatDrawing['cells'][number] | undefined }) {
  if (!cell) return null
  const { x, y, width, height } = cell
  return <rect x={x} y={y} width={width} height={height} rx={2} fill="none" stroke="var(--ink)" strokeWidth={1.5} />
}
