import { z } from 'zod'
import { FigureName } from './analytics/catalog/names.ts'

/**
 * A platform's metrics of a published post, by the catalog's names: totals since it was published, in whole units. What the platform
 * doesn't report is missing, never 0.
 */
export const PostMetrics = z.partialRecord(FigureName, z.int().min(0))
export type PostMetrics = z.infer<typeof PostMetrics>

/** The metrics that a platform reported; null and undefined are what it didn't. */
export const reportedMetrics = (values: { [Name in FigureName]?: number | null | undefined }): PostMetrics =>
  PostMetrics.parse(Object.fromEntries(Object.entries(values).filter(([, value]) => value != null)))

/** The sum of what was reported; null if nothing was. */
export function sumOfReported(...values: (number | null | undefined)[]): number | null {
  const reported = values.filter((value) => value != null)
  return reported.length > 0 ? reported.reduce((sum, value) => sum + value, 0) : null
}
