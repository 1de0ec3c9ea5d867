import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'

type NewTile = {
  orgId: string
  pageId: string
  /** The page's next one. */ number: number
  postId: string
  label: string
  url: string
  now: Date
}

/** Stores a post as the first of a page's grid. The page's row is locked. */
export async function insertFirst(tx: Tx, { orgId, pageId, number, postId, label, url, now }: NewTile): Promise<void> {
  await sql`
    insert into bio_item (org_id, page_id, number, kind, position, label, url, post_id)
    select ${orgId}, ${pageId}, ${number}, 'post', coalesce(min(i.position), 0) - 1, ${label}, ${url}, ${postId}
    from bio_item i where i.org_id = ${orgId} and i.page_id = ${pageId}`.execute(tx)
  await tx
    .updateTable('bio_page')
    .set({ next_number: number + 1, updated_at: now })
    .where('org_id', '=', orgId)
    .where('id', '=', pageId)
    .execute()
}
