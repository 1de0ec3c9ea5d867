import { z } from 'zod'
import { isBadParameter, isPermissionError, type GraphFailed } from '../graph.ts'
import { bucketsIn, daysFrom, insightIn, Insights, secondsOfDay, secondsOfDays } from '../graphInsights.ts'
import { reported, type AccountFigures, type FigureDay } from '../platform.ts'
import { read, withSecret } from './client.ts'
import { refusalOf } from './refusals.ts'

const METRICS = 'views,reach,accounts_engaged,total_interactions,likes,comments,shares,saves,profile_links_taps'
const RIGHTS = ['instagram_business_manage_insights', 'instagram_manage_insights']
const BREAKDOWNS = ['age', 'gender', 'country', 'city'] as const
const Counts = z.object({
  followers_count: z.int().nonnegative().nullable().catch(null),
  media_count: z.int().nonnegative().nullable().catch(null),
})
const failed = (found: GraphFailed) => refusalOf(found, { doing: 'show-figures', irreversible: false })
const isTooSmall = (found: GraphFailed): boolean => isBadParameter(found) || isPermissionError(found)

/** A call has the total of its range, so a day is a call of its own, and another one for follows and unfollows. */
export const accountFigures: AccountFigures = {
  series: {
    mostDays: 10,
    calls: (days) => days * 2,
    read: withSecret(async (reach, own, _account, { from, to }) => {
      if (!RIGHTS.some((right) => own.scopes.includes(right))) return { kind: 'rights', missing: RIGHTS.slice(0, 1) }
      const days: FigureDay[] = []
      for (const day of daysFrom(from, to)) {
        const range = { period: 'day', metric_type: 'total_value', ...secondsOfDay(day) }
        const found = await read(reach, own, `/${own.userId}/insights`, { metric: METRICS, ...range }, Insights)
        if (found.kind !== 'ok') return failed(found)
        const follows = await read(
          reach,
          own,
          `/${own.userId}/insights`,
          { metric: 'follows_and_unfollows', breakdown: 'follow_type', ...range },
          Insights,
        )
        // accounts with fewer than 100 followers have none
        if (follows.kind !== 'ok' && !isTooSmall(follows)) return failed(follows)
        const value = (name: string) => insightIn(found.value.data, name)
        const followed = new Map(follows.kind === 'ok' ? bucketsIn(follows.value.data) : [])
        days.push({
          day,
          figures: reported({
            views: value('views'),
            reach: value('reach'),
            engagedAccounts: value('accounts_engaged'),
            interactions: value('total_interactions'),
            reactions: value('likes'),
            comments: value('comments'),
            shares: value('shares'),
            saves: value('saves'),
            profileActions: value('profile_links_taps'),
            followersGained: followed.get('FOLLOWER'),
            followersLost: followed.get('NON_FOLLOWER'),
          }),
        })
      }
      return { kind: 'series', days }
    }),
  },
  // the total of a range has each account once; a range has at most 30 days
  windows: {
    calls: 2,
    read: withSecret(async (reach, own, _account, day) => {
      if (!RIGHTS.some((right) => own.scopes.includes(right))) return { kind: 'rights', missing: RIGHTS.slice(0, 1) }
      const values: (number | null)[] = []
      for (const days of [7, 28]) {
        const query = { metric: 'reach', period: 'day', metric_type: 'total_value', ...secondsOfDays(day, days) }
        const found = await read(reach, own, `/${own.userId}/insights`, query, Insights)
        if (found.kind !== 'ok' && !isTooSmall(found)) return failed(found)
        values.push(found.kind === 'ok' ? insightIn(found.value.data, 'reach') : null)
      }
      const [reach7, reach28] = values
      return { kind: 'windows', figures: reported({ reach7, reach28 }) }
    }),
  },
  snapshot: withSecret(async (reach, own) => {
    const found = await read(reach, own, `/${own.userId}`, { fields: 'followers_count,media_count' }, Counts)
    if (found.kind !== 'ok') return failed(found)
    const { followers_count: followers, media_count: posts } = found.value
    return { kind: 'snapshot', figures: reported({ followers, posts }) }
  }),
  audience: withSecret(async (reach, own) => {
    if (!RIGHTS.some((right) => own.scopes.includes(right))) return { kind: 'rights', missing: RIGHTS.slice(0, 1) }
    const buckets = []
    for (const breakdown of BREAKDOWNS) {
      const query = {
        metric: 'follower_demographics',
        period: 'lifetime',
        metric_type: 'total_value',
        timeframe: 'this_month',
        breakdown,
      }
      const found = await read(reach, own, `/${own.userId}/insights`, query, Insights)
      if (found.kind !== 'ok' && isTooSmall(found)) continue
      if (found.kind !== 'ok') return failed(found)
      buckets.push(...bucketsIn(found.value.data).map(([bucket, value]) => ({ breakdown, bucket, value })))
    }
    return { kind: 'audience', buckets }
  }),
}
