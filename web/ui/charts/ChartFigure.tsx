import { lazy, Suspense } from 'react'
import { Contained } from '../Contained.tsx'
import type { FigureProps } from './figureProps.ts'
import { FigureTable } from './FigureTable.tsx'

// after the text: the numbers above are on screen while the chart loads
const Chart = lazy(() => import('./Chart.tsx'))

/** The legend and the buttons above the drawing, with the gap below them. */
const BAR = 40
const HEIGHT = 180
const ROW = 28

/**
 * A chart with its legend, as a table with the same data, and as a CSV file. Its height is known before its code
 * arrives; without the code, the table is there.
 */
export function ChartFigure(props: FigureProps) {
  const { data, shape, label } = props
  const height = props.height ?? (shape === 'rows' ? Math.max(1, data.axis.keys.length) * ROW : HEIGHT)
  return (
    <div className="min-w-0">
      <Contained
        fallback={
          <>
            <p className="pb-2 text-ink-muted">The chart couldn't be loaded. The table shows the same data.</p>
            <FigureTable label={label} data={data} />
          </>
        }
      >
        <Suspense fallback={<div style={{ height: height + BAR }} />}>
          <Chart {...props} height={height} />
        </Suspense>
      </Contained>
    </div>
  )
}
