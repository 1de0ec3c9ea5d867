import { lazy, Suspense, useState } from 'react'
import type { ChartData, Series } from '#charts/data.ts'
import { shapeOf } from '#charts/draw.ts'
import { MOST_ENDS } from '#charts/ends.ts'
import { largest } from '#charts/largest.ts'
import { looksOf } from '#charts/looks.ts'
import { BelowChart } from './BelowChart.tsx'
import { ChartTools } from './ChartTools.tsx'
import { plotHeight, type FigureProps } from './figureProps.ts'
import { FigureTable } from './FigureTable.tsx'
import { Legend } from './Legend.tsx'
import { Plot } from './Plot.tsx'
import { RowsPlot } from './RowsPlot.tsx'
import { SpreadPlot } from './SpreadPlot.tsx'

// only where lines have their names at their ends
const MoreSeries = lazy(() => import('./MoreSeries.tsx'))

/** So many lines are drawn first; the others can be chosen. */
const MOST = MOST_ENDS
/** A longer legend is below the drawing, where it has room. */
const BESIDE = 3

/** The chart itself: legend, drawing or table, and the file. */
export default function Chart({ label, data, shape = shapeOf(data), tall = false }: FigureProps) {
  const [asTable, setAsTable] = useState(false)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [chosen, setChosen] = useState<ReadonlySet<string>>()
  // all of them, so that leaving some out changes no color
  const looks = looksOf(data)
  const listed = listedOf(data, chosen)
  const drawn = { ...data, series: data.series.filter(({ key, comparedWith }) => listed.has(comparedWith ?? key)) }
  const toggle = (key: string) => {
    const next = new Set(hidden)
    if (!next.delete(key)) next.add(key)
    // an empty chart says nothing: hiding the last series shows all
    setHidden(drawn.series.every((one) => next.has(one.key)) ? new Set() : next)
  }
  const choose = (keys: ReadonlySet<string>) => {
    // of few, those that aren't drawn stay in the legend
    const hide = data.series.length > MOST ? [] : data.series.filter(({ key }) => !keys.has(key))
    setHidden(new Set(hide.map(({ key }) => key)))
    setChosen(keys)
  }
  const shown = { ...drawn, series: drawn.series.filter(({ key }) => !hidden.has(key)) }
  // where lines have their names at their ends (charts/ends.ts), a legend would only repeat them
  const isLines = shape === 'line' && data.series.length > 1 && data.series.every(isOwn)
  const areNamed = isLines && drawn.series.length <= MOST_ENDS
  const legend =
    shape === 'spread' ? null : (
      <Legend
        label={label}
        all={data.series}
        series={drawn.series}
        hidden={hidden}
        looks={looks}
        shape={shape}
        isBelow={drawn.series.length > BESIDE}
        {...(areNamed ? { className: '@min-[560px]/chart:hidden' } : {})}
        onToggle={toggle}
        onChoose={setChosen}
      />
    )
  return (
    <div className="@container/chart">
      <div className="flex min-h-10 items-start gap-2">
        {drawn.series.length > BESIDE ? null : legend}
        {isLines ? (
          <div className="-ml-1.5 hidden min-w-0 text-sm @min-[560px]/chart:flex">
            <Suspense fallback={null}>
              <MoreSeries
                label={label}
                words={linesText(data.series, shown.series)}
                series={data.series}
                listed={new Set(shown.series.map(({ key }) => key))}
                looks={looks}
                shape={shape}
                onChoose={choose}
              />
            </Suspense>
          </div>
        ) : null}
        <ChartTools label={label} data={data} asTable={asTable} onTable={setAsTable} />
      </div>
      {asTable ? (
        <FigureTable label={label} data={drawn} />
      ) : shape === 'rows' ? (
        <RowsPlot label={label} data={data} />
      ) : shape === 'spread' ? (
        <SpreadPlot label={label} data={data} />
      ) : (
        <>
          <Plot label={label} data={shown} shape={shape} looks={looks} className={plotHeight(tall)} />
          <BelowChart label={label} data={data} />
        </>
      )}
      {drawn.series.length > BESIDE ? legend : null}
    </div>
  )
}

const isOwn = ({ comparedWith }: Series): boolean => comparedWith === undefined

/** "Choose lines", or how many of them are drawn. A single one has no name at its end. */
function linesText(all: readonly Series[], drawn: readonly Series[]): string {
  if (drawn.length === all.length) return 'Choose lines'
  const [only, second] = drawn
  return `${drawn.length} of ${all.length} lines${only && !second ? `: ${only.name}` : ''}`
}

/** The series of the legend: of too many, what was chosen as far as it's there, else the largest. */
function listedOf(data: ChartData, chosen: ReadonlySet<string> | undefined): ReadonlySet<string> {
  const keys = data.series.filter(isOwn).map(({ key }) => key)
  if (keys.length <= MOST) return new Set(keys)
  const known = keys.filter((key) => chosen?.has(key))
  return known.length > 0 ? new Set(known) : largest(data, MOST)
}
