import type { ChartData } from '#charts/data.ts'

export type FigureProps = {
  /** Names the chart, its table and its file. */ label: string
  data: ChartData
  /** `rows` are horizontal bars, one for each name. */ shape: 'line' | 'bars' | 'grouped' | 'rows'
  /** A token for each series, by its key; else the colors of charts in order. */ colors?: Readonly<
    Record<string, string>
  >
  /** Of the drawing, in pixels. */ height?: number
}

/** How the series are drawn, by their keys: `order` decides on dash and hatching. */
export type Looks = ReadonlyMap<string, { order: number; color: string }>
