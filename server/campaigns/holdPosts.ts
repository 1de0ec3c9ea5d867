import type { Tx } from '../db/kysely.ts'
import { holdOnLane, releaseOnLane, type Released } from '../publishing/lane.ts'
import { heldPosts } from './heldPosts.ts'

/**
 * Holds or releases posts as their campaigns now say: a post in a disabled campaign is held, a held one that is no
 * longer in any returns to its lane, where the lateness limit decides. Returns those newly held and those released.
 */
export async function applyCampaignPauses(
  tx: Tx,
  postIds: readonly string[],
  now: Date,
): Promise<{ held: string[]; released: Released[] }> {
  if (postIds.length === 0) return { held: [], released: [] }
  const held = await heldPosts(tx, postIds)
  const kept = new Set(held.map(({ postId }) => postId))
  return {
    held: await holdOnLane(tx, held),
    released: await releaseOnLane(
      tx,
      postIds.filter((postId) => !kept.has(postId)),
      now,
    ),
  }
}
