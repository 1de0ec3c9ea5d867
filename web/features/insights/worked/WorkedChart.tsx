import { useState } from 'react'
import { figureWord } from './workedFigures.ts'
import type { Worked, WorkedBy, WorkedFigure } from '#contract/analytics/worked.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { count } from '#web/lib/format.ts'
import { Button } from '#web/ui/Button.tsx'
import { ChartFigure } from '#web/ui/charts/ChartFigure.tsx'
import { HeatFigure } from '#web/ui/charts/HeatFigure.tsx'
import { spreadData, weekHeat } from './workedData.ts'
import { byTitles } from './workedWords.ts'

type Props = {
  reply: Worked
  figure: WorkedFigure
  by: WorkedBy
  /** The posts are of this one alone. */ platform: PlatformKey | undefined
}

/** Rows that are drawn first; all days and hours fit. */
const FIRST = 25

/** Each group's middle half as a bar, or the hours of the week as a map. */
export function WorkedChart({ reply, figure, by, platform }: Props) {
  const [all, setAll] = useState(false)
  const label = `${figureWord(figure, platform)} of posts by ${byTitles[by].toLowerCase()}`
  const data = spreadData(reply, figure, platform !== undefined)
  if (by === 'weekdayHour' || by === 'weekdayPart')
    return (
      <HeatFigure
        label={label}
        heat={weekHeat(reply, figure, by)}
        data={data}
        of={`Median ${figureWord(figure, platform).toLowerCase()}`}
        hint={`Point at a cell, or use the arrow keys, to read its ${by === 'weekdayHour' ? 'hour' : 'hours'}.`}
      />
    )
  const rows = data.axis.keys.length
  const shown = all || rows <= FIRST ? data : firstOf(data, FIRST)
  return (
    <div className="grid justify-items-start gap-1 *:w-full">
      <ChartFigure label={label} data={shown} shape="spread" />
      {rows > FIRST ? (
        <Button size="s" tone="quiet" className="w-auto!" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show all ${count(rows - 1, 'group')}`}
        </Button>
      ) : null}
    </div>
  )
}

const firstOf = (data: ReturnType<typeof spreadData>, most: number): typeof data => ({
  ...data,
  axis: { ...data.axis, keys: data.axis.keys.slice(0, most) },
  series: data.series.map((one) => ({ ...one, values: one.values.slice(0, most) })),
})
