import { lazy, Suspense } from 'react'
import { Contained } from '../Contained.tsx'
import { plotHeight, type FigureProps } from './figureProps.ts'
import { FigureTable } from './FigureTable.tsx'

// after the text: the numbers above are on screen while the chart loads
const Chart = lazy(() => import('./Chart.tsx'))

/** The height of a row. */
const ROW = { rows: 28, spread: 44 }

/**
 * A chart with its legend, as a table with the same data, and as a CSV file. Its height is known before its code
 * arrives; without the code, the table is there.
 */
export function ChartFigure(props: FigureProps) {
  const { label, data, shape, tall = false } = props
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
        <Suspense
          fallback={
            // the legend and the buttons, with the gap below them, then the drawing
            <div className="pt-10">
              <div
                {...(shape === 'rows' || shape === 'spread'
                  ? { style: { height: Math.max(1, data.axis.keys.length) * ROW[shape] } }
                  : { className: plotHeight(tall) })}
              />
            </div>
          }
        >
          <Chart {...props} />
        </Suspense>
      </Contained>
    </div>
  )
}
