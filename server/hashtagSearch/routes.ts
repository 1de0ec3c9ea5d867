import { insightsHashtags, type NoHashtagReason } from '#contract/analytics/hashtags.ts'
import { askable, channelToAsk, type Asked } from '../delivery/ask.ts'
import type { Dependencies } from '../dependencies.ts'
import { handleDetached, type Route } from '../http/route.ts'
import { mustHaveGate, mustHaveRunning } from '../plans/gates.ts'
import { usedHashtags } from './claim.ts'
import { searchHashtag, type Answer } from './search.ts'

export function hashtagSearchRoutes(deps: Dependencies): Route[] {
  return [
    handleDetached(insightsHashtags, async (c) => {
      const { channelId, hashtag } = c.query
      const asked = await c.inTenant(async (t) => {
        if (hashtag === undefined) mustHaveGate(t, 'analytics')
        else mustHaveRunning(t, 'analytics')
        return await channelToAsk(t, channelId)
      })
      const why = whyNot(deps, asked)
      const answer: Answer =
        why !== null
          ? { found: null, why }
          : hashtag === undefined
            ? { found: null, why: null }
            : await searchHashtag(deps, c, asked, hashtag)
      return { ...answer, used: await c.inTenant((t) => usedHashtags(t, channelId)) }
    }),
  ]
}

function whyNot(deps: Dependencies, { channel, platform }: Asked): NoHashtagReason | null {
  if (!askable(deps, platform).hashtags) return 'notPossible'
  return channel.status === 'CONNECTED' ? null : 'signedOut'
}
