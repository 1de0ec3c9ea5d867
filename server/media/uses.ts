import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import { queryWithCommit } from '../db/transaction.ts'

/** The files that a post uses. */
export type Use = { postId: string; assetIds: readonly string[] }

/** Records which files new posts use that are stored with the transaction's commit. */
export function noteNewUses(tx: Tx, orgId: string, uses: readonly Use[]): void {
  const pairs = uses.flatMap(({ postId, assetIds }) => assetIds.map((assetId) => ({ post: postId, asset: assetId })))
  if (pairs.length > 0) queryWithCommit(tx, { name: 'used', insert: insertUses(orgId, JSON.stringify(pairs)) })
}

const insertUses = (orgId: string, pairs: string) => sql`
  insert into post_asset (org_id, post_id, asset_id)
  select ${orgId}, w.post, a.id from json_to_recordset(${pairs}::json) as w(post uuid, asset uuid) join asset a on a.org_id = ${orgId} and a.id = w.asset
  on conflict do nothing`

/**
 * Records which files posts use, in the transaction that writes their contents: exactly these. Files that no longer
 * exist are skipped.
 */
export async function noteUses(tx: Tx, orgId: string, uses: readonly Use[]): Promise<void> {
  if (uses.length === 0) return
  const rows = uses.flatMap(({ postId, assetIds }) =>
    [...new Set(assetIds)].map((assetId) => ({ post: postId, asset: assetId })),
  )
  const pairs = JSON.stringify(rows)
  await sql`
    delete from post_asset u where u.org_id = ${orgId} and u.post_id = any(${uses.map(({ postId }) => postId)}::uuid[])
      and not exists (select from json_to_recordset(${pairs}::json) as w(post uuid, asset uuid) where w.post = u.post_id and w.asset = u.asset_id)`.execute(
    tx,
  )
  if (rows.length > 0) await insertUses(orgId, pairs).execute(tx)
}
