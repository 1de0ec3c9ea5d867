import { termsOf } from '#contract/analytics/catalog/catalog.ts'
import * as contract from '#contract/analytics/overview.ts'
import { platformKeys } from '#contract/platforms/rules.ts'
import type { Dependencies } from '../dependencies.ts'
import { handle, type Route } from '../http/route.ts'
import { readChannelTotals } from './channels.ts'
import { loadScope } from './scope.ts'
import { readSeries } from './series.ts'
import { readSummary } from './summary.ts'

/** `env` names the platforms whose further terms on figures the operator has accepted. */
export function analyticsRoutes({ env }: Pick<Dependencies, 'env'>): Route[] {
  const apart = platformKeys.filter((key) => !termsOf(key, env.analyticsTerms).mayBeSummed)
  return [
    handle(contract.insightsSummary, async (c) => readSummary(c, await loadScope(c, c.query), apart)),
    handle(contract.insightsSeries, async (c) => readSeries(c, await loadScope(c, c.query), c.query, apart)),
    handle(contract.insightsChannels, async (c) => readChannelTotals(c, await loadScope(c, c.query), apart)),
  ]
}
