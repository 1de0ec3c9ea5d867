import type { ChartData } from './data.ts'
import { lookAt, type Look } from './style.ts'

/** The look of each series by its key: its own, or that of its place. */
export type Looks = ReadonlyMap<string, Look>

export const looksOf = ({ series }: Pick<ChartData, 'series'>): Looks =>
  new Map(
    series
      .filter(({ comparedWith }) => comparedWith === undefined)
      .map(({ key, look }, place) => [key, look ?? lookAt(place)] as const),
  )
