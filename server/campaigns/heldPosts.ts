import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import type { HeldPost } from '../publishing/lane.ts'

/**
 * The posts that are in a disabled campaign, with its name (the first of several). Their campaigns can't be enabled,
 * disabled or deleted before the transaction ends: a verb that schedules a post at that moment is either seen, or sees
 * it. Call it after the posts' own locks.
 */
export async function heldPosts(tx: Tx, postIds: readonly string[]): Promise<HeldPost[]> {
  if (postIds.length === 0) return []
  const { rows } = await sql<{ postId: string; campaign: string; enabled: boolean }>`
    select pc.post_id as "postId", c.name as campaign, c.enabled
    from post_campaign pc join campaign c on c.org_id = pc.org_id and c.id = pc.campaign_id
    where pc.org_id = current_setting('app.org_id')::uuid and pc.post_id = any(${[...postIds]}::uuid[])
    order by c.id, pc.post_id for share of c`.execute(tx)
  const held = new Map<string, string>()
  for (const { postId, campaign, enabled } of rows) {
    const known = held.get(postId)
    if (!enabled && (known === undefined || campaign < known)) held.set(postId, campaign)
  }
  return [...held].map(([postId, campaign]) => ({ postId, campaign }))
}
