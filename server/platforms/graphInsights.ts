import { instantOf } from '#contract/time.ts'
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

/** The values of a breakdown, by the names of its dimensions. */
export const bucketsIn = (data: InsightData): [string, number][] =>
  data.flatMap(
    ({ total_value: total }) =>
      total?.breakdowns.flatMap(({ results }) =>
        results.map(({ dimension_values: names, value }): [string, number] => [names.join(', '), value]),
      ) ?? [],
  )

/** Meta's days begin and end at midnight in California. */
const ZONE = 'America/Los_Angeles'
const DAY_SECONDS = 86_400

/** The day that ends at `end_time`, which Meta gives as the midnight after it; null if it isn't a time. */
export function dayOfEnd(endTime: string | null): string | null {
  const end = Date.parse(endTime?.replace(/([+-]\d\d)(\d\d)$/, '$1:$2') ?? '')
  if (Number.isNaN(end)) return null
  return new Intl.DateTimeFormat('en-CA', { timeZone: ZONE }).format(new Date(end - (DAY_SECONDS * 1000) / 2))
}

/** The days from one to another, both included. */
export function daysFrom(from: string, to: string): string[] {
  const days = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_SECONDS * 1000)
    days.push(new Date(at).toISOString().slice(0, 10))
  return days
}

/** A day's beginning and end, in seconds since 1970. */
export const secondsOfDay = (day: string): { since: string; until: string } => secondsOfDays(day, 1)

/** The beginning and the end of so many days, of which `day` is the last one, in seconds since 1970. */
export function secondsOfDays(day: string, days: number): { since: string; until: string } {
  const wall = (date: string) => {
    const [year = 0, month = 0, dayOfMonth = 0] = date.split('-').map(Number)
    return instantOf({ year, month, day: dayOfMonth, hour: 0, minute: 0 }, ZONE).getTime() / 1000
  }
  const dayAfter = (more: number) => new Date(Date.parse(day) + more * DAY_SECONDS * 1000).toISOString().slice(0, 10)
  return { since: String(wall(dayAfter(1 - days))), until: String(wall(dayAfter(1))) }
}
