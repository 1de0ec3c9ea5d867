import { useMemo } from 'react'
import type { ChartData } from '#charts/data.ts'
import { drawRows } from '#charts/rows.ts'
import { summaryOf } from '#charts/table.ts'
import { useSize } from './useSize.ts'

/** Horizontal bars with their values written beside them, so that they need no pointer. */
export function RowsPlot({ label, data }: { label: string; data: ChartData }) {
  const [measure, size] = useSize()
  const width = size?.width ?? 0
  const drawing = useMemo(() => (width === 0 ? undefined : drawRows(data, width)), [data, width])
  return (
    <div ref={measure} className="min-w-0">
      {drawing ? (
        <svg
          width={drawing.width}
          height={drawing.height}
          role="img"
          aria-label={summaryOf(label, data)}
          className="tnum block text-[12px]"
        >
          <line
            x1={drawing.baseline}
            x2={drawing.baseline}
            y1={0}
            y2={drawing.height}
            stroke="var(--line-strong)"
            aria-hidden
          />
          {drawing.rows.map(({ key, label: name, y, bar, value }) => (
            <g key={key} aria-hidden>
              <text x={0} y={y} dy="0.35em" fill="var(--ink-muted)">
                <title>{key}</title>
                {name}
              </text>
              {bar ? <rect {...bar} rx={2} fill="var(--accent)" /> : null}
              <text x={value.x} y={y} dy="0.35em" fill="var(--ink)">
                {value.text}
              </text>
            </g>
          ))}
        </svg>
      ) : null}
    </div>
  )
}
