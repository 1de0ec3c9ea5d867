import type { Tx } from '../db/kysely.ts'
import { holdOnLane, releaseOnLane } from '../publishing/lane.ts'
import { heldPosts } from './held.ts'

/**
 * Makes the tenant's posts wait or go on as their campaigns now say: one that is in a disabled campaign is held, one
 * that was held and is in none any more returns to its lane, where the lateness limit decides. Answers how many of them
 * were held, and how many went on.
 */
export async function settleHolds(tx: Tx, postIds: readonly string[]): Promise<{ held: number; released: number }> {
  if (postIds.length === 0) return { held: 0, released: 0 }
  const held = await heldPosts(tx, postIds)
  const kept = new Set(held.map(({ postId }) => postId))
  return { held: await holdOnLane(tx, held), released: await releaseOnLane(tx, postIds.filter((postId) => !kept.has(postId))) }
}
