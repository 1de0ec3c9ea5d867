import { z } from 'zod'
import { FigureName } from './analytics/catalog/names.ts'

/** The largest figure that is kept: a larger one is nonsense, and a sum of many of them would fit nowhere. */
export const MOST_FIGURE = 1e12

/**
 * A platform's metrics of a published post, by the catalog's names: totals since it was published, in whole units. What the platform
 * doesn't report is missing, never 0.
 */
export const PostMetrics = z.partialRecord(FigureName, z.int().min(0).max(MOST_FIGURE))
export type PostMetrics = z.infer<typeof PostMetrics>

/** The metrics that a platform reported; null and undefined are what it didn't, and what is too large counts as not reported. */
export const reportedMetrics = (values: { [Name in FigureName]?: number | null | undefined }): PostMetrics =>
  PostMetrics.parse(
    Object.fromEntries(Object.entries(values).filter(([, value]) => value != null && value <= MOST_FIGURE)),
  )

/** The sum of what was reported; null if nothing was. */
export function sumOfReported(...values: (number | null | undefined)[]): number | null {
  const reported = values.filter((value) => value != null)
  return reported.length > 0 ? reported.reduce((sum, value) => sum + value, 0) : null
}
