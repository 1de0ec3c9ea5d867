import type { Selectable } from 'kysely'
import { z } from 'zod'
import { adviceFor, because, sentenceOf, type Reason } from '#contract/failures/catalog.ts'
import { StoredReason } from '#contract/failures/define.ts'
import { BoostState, type BoostObstacle } from '#contract/boosts.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ChannelRow } from '../access/channels.ts'
import type { Database } from '../db/schema.ts'
import { fail } from '../errors.ts'
import type { ProjectContext } from '../http/route.ts'
import type { Platform } from '../platforms/platform.ts'
import type { Promotion } from '../platforms/promotion.ts'
import type { PostRecord } from '../posts/access.ts'

/** The IDs of what was created on the platform, by step. */
const Made = z.record(z.string(), z.string())

export type BoostRow = Omit<Selectable<Database['boost']>, 'state' | 'made' | 'problem'> & {
  state: BoostState
  made: Record<string, string>
  problem: StoredReason | null
}

/** A row as it was stored. */
export const readBoost = (row: Selectable<Database['boost']>): BoostRow => ({
  ...row,
  state: BoostState.parse(row.state),
  made: Made.parse(row.made),
  problem: StoredReason.nullable().parse(row.problem),
})

/** The promotions of a post that the caller may see, newest first. */
export async function boostsOf(t: Pick<ProjectContext, 'tx' | 'org'>, postId: string): Promise<BoostRow[]> {
  const rows = await t.tx
    .selectFrom('boost')
    .selectAll()
    .where('org_id', '=', t.org.orgId)
    .where('post_id', '=', postId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(readBoost)
}

/** One of the project's promotions, locked; also checks that the caller can see its post. Throws NOT_FOUND. */
export async function loadBoost(t: Pick<ProjectContext, 'tx' | 'org' | 'project'>, boostId: string): Promise<BoostRow> {
  const row = await t.tx
    .selectFrom('boost')
    .selectAll()
    .where('org_id', '=', t.org.orgId)
    .where('project_id', '=', t.project.projectId)
    .where('id', '=', boostId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw fail('NOT_FOUND')
  return readBoost(row)
}

const obstacle = (reason: Reason, reconnect = false): BoostObstacle => ({
  text: sentenceOf(reason),
  advice: adviceFor(reason, 'boost'),
  reconnect,
})

/** Why this post can't be promoted now; null when it can. Whether the token is still valid only shows when it's used. */
export function obstacleOf(
  post: PostRecord,
  channel: ChannelRow | undefined,
  platform: PlatformKey,
  promotion: Promotion,
): BoostObstacle | null {
  const { label, app } = platformRules[platform]
  const way = app?.variants?.find(({ value }) => value === promotion.variant)?.label ?? label
  if (post.state !== 'PUBLISHED' || post.remote_id === null) return obstacle(because('boost-post-not-live'))
  const type =
    platformRules[platform].posts.find(({ postType }) => postType === post.post_type)?.label ?? post.post_type
  if (!promotion.postTypes.some((known) => known === post.post_type))
    return obstacle(because('boost-post-type', { platform: label, postType: type.toLowerCase() }))
  if (!channel || channel.deleting_at !== null) return obstacle(because('boost-no-channel'))
  if (channel.variant !== promotion.variant) return obstacle(because('boost-other-connection', { way }), true)
  const missing = promotion.needs.filter((right) => channel.missing_rights.includes(right))
  if (missing.length > 0) {
    const permissions = missing.map((right) => app?.rights?.[right] ?? right).join(' and ')
    return obstacle(because('boost-permission-missing', { platform: label, permissions, way }), true)
  }
  if (channel.status !== 'CONNECTED') return obstacle(because('boost-signed-out', { way }), true)
  return null
}

export type BoostDeps = { platforms: (key: PlatformKey) => Platform | undefined }

/** How posts of this channel are promoted. Throws BOOST_REFUSED where its platform has no promotions. */
export function promotionOf({ platforms }: BoostDeps, platform: PlatformKey): Promotion {
  const promotion = platforms(platform)?.boost
  if (!promotion)
    throw fail('BOOST_REFUSED', { detail: `Posts on ${platformRules[platform].label} are not promoted from here.` })
  return promotion
}

/** Throws BOOST_REFUSED with the reason. */
export function mustBePromotable(obstacle: BoostObstacle | null): void {
  if (obstacle)
    throw fail('BOOST_REFUSED', {
      detail: `${obstacle.text} ${obstacle.advice}`.trim(),
      meta: { reason: obstacle.text, advice: obstacle.advice, reconnect: obstacle.reconnect },
    })
}
