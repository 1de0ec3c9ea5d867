import type { z } from 'zod'
import { isBadParameter, isGone } from '../graph.ts'
import { dayOfEnd, Insights } from '../graphInsights.ts'
import type { AccountFigures, FigureDay, FigureName } from '../platform.ts'
import { read, refusalOf, withSecret } from './client.ts'

/** Valid since 2026-06-15 (page insights). */
const NAMES = {
  page_media_view: 'views',
  page_total_media_view_unique: 'reach',
  page_follows: 'followers',
  page_post_engagements: 'interactions',
  page_views_total: 'profileViews',
  page_video_views: 'videoViews',
} as const satisfies Record<string, FigureName>

/** How many different people saw something of the Page: in 7 days, and in 28. */
const WINDOWS = { week: 'reach7', days_28: 'reach28' } as const satisfies Record<string, FigureName>

/** By day, up to two years back, 90 days in a call. */
export const accountFigures: AccountFigures = {
  series: {
    mostDays: 90,
    calls: () => 1,
    read: withSecret(async (reach, own, _account, { from, to }) => {
      if (!own.scopes.includes('read_insights')) return { kind: 'rights', missing: ['read_insights'] }
      const ask = (metric: string) =>
        read(
          reach,
          own,
          `/${own.pageId}/insights`,
          { metric, period: 'day', since: from, until: dayAfter(to) },
          Insights,
        )
      const all = Object.keys(NAMES)
      const found = await ask(all.join())
      if (found.kind === 'ok') return { kind: 'series', days: daysIn(found.value.data) }
      if (!isBadParameter(found) || isGone(found)) return refusalOf(found, 'show-figures')
      // a name that Facebook has retired fails the whole call: the others are still there
      const data = []
      for (const name of all) {
        const one = await ask(name)
        if (one.kind === 'ok') data.push(...one.value.data)
        else if (!isBadParameter(one)) return refusalOf(one, 'show-figures')
      }
      return { kind: 'series', days: daysIn(data) }
    }),
  },
  windows: {
    calls: Object.keys(WINDOWS).length,
    read: withSecret(async (reach, own, _account, day) => {
      if (!own.scopes.includes('read_insights')) return { kind: 'rights', missing: ['read_insights'] }
      const figures: FigureDay['figures'] = {}
      for (const [period, name] of Object.entries(WINDOWS)) {
        const query = { metric: 'page_total_media_view_unique', period, since: day, until: dayAfter(day) }
        const found = await read(reach, own, `/${own.pageId}/insights`, query, Insights)
        // retired one day, as its predecessors were
        if (found.kind !== 'ok' && isBadParameter(found) && !isGone(found)) continue
        if (found.kind !== 'ok') return refusalOf(found, 'show-figures')
        const values = found.value.data.flatMap((metric) => metric.values)
        const value = values.find(({ end_time: end }) => dayOfEnd(end) === day)?.value
        if (value != null) figures[name] = value
      }
      return { kind: 'windows', figures }
    }),
  },
}

const dayAfter = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)

function daysIn(data: z.infer<typeof Insights>['data']): FigureDay[] {
  const days = new Map<string, FigureDay['figures']>()
  for (const { name, values } of data) {
    const known = Object.entries(NAMES).find(([own]) => own === name)?.[1]
    for (const { value, end_time } of values) {
      const day = dayOfEnd(end_time)
      if (known !== undefined && value !== null && day !== null) days.set(day, { ...days.get(day), [known]: value })
    }
  }
  return [...days].map(([day, figures]) => ({ day, figures }))
}
