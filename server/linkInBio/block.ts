import { sql } from 'kysely'
import type { Databases } from '../db/pools.ts'
import { asSystem } from '../db/system.ts'

/**
 * Turns the page at an address off, on every node at once, whatever its project does: visitors see that it's no longer available,
 * its project sees the reason. Returns the page's address; undefined if there's none. A page that is off already gets the new reason.
 */
export const blockPage = (databases: Databases, slug: string, reason: string, now: Date): Promise<string | undefined> =>
  change(databases, slug, sql`blocked_at = coalesce(blocked_at, ${now}), blocked_reason = ${reason}`)

/** Ends that. */
export const unblockPage = (databases: Databases, slug: string): Promise<string | undefined> =>
  change(databases, slug, sql`blocked_at = null, blocked_reason = null`)

async function change({ system }: Databases, slug: string, set: ReturnType<typeof sql>): Promise<string | undefined> {
  return await asSystem(system, async (tx) => {
    const { rows } = await sql<{ slug: string }>`
      update bio_page b set ${set} from bio_slug s join bio_slug own on own.org_id = s.org_id and own.page_id = s.page_id and own.kept_until is null
      where s.slug = ${slug} and b.org_id = s.org_id and b.id = s.page_id returning own.slug`.execute(tx)
    return rows[0]?.slug
  })
}
