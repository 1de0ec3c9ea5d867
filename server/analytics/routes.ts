import * as collecting from '#contract/analytics/collecting.ts'
import * as groups from '#contract/analytics/compared.ts'
import { insightsEvents } from '#contract/analytics/events.ts'
import * as overview from '#contract/analytics/overview.ts'
import * as posts from '#contract/analytics/posts.ts'
import { insightsReach } from '#contract/analytics/reach.ts'
import type { InsightsFilter } from '#contract/analytics/filter.ts'
import type { Dependencies } from '../dependencies.ts'
import { listing } from '../insights/importPosts.ts'
import { handle, handleBytes, handleDetached, withAsOf, type ProjectContext, type Route } from '../http/route.ts'
import { asOfAt, figureRightsOf, readSeen } from '../http/revision.ts'
import { mustHaveGate, mustHaveRunning } from '../plans/gates.ts'
import { readAudience } from './audience.ts'
import { readChannelTotals } from './channels.ts'
import { askForMorePosts, readCollecting } from './collecting.ts'
import { compareGroups } from './compared.ts'
import { csvFile, postsCsv, seriesCsv } from './csv.ts'
import { readEvents } from './events.ts'
import { readPostInsights } from './postInsights.ts'
import { readPostMedians } from './postMedians.ts'
import { picturesFor } from './postPictures.ts'
import { readPostTable } from './postTable.ts'
import { pictureLinks } from '../channels/foreignPictures.ts'
import { readReach } from './reach.ts'
import { requestReading } from './requestReading.ts'
import { apartOf, loadScope, type Reader } from './scope.ts'
import { readSeries } from './series.ts'
import { readShownNames } from './shownNames.ts'
import { readSummary } from './summary.ts'

/** `env` names the platforms whose further terms on figures the operator has accepted. */
export function analyticsRoutes({
  env,
  databases,
  platforms,
}: Pick<Dependencies, 'env' | 'databases' | 'platforms'>): Route[] {
  const lists = new Set(listing(platforms).keys())
  const accepted = env.analyticsTerms
  const scopeOf = (c: Reader & { query: InsightsFilter }) => loadScope(c, c.query, { accepted })
  const link = pictureLinks({ env })
  // part of every plan, for the last days
  const tableOf = (c: Reader & { query: InsightsFilter }) => loadScope(c, c.query, { accepted, free: true })
  return [
    handle(overview.insightsSummary, (c) => figured(c, async () => readSummary(c, await scopeOf(c), c.query))),
    handle(overview.insightsSeries, (c) => figured(c, async () => readSeries(c, await scopeOf(c), c.query))),
    handleBytes(overview.insightsSeriesCsv, async (c) => {
      const scope = await scopeOf(c)
      return csvFile(
        `insights-${scope.range.from}-${scope.range.to}`,
        seriesCsv(await readSeries(c, scope, c.query), { ...scope, names: await readShownNames(c) }, c.query),
      )
    }),
    handle(overview.insightsChannels, (c) => figured(c, async () => readChannelTotals(c, await scopeOf(c), c.query))),
    handle(insightsReach, async (c) => readReach(c, await scopeOf(c))),
    handle(insightsEvents, async (c) => readEvents(c, await scopeOf(c))),
    handle(overview.insightsAudience, async (c) => {
      mustHaveGate(c, 'analytics')
      return await readAudience(c, c.query.channelId)
    }),
    handle(posts.insightsPosts, async (c) => readPostTable(c, await tableOf(c), c.query, picturesFor(c.project, link))),
    handle(posts.insightsPostMedians, async (c) => readPostMedians(c, await tableOf(c), c.query.columns)),
    handleBytes(posts.insightsPostsCsv, async (c) => {
      const scope = await tableOf(c)
      const { org, project, now, query } = c
      return csvFile(
        `posts-${scope.range.from}-${scope.range.to}`,
        postsCsv(databases, { org, project, now }, { ...scope, names: await readShownNames(c) }, query, query.columns),
      )
    }),
    handle(posts.insightsPost, async (c) => {
      mustHaveGate(c, 'analytics')
      return await readPostInsights(c, c.params.postId, apartOf(accepted), picturesFor(c.project, link))
    }),
    handleDetached(posts.insightsReadPost, async (c) => {
      mustHaveRunning(c, 'analytics')
      return { nextReadAt: (await requestReading({ databases }, c, c.params.postId))?.toISOString() ?? null }
    }),
    handle(groups.insightsCampaigns, async (c) => compareGroups(c, await scopeOf(c), 'campaign', c.query)),
    handle(groups.insightsLabels, async (c) => compareGroups(c, await scopeOf(c), 'label', c.query)),
    handle(collecting.insightsCollecting, async (c) => {
      mustHaveGate(c, 'analytics')
      return { channels: await readCollecting(c, lists) }
    }),
    handle(collecting.insightsImport, async (c) => {
      mustHaveRunning(c, 'analytics')
      const isAsked = await askForMorePosts(c, c.body.channelId)
      await c.audit(isAsked ? { entityId: c.body.channelId, detail: { posts: collecting.IMPORTED_ON_REQUEST } } : [])
      return {}
    }),
  ]
}

/** Reads figures so that the reply can be sent again while they're the same. */
async function figured<T extends object>(c: ProjectContext, read: () => Promise<T>): Promise<T> {
  // their position is asked for before anything else is read
  const [seen, value] = await Promise.all([readSeen(c.tx, c.project.projectId, 'figures'), read()])
  return withAsOf(value, asOfAt(seen, figureRightsOf(c, c.now), c.now))
}
