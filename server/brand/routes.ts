import { insightsBrand } from '#contract/analytics/brand.ts'
import { loadScope, planEachTime } from '../analytics/scope.ts'
import { pictureLinks } from '../channels/foreignPictures.ts'
import { readAccounts } from '../competitors/read.ts'
import type { Dependencies } from '../dependencies.ts'
import { handle, type Route } from '../http/route.ts'
import { readTalk, whyNoTalk } from './talk.ts'
import { voiceOf } from './voice.ts'

export function brandRoutes(deps: Pick<Dependencies, 'env'>): Route[] {
  const link = pictureLinks(deps)
  return [
    handle(insightsBrand, async (c) => {
      const scope = await loadScope(c, c.query, { accepted: deps.env.analyticsTerms })
      await planEachTime(c.tx)
      const isOfPosts = scope.posts !== null
      const noTalk = whyNoTalk(c, scope)
      return {
        range: scope.range,
        talk: noTalk === null ? await readTalk(c, scope, link) : null,
        noTalk,
        // posts of competitors have no campaigns and labels
        voice: isOfPosts ? [] : voiceOf(await readAccounts(c, scope, link, c.query.platforms), scope.apart),
      }
    }),
  ]
}
