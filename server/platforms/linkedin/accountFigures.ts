import { z } from 'zod'
import { reported, type AccountFigures, type FigureDay, type Figures } from '../platform.ts'
import { call, encoded, isOrganization, withSecret } from './client.ts'
import { refusalOf } from './refusals.ts'

const DAY_MS = 86_400_000
const RIGHT = 'rw_organization_admin'
const showing = { doing: 'show-figures', irreversible: false } as const
const Count = z.number().nullable().catch(null)
const Interval = z.object({ start: z.number() })
const byDay = <T extends z.ZodRawShape>(shape: T) =>
  z.object({ elements: z.array(z.object({ timeRange: Interval, ...shape })).catch([]) })
const Shares = byDay({
  totalShareStatistics: z.object({
    impressionCount: Count,
    uniqueImpressionsCount: Count,
    clickCount: Count,
    likeCount: Count,
    commentCount: Count,
    shareCount: Count,
  }),
})
const Followers = byDay({
  followerGains: z.object({ organicFollowerGain: Count, paidFollowerGain: Count }),
})
const Views = byDay({
  totalPageStatistics: z.object({ views: z.object({ allPageViews: z.object({ pageViews: Count }) }) }),
})
const Size = z.object({ firstDegreeSize: Count })
const Group = z.array(
  z.looseObject({ followerCounts: z.object({ organicFollowerCount: Count, paidFollowerCount: Count }) }),
)
const Demographics = z.object({
  elements: z
    .array(
      z.object({
        followerCountsByGeoCountry: Group.catch([]),
        followerCountsByIndustry: Group.catch([]),
        followerCountsBySeniority: Group.catch([]),
      }),
    )
    .catch([]),
})

/** Of Pages only, by day for a rolling 12 months; LinkedIn reports nothing by day about profiles. */
export const accountFigures: AccountFigures = {
  series: {
    mostDays: 90,
    calls: () => 3,
    read: withSecret(async (reach, own, _account, { from, to }) => {
      if (!isOrganization(own)) return { kind: 'series', days: [] }
      if (!own.scopes.includes(RIGHT)) return { kind: 'rights', missing: [RIGHT] }
      const interval = `timeIntervals=(timeRange:(start:${Date.parse(from)},end:${Date.parse(to) + DAY_MS}),timeGranularityType:DAY)`
      const days = new Map<string, Figures>()
      const add = (start: number, figures: Figures) => {
        const day = new Date(start).toISOString().slice(0, 10)
        days.set(day, { ...days.get(day), ...figures })
      }
      const of = `organizationalEntity=${encoded(own.author)}&${interval}`
      const shares = await call(reach, own, {
        path: `/rest/organizationalEntityShareStatistics?q=organizationalEntity&${of}`,
        reply: Shares,
      })
      if (shares.kind !== 'ok') return refusalOf(shares, showing)
      for (const { timeRange, totalShareStatistics: total } of shares.value.elements)
        add(
          timeRange.start,
          reported({
            impressions: total.impressionCount,
            reach: total.uniqueImpressionsCount,
            clicks: total.clickCount,
            reactions: total.likeCount,
            comments: total.commentCount,
            shares: total.shareCount,
          }),
        )
      const followers = await call(reach, own, {
        path: `/rest/organizationalEntityFollowerStatistics?q=organizationalEntity&${of}`,
        reply: Followers,
      })
      if (followers.kind !== 'ok') return refusalOf(followers, showing)
      for (const { timeRange, followerGains: gains } of followers.value.elements)
        add(timeRange.start, reported({ followersGained: sum(gains.organicFollowerGain, gains.paidFollowerGain) }))
      const views = await call(reach, own, {
        path: `/rest/organizationPageStatistics?q=organization&organization=${encoded(own.author)}&${interval}`,
        reply: Views,
      })
      if (views.kind !== 'ok') return refusalOf(views, showing)
      for (const { timeRange, totalPageStatistics: total } of views.value.elements)
        add(timeRange.start, reported({ profileViews: total.views.allPageViews.pageViews }))
      return { kind: 'series', days: [...days].map(([day, figures]): FigureDay => ({ day, figures })) }
    }),
  },
  snapshot: withSecret(async (reach, own) => {
    if (!isOrganization(own)) return { kind: 'snapshot', figures: {} }
    const found = await call(reach, own, {
      path: `/rest/networkSizes/${encoded(own.author)}?edgeType=COMPANY_FOLLOWED_BY_MEMBER`,
      reply: Size,
    })
    if (found.kind !== 'ok') return refusalOf(found, showing)
    return { kind: 'snapshot', figures: reported({ followers: found.value.firstDegreeSize }) }
  }),
  audience: withSecret(async (reach, own) => {
    if (!isOrganization(own)) return { kind: 'audience', buckets: [] }
    if (!own.scopes.includes(RIGHT)) return { kind: 'rights', missing: [RIGHT] }
    const found = await call(reach, own, {
      path: `/rest/organizationalEntityFollowerStatistics?q=organizationalEntity&organizationalEntity=${encoded(own.author)}`,
      reply: Demographics,
    })
    if (found.kind !== 'ok') return refusalOf(found, showing)
    const [all] = found.value.elements
    const groups = [
      { breakdown: 'country', group: all?.followerCountsByGeoCountry, key: 'geo' },
      { breakdown: 'industry', group: all?.followerCountsByIndustry, key: 'industry' },
      { breakdown: 'seniority', group: all?.followerCountsBySeniority, key: 'seniority' },
    ] as const
    const buckets = groups.flatMap(({ breakdown, group = [], key }) =>
      group.flatMap(({ followerCounts: counts, ...bucket }) => {
        const [name, value] = [bucket[key], sum(counts.organicFollowerCount, counts.paidFollowerCount)]
        return typeof name === 'string' && value !== null ? [{ breakdown, bucket: name, value }] : []
      }),
    )
    return { kind: 'audience', buckets }
  }),
}

const sum = (one: number | null, other: number | null): number | null =>
  one === null && other === null ? null : (one ?? 0) + (other ?? 0)
