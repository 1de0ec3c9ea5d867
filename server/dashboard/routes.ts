import * as contract from '#contract/dashboard.ts'
import { paginationOf } from '#contract/common.ts'
import type { Compilable, RawBuilder } from 'kysely'
import type { Dependencies } from '../dependencies.ts'
import type { Tx } from '../db/kysely.ts'
import { readAndCommit } from '../db/transaction.ts'
import { apartOf } from '../analytics/scope.ts'
import { handle, passThrough, type RawJson, type Route } from '../http/route.ts'
import { readStats } from '../inbox/stats.ts'
import { postChartJson, postStatusJson, type Asker, type JsonRow } from './counts.ts'
import { mustHaveGate } from '../plans/gates.ts'
import { daysOf } from '../rangeDays.ts'
import { readEngagement } from './engagement.ts'
import { channelsPage, postsPage, type ListRow, type Page } from './lists.ts'

type Reader = Asker & { tx: Tx; project: { zone: string } }
type Ranged = Reader & { query: { rangeType: contract.RangeType } }

/** `env` names the platforms whose further terms the operator has accepted. */
export function dashboardRoutes({ env }: Pick<Dependencies, 'env'>): Route[] {
  return [
    handle(contract.dashboardChannels, (c) => answerPage(c, c.query, 'channels', channelsPage(c, c.query))),
    handle(contract.dashboardPostStatus, (c) => answer(c, postStatusJson(c, rangeOf(c)))),
    handle(contract.dashboardPostChart, (c) => answer(c, postChartJson(c, rangeOf(c)))),
    handle(contract.dashboardBrandEngagement, async (c) => {
      // every plan has the last days
      if (c.query.rangeType === 'thirty') mustHaveGate(c, 'analytics')
      return await readEngagement(c, rangeOf(c), env.analyticsTerms)
    }),
    handle(contract.dashboardInboxStats, async (c) => {
      const range = rangeOf(c)
      return { range, ...(await readStats(c, range, apartOf(env.analyticsTerms))), asOf: c.now.toISOString() }
    }),
    handle(contract.dashboardPosts, (c) => answerPage(c, c.query, 'posts', postsPage(c, c.query.status, c.query))),
    handle(contract.dashboardDraftPosts, (c) => answerPage(c, c.query, 'posts', postsPage(c, c.query.status, c.query))),
  ]
}

const rangeOf = (c: Ranged): contract.Range => daysOf(c.query.rangeType, c.now, c.project.zone)

/** The reply as PostgreSQL wrote it, with the commit behind the query: two round trips in total. */
async function answer(c: Reader, query: RawBuilder<JsonRow>): Promise<RawJson> {
  const [row] = await readAndCommit<JsonRow>(c.tx, compilable(c, query))
  if (!row) throw new Error('a query of one row answered none')
  return passThrough(row.json)
}

async function answerPage(
  c: Reader,
  page: Page,
  name: 'channels' | 'posts',
  query: RawBuilder<ListRow>,
): Promise<RawJson> {
  const [row] = await readAndCommit<ListRow>(c.tx, compilable(c, query))
  if (!row) throw new Error('a query of one row answered none')
  return passThrough(`{"${name}":${row.items},"pagination":${JSON.stringify(paginationOf(page, row.total))}}`)
}

const compilable = <R>({ tx }: Reader, query: RawBuilder<R>): Compilable<R> => ({ compile: () => query.compile(tx) })
