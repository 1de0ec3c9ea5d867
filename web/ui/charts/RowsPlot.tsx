import { useMemo } from 'react'
import type { ChartData } from '#charts/data.ts'
import { looksOf } from '#charts/looks.ts'
import { drawRows, rowsElements } from '#charts/rows.ts'
import { summaryOf } from '#charts/table.ts'
import { Elements, token } from './Elements.tsx'
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
          <g aria-hidden>
            <Elements of={rowsElements(drawing, { looks: looksOf(data), paint: token })} />
          </g>
        </svg>
      ) : null}
    </div>
  )
}
