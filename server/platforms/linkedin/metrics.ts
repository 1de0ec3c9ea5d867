import type { FigureName } from '#contract/analytics/catalog/names.ts'
import { reportedMetrics, sumOfReported, type PostMetrics } from '#contract/metrics.ts'
import type { Metrics, Reach, Refusal } from '../platform.ts'
import { call, encoded, isOrganization, withSecret } from './client.ts'
import { isGone, refusalOf } from './refusals.ts'
import { MemberFigure, ShareStatistics, type LinkedInSecret } from './schemas.ts'

const showing = { doing: 'show-figures', irreversible: false } as const

/** Pages: all posts of one kind in one call. Profiles: one call per metric and post. */
export const metrics: Metrics = {
  most: 20,
  read: withSecret(async (reach, own, _account, posts) => {
    const ids = posts.map(({ remoteId }) => remoteId)
    return isOrganization(own) ? await ofPage(reach, own, ids) : await ofMember(reach, own, ids)
  }),
}

type Answer = { kind: 'metrics'; of: Map<string, PostMetrics> } | Refusal

async function ofPage(reach: Reach, secret: LinkedInSecret, ids: readonly string[]): Promise<Answer> {
  const of = new Map<string, PostMetrics>()
  const kinds = [
    { name: 'shares', ids: ids.filter((id) => id.startsWith('urn:li:share:')) },
    { name: 'ugcPosts', ids: ids.filter((id) => id.startsWith('urn:li:ugcPost:')) },
  ]
  for (const { name, ids: some } of kinds) {
    if (some.length === 0) continue
    const path = `/rest/organizationalEntityShareStatistics?q=organizationalEntity&organizationalEntity=${encoded(secret.author)}&${name}=List(${some.map(encoded).join(',')})`
    const found = await call(reach, secret, { path, reply: ShareStatistics })
    if (found.kind !== 'ok') return refusalOf(found, showing)
    for (const { share, ugcPost, totalShareStatistics: total } of found.value.elements) {
      const id = share ?? ugcPost
      // removed reactions can make a day's count negative
      if (id !== undefined)
        of.set(
          id,
          reportedMetrics({
            impressions: count(total.impressionCount),
            reach: count(total.uniqueImpressionsCount),
            reactions: count(total.likeCount),
            comments: count(total.commentCount),
            shares: count(total.shareCount),
            clicks: count(total.clickCount),
          }),
        )
    }
  }
  return { kind: 'metrics', of }
}

const count = (value: number): number => Math.max(0, Math.trunc(value))

/** Figures of a profile's post; the later ones since version 202604 of the API. */
const figures = {
  IMPRESSION: 'impressions',
  MEMBERS_REACHED: 'reach',
  REACTION: 'reactions',
  COMMENT: 'comments',
  RESHARE: 'reposts',
  POST_SEND: 'sends',
  POST_SAVE: 'saves',
  LINK_CLICKS: 'clicks',
} as const satisfies Record<string, FigureName>

async function ofMember(reach: Reach, secret: LinkedInSecret, ids: readonly string[]): Promise<Answer> {
  const of = new Map<string, PostMetrics>()
  for (const id of ids) {
    const told: PostMetrics = {}
    let isThere = true
    for (const [queryType, name] of Object.entries(figures)) {
      if (!isThere) break
      const entity = `(${id.startsWith('urn:li:share:') ? 'share' : 'ugc'}:${encoded(id)})`
      const found = await call(reach, secret, {
        path: `/rest/memberCreatorPostAnalytics?q=entity&entity=${entity}&queryType=${queryType}&aggregation=TOTAL`,
        reply: MemberFigure,
      })
      // an empty set means that nothing is known
      if (found.kind === 'ok') {
        const count = found.value.elements[0]?.count
        if (count !== undefined) told[name] = count
      } else if (isGone(found)) isThere = false
      // a kind of figure that this post has none of
      else if (found.cause === 'answered' && found.status === 400 && Object.keys(told).length > 0) continue
      else return refusalOf(found, showing)
    }
    if (isThere) of.set(id, reportedMetrics({ ...told, shares: sumOfReported(told.reposts, told.sends) }))
  }
  return { kind: 'metrics', of }
}
