import { ANALYSIS_CREDITS, insightsAnalysis, insightsAnalysisFacts } from '#contract/analytics/analysis.ts'
import type { InsightsFilter } from '#contract/analytics/filter.ts'
import { askCharged } from '../ai/charge.ts'
import { openModel } from '../ai/model.ts'
import { picturesFor } from '../analytics/postPictures.ts'
import { loadScope, type Reader } from '../analytics/scope.ts'
import { pictureLinks } from '../channels/foreignPictures.ts'
import type { Dependencies } from '../dependencies.ts'
import { fail } from '../errors.ts'
import { handle, handleDetached, type ProjectContext, type Route } from '../http/route.ts'
import { readFacts } from './facts.ts'
import { questionOf } from './write.ts'

/** The facts of a range, and the text that a model writes from them. Nothing is stored but the credits. */
export function analysisRoutes({ env, log, databases }: Pick<Dependencies, 'env' | 'log' | 'databases'>): Route[] {
  const model = openModel(env)
  const link = pictureLinks({ env })
  const factsOf = async (c: Reader & Pick<ProjectContext, 'project'>, query: InsightsFilter) =>
    readFacts(c, await loadScope(c, query, { accepted: env.analyticsTerms }), picturesFor(c.project, link))
  return [
    handle(insightsAnalysisFacts, (c) => factsOf(c, c.query)),
    handleDetached(insightsAnalysis, async (c) => {
      const found = await c.inTenant(async (t) => ({ ...(await factsOf(t, c.body)), madeAt: t.now.toISOString() }))
      if (found.facts.length === 0)
        throw fail('NO_POSTS_FOUND', { detail: 'There are no figures in these days to write about.' })
      const question = questionOf(found)
      const written = await askCharged(
        c,
        { model, log, databases },
        {
          ask: question,
          credits: ANALYSIS_CREDITS,
          read: (answer) => {
            const read = question.read(answer)
            return { found: read.sentences.length > 0 ? read : undefined, declined: 0 }
          },
        },
      )
      return { ...found, ...written.found, creditsLeft: written.creditsLeft }
    }),
  ]
}
