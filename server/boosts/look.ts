import { because, wordsOf } from '#contract/failures/catalog.ts'
import type { z } from 'zod'
import { type boostAccounts, type boostAudiences, type postBoosts } from '#contract/boosts.ts'
import { ask, askable, channelToAsk, type Asked, type AskDeps } from '../delivery/ask.ts'
import { channelsById } from '../access/channels.ts'
import { asSystem } from '../db/system.ts'
import { fail } from '../errors.ts'
import type { Caller, Context, DetachedContext, ProjectContext } from '../http/route.ts'
import { count, type Limit } from '../http/attempts.ts'
import type { Promotion } from '../platforms/promotion.ts'
import { findPost, type PostRecord } from '../posts/access.ts'
import { platformOf } from '../posts/checks.ts'
import { storable } from '../delivery/storable.ts'
import { boostsOf, mustBePromotable, obstacleOf, promotionOf, type BoostDeps } from './access.ts'
import { presentBoosts } from './present.ts'

/** The promotions of a post, and whether another is possible. Same refusals as for the post itself. */
export async function readBoosts(
  c: Context<typeof postBoosts>,
  deps: BoostDeps,
): Promise<z.output<(typeof postBoosts)['reply']>> {
  const post = await findPost(c, c.params.postId)
  const boosts = await presentBoosts(c.tx, await boostsOf(c, post.id))
  const row =
    post.channel_id === null
      ? undefined
      : await c.tx
          .selectFrom('channel')
          .selectAll()
          .where('org_id', '=', c.org.orgId)
          .where('id', '=', post.channel_id)
          .executeTakeFirst()
  if (!row) return { offered: false, channelId: null, obstacle: null, boosts }
  const platform = platformOf(row)
  const promotion = deps.platforms(platform)?.boost
  if (!promotion) return { offered: false, channelId: row.id, obstacle: null, boosts }
  return {
    offered: true,
    channelId: row.id,
    obstacle: obstacleOf(post, row.deleted_at === null ? row : undefined, platform, promotion),
    boosts,
  }
}

export type Ready = { post: PostRecord; asked: Asked; promotion: Promotion }

/** The post and its channel, ready for a platform request about promoting it. Throws NOT_FOUND, or BOOST_REFUSED with the reason. */
export async function ready(t: ProjectContext, deps: BoostDeps, postId: string): Promise<Ready> {
  const post = await findPost(t, postId)
  if (post.channel_id === null) throw fail('BOOST_REFUSED')
  const channel = (await channelsById(t, [post.channel_id])).get(post.channel_id)
  if (!channel)
    throw fail('BOOST_REFUSED', {
      detail: wordsOf(because('boost-no-channel')),
    })
  const platform = platformOf(channel)
  const promotion = promotionOf(deps, platform)
  mustBePromotable(obstacleOf(post, channel, platform, promotion))
  return { post, asked: await channelToAsk(t, channel.id), promotion }
}

const ASK_MS = 20_000
/** Requests that reach the platform, per person. */
const questions = { name: 'boost-questions', most: 60, seconds: 60 } as const satisfies Limit

/** The ad accounts that can pay. */
export async function listAccounts(
  c: DetachedContext<typeof boostAccounts>,
  deps: AskDeps & BoostDeps,
): Promise<z.output<(typeof boostAccounts)['reply']>> {
  const { asked, promotion } = await c.inTenant((t) => ready(t, deps, c.params.postId))
  await mayAsk(deps, c)
  return { accounts: await accountsOf(deps, asked, promotion) }
}

/** The audiences, of an ad account that the person can see. */
export async function listAudiences(
  c: DetachedContext<typeof boostAudiences>,
  deps: AskDeps & BoostDeps,
): Promise<z.output<(typeof boostAudiences)['reply']>> {
  const { asked, promotion } = await c.inTenant((t) => ready(t, deps, c.params.postId))
  await mayAsk(deps, c)
  // an ID that the platform didn't list never becomes part of a URL
  const account = (await accountsOf(deps, asked, promotion)).find(
    ({ adAccountId }) => adAccountId === c.query.adAccountId,
  )
  if (!account) throw fail('NOT_FOUND')
  return { audiences: await audiencesOf(deps, asked, promotion, account.adAccountId) }
}

/** The ad accounts that can pay, from the platform. Throws what `ask` throws. */
export const accountsOf = async (deps: AskDeps, asked: Asked, promotion: Promotion) =>
  storable((await ask(deps, askable(deps, asked.platform), asked, ASK_MS, promotion.accounts)).accounts)
/** The saved audiences of an ad account, from the platform. Throws what `ask` throws. */
export const audiencesOf = async (deps: AskDeps, asked: Asked, promotion: Promotion, adAccountId: string) =>
  storable(
    (
      await ask(deps, askable(deps, asked.platform), asked, ASK_MS, (reach, secret, account) =>
        promotion.audiences(reach, secret, account, adAccountId),
      )
    ).audiences,
  )

/** Counts a request to the platform, outside of any transaction. Throws RATE_LIMITED for too many. */
export async function mayAsk({ databases }: AskDeps, { caller, now }: { caller: Caller; now: Date }): Promise<void> {
  const { allowed, retryAfterSeconds } = await asSystem(databases.system, (tx) =>
    count(tx, questions, caller.personId, now),
  )
  if (!allowed) throw fail('RATE_LIMITED', { meta: { retryAfterSeconds } })
}
