import type { Tx } from '../db/kysely.ts'
import { holdOnLane, releaseOnLane, type Released } from '../publishing/lane.ts'
import { heldPosts } from './heldPosts.ts'

/**
 * Makes the tenant's posts wait or go on as their campaigns now say: one that is in a disabled campaign is held, one
 * that was held and is in none any more returns to its lane, where the lateness limit decides. Returns those that wait
 * now and didn't before, and those that went on.
 */
export async function settleHolds(
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
