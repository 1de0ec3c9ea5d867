import type { ChartData } from '#charts/data.ts'
import type { Shape } from '#charts/draw.ts'

export type FigureProps = {
  /** Names the chart, its table and its file. */ label: string
  data: ChartData
  /** What suits the data by default; `rows` are horizontal bars, one for each name; `spread`, boxes (charts/spread.ts). */ shape?:
    | Shape
    | 'rows'
    | 'spread'
  /** Higher where the screen is wide, so that slopes stay visible. */ tall?: boolean
}

/** The drawing's height, known before its code arrives. */
export const plotHeight = (tall: boolean): string => (tall ? 'h-45 lg:h-65' : 'h-45')
