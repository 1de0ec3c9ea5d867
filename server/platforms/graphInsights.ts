import { z } from 'zod'

/*
 * Insights of the Graph API, in the form that Instagram and Threads share. A figure without a value is an empty set, which means
 * that it isn't known, never 0.
 */
export const Insights = z.object({
  data: z.array(
    z.object({
      name: z.string(),
      values: z
        .array(z.object({ value: z.number().nullable().catch(null), end_time: z.string().nullable().catch(null) }))
        .catch([]),
      total_value: z
        .object({
          value: z.number().nullable().catch(null),
          breakdowns: z
            .array(
              z.object({
                results: z
                  .array(z.object({ dimension_values: z.array(z.string()), value: z.number().catch(0) }))
                  .catch([]),
              }),
            )
            .catch([]),
        })
        .nullable()
        .catch(null),
    }),
  ),
})
export type InsightData = z.infer<typeof Insights>['data']

/** The total of a figure, in whole units; null if it isn't told. */
export function insightIn(data: InsightData, name: string): number | null {
  const found = data.find((one) => one.name === name)
  return found ? (found.total_value?.value ?? found.values[0]?.value ?? null) : null
}
