import type { Databases } from '../db/pools.ts'
import { asSystem } from '../db/system.ts'

/**
 * Turns a short link off, or on again: it leads nowhere then, on every node within a minute. Returns where it leads otherwise; undefined
 * if there's no such link.
 */
export async function setShortLinkBlocked(
  { system }: Databases,
  code: string,
  blockedAt: Date | null,
): Promise<string | undefined> {
  return await asSystem(system, async (tx) => {
    const row = await tx
      .updateTable('short_link')
      .set({ blocked_at: blockedAt })
      .where('code', '=', code)
      .returning('url')
      .executeTakeFirst()
    return row?.url
  })
}
