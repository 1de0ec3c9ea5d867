import { insightsWorked } from '#contract/analytics/worked.ts'
import type { Dependencies } from '../dependencies.ts'
import { handle, type Route } from '../http/route.ts'
import { loadScope } from './scope.ts'
import { readWorked } from './worked.ts'

/** What is learned from the figures. `env` names the platforms whose further terms on figures the operator has accepted. */
export const workedRoutes = ({ env: { analyticsTerms: accepted } }: Pick<Dependencies, 'env'>): Route[] => [
  handle(insightsWorked, async (c) => readWorked(c, await loadScope(c, c.query, { accepted }), c.query)),
]
