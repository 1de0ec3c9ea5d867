import type { ComparedFigure } from '#contract/analytics/filter.ts'
import { engagementFigures, type dashboardBrandEngagement, type Range } from '#contract/dashboard.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { newest } from '../analytics/newest.ts'
import { readNormals } from '../analytics/normals.ts'
import { apartOf, readChannels, todayIn, type Reader, type Scope } from '../analytics/scope.ts'
import { readSeries } from '../analytics/series.ts'
import { readTotals, subjectOf, totalOf } from '../analytics/totals.ts'

type Engagement = ReplyOf<typeof dashboardBrandEngagement>
type Figure = (typeof engagementFigures)[number]

/**
 * The reply of dashboardBrandEngagement: the same figures as the insights have of these days, without the channels of platforms
 * whose terms forbid adding their figures to others. `accepted` are those whose further terms the operator has accepted.
 */
export async function readEngagement(c: Reader, range: Range, accepted: readonly PlatformKey[]): Promise<Engagement> {
  const apart = apartOf(accepted)
  const channels = (await readChannels(c, {})).filter(({ platformName }) => !apart.includes(platformName))
  const scope: Scope = {
    range: { from: range.from, to: range.to, compare: { from: range.compareFrom, to: range.compareTo } },
    today: todayIn(c),
    channels,
    apart,
    accepted,
    projectIds: [c.project.projectId],
    posts: null,
  }
  const base = 'inTheseDays'
  const totals = await readTotals(c, scope, { [base]: engagementFigures, postsPublished: [] })
  const usual = await readNormals(c, scope, engagementFigures)
  const figureOf = (name: Figure): ComparedFigure => ({
    base,
    subject: subjectOf(scope, base),
    name,
    ...totalOf(scope, totals, channels, { base, name }),
    normal: usual(channels, name),
  })
  const { days, series } = await readSeries(c, scope, {
    base,
    subject: 'channel',
    by: 'total',
    names: [...engagementFigures],
  })
  const valueOn = (name: Figure, day: number) => series.find((line) => line.name === name)?.values[day] ?? null
  return {
    range,
    totals: {
      viewsAndImpressions: figureOf('viewsAndImpressions'),
      reactions: figureOf('reactions'),
      comments: figureOf('comments'),
      shares: figureOf('shares'),
    },
    days: days.map((date, day) => ({
      date,
      viewsAndImpressions: valueOn('viewsAndImpressions', day),
      reactions: valueOn('reactions', day),
      comments: valueOn('comments', day),
      shares: valueOn('shares', day),
    })),
    asOf: newest([...totals.values()].map(({ asOf }) => asOf)),
  }
}
