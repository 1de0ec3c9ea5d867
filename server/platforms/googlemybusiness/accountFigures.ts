import { z } from 'zod'
import { reported, type AccountFigures, type FigureDay } from '../platform.ts'
import { callPerformance, refusalOf, withSecret } from './client.ts'

const SEARCH = ['BUSINESS_IMPRESSIONS_DESKTOP_SEARCH', 'BUSINESS_IMPRESSIONS_MOBILE_SEARCH']
const MAPS = ['BUSINESS_IMPRESSIONS_DESKTOP_MAPS', 'BUSINESS_IMPRESSIONS_MOBILE_MAPS']
const ACTIONS = {
  websiteClicks: 'WEBSITE_CLICKS',
  callClicks: 'CALL_CLICKS',
  directionRequests: 'BUSINESS_DIRECTION_REQUESTS',
  chats: 'BUSINESS_CONVERSATIONS',
  bookings: 'BUSINESS_BOOKINGS',
} as const
const METRICS = [...SEARCH, ...MAPS, ...Object.values(ACTIONS)]

const Part = z.int().catch(0)
/** A day without a value isn't known yet, or had too few to be told. */
const Series = z.object({
  multiDailyMetricTimeSeries: z
    .array(
      z.object({
        dailyMetricTimeSeries: z
          .array(
            z.object({
              dailyMetric: z.string(),
              timeSeries: z
                .object({
                  datedValues: z
                    .array(
                      z.object({
                        date: z.object({ year: Part, month: Part, day: Part }),
                        value: z.coerce.number().int().nonnegative().optional().catch(undefined),
                      }),
                    )
                    .catch([]),
                })
                .catch({ datedValues: [] }),
            }),
          )
          .catch([]),
      }),
    )
    .catch([]),
})

/** By day, 18 months back; the newest days are missing for up to five days (Business Profile Performance API). */
export const accountFigures: AccountFigures = {
  series: {
    mostDays: 180,
    calls: () => 1,
    read: withSecret(async (reach, own, _account, { from, to }) => {
      const query = new URLSearchParams(METRICS.map((metric): [string, string] => ['dailyMetrics', metric]))
      for (const [name, day] of [
        ['startDate', from],
        ['endDate', to],
      ] as const) {
        const [year = '', month = '', date = ''] = day.split('-')
        query.set(`dailyRange.${name}.year`, String(Number(year)))
        query.set(`dailyRange.${name}.month`, String(Number(month)))
        query.set(`dailyRange.${name}.day`, String(Number(date)))
      }
      const location = own.parent.slice(own.parent.indexOf('locations/'))
      const found = await callPerformance(reach, own, {
        path: `${location}:fetchMultiDailyMetricsTimeSeries?${query.toString()}`,
        reply: Series,
      })
      if (found.kind !== 'ok') return refusalOf(found, { doing: 'show-figures', irreversible: false })
      const days = new Map<string, Map<string, number>>()
      for (const { dailyMetric, timeSeries } of found.value.multiDailyMetricTimeSeries.flatMap(
        (one) => one.dailyMetricTimeSeries,
      ))
        for (const { date, value } of timeSeries.datedValues) {
          if (value === undefined) continue
          const day = `${date.year}-${String(date.month).padStart(2, '0')}-${String(date.day).padStart(2, '0')}`
          days.set(day, (days.get(day) ?? new Map<string, number>()).set(dailyMetric, value))
        }
      return { kind: 'series', days: [...days].map(([day, values]) => ({ day, figures: figuresIn(values) })) }
    }),
  },
}

function figuresIn(values: ReadonlyMap<string, number>): FigureDay['figures'] {
  const sum = (metrics: readonly string[]): number | null => {
    const told = metrics.flatMap((metric) => values.get(metric) ?? [])
    return told.length > 0 ? told.reduce((all, value) => all + value, 0) : null
  }
  return reported({
    impressions: sum([...SEARCH, ...MAPS]),
    searchImpressions: sum(SEARCH),
    mapImpressions: sum(MAPS),
    profileActions: sum(Object.values(ACTIONS)),
    ...Object.fromEntries(Object.entries(ACTIONS).map(([name, metric]) => [name, values.get(metric)])),
  })
}
