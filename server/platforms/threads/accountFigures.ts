import { graph, isBadParameter, isPermissionError, type GraphFailed } from '../graph.ts'
import { bucketsIn, daysFrom, insightIn, Insights, secondsOfDay } from '../graphInsights.ts'
import { reported, type AccountFigures, type FigureDay, type Reach } from '../platform.ts'
import { BASE, READ_TIMEOUT_MS, withSecret } from './client.ts'
import { refusalOf } from './refusals.ts'
import type { ThreadsSecret } from './schemas.ts'

const METRICS = 'views,likes,replies,reposts,quotes,clicks'
const RIGHT = 'threads_manage_insights'
const BREAKDOWNS = ['age', 'gender', 'country', 'city'] as const
const ask = (reach: Reach, own: ThreadsSecret, query: Record<string, string>) =>
  graph(reach, {
    base: BASE,
    path: `/${own.userId}/threads_insights`,
    token: own.accessToken,
    query,
    reply: Insights,
    timeoutMs: READ_TIMEOUT_MS,
  })
const failed = (found: GraphFailed) => refusalOf(found, { doing: 'show-figures', irreversible: false })

/** A call has the totals of its range, so a day is a call of its own. Nothing is known before 2024-04-13. */
export const accountFigures: AccountFigures = {
  series: {
    mostDays: 20,
    calls: (days) => days,
    read: withSecret(async (reach, own, _account, { from, to }) => {
      if (!own.scopes.includes(RIGHT)) return { kind: 'rights', missing: [RIGHT] }
      const days: FigureDay[] = []
      for (const day of daysFrom(from, to)) {
        const found = await ask(reach, own, { metric: METRICS, ...secondsOfDay(day) })
        if (found.kind !== 'ok') return failed(found)
        const value = (name: string) => insightIn(found.value.data, name)
        const [reposts, quotes] = [value('reposts'), value('quotes')]
        days.push({
          day,
          figures: reported({
            profileViews: value('views'),
            reactions: value('likes'),
            comments: value('replies'),
            shares: reposts === null && quotes === null ? null : (reposts ?? 0) + (quotes ?? 0),
            reposts,
            quotes,
            clicks: value('clicks'),
          }),
        })
      }
      return { kind: 'series', days }
    }),
  },
  snapshot: withSecret(async (reach, own) => {
    if (!own.scopes.includes(RIGHT)) return { kind: 'rights', missing: [RIGHT] }
    const found = await ask(reach, own, { metric: 'followers_count' })
    if (found.kind !== 'ok') return failed(found)
    return { kind: 'snapshot', figures: reported({ followers: insightIn(found.value.data, 'followers_count') }) }
  }),
  audience: withSecret(async (reach, own) => {
    if (!own.scopes.includes(RIGHT)) return { kind: 'rights', missing: [RIGHT] }
    const buckets = []
    for (const breakdown of BREAKDOWNS) {
      const found = await ask(reach, own, { metric: 'follower_demographics', breakdown })
      // profiles with fewer than 100 followers have none
      if (found.kind !== 'ok' && (isBadParameter(found) || isPermissionError(found))) continue
      if (found.kind !== 'ok') return failed(found)
      buckets.push(...bucketsIn(found.value.data).map(([bucket, value]) => ({ breakdown, bucket, value })))
    }
    return { kind: 'audience', buckets }
  }),
}
