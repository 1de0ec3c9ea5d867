import type pg from 'pg'
import { asTenant } from '../db/tenant.ts'
import type { MediaFile } from '../platforms/platform.ts'
import type { AssetRow } from './access.ts'
import type { MediaStore } from './store.ts'

/** A stored file as adapters see it; its bytes are read when they ask. */
export function mediaFile(store: MediaStore, asset: AssetRow, altText: string = asset.alt_text): MediaFile {
  return {
    assetId: asset.id,
    fileName: asset.file_name,
    contentType: asset.content_type,
    bytes: asset.bytes,
    width: asset.width,
    height: asset.height,
    seconds: asset.seconds,
    altText,
    read: () => store.read(asset.store_key),
    async *stream(range) {
      yield* await store.stream(asset.store_key, range)
    },
    // pulling by address is not served yet
    url: () => null,
  }
}

/** Opens files of one organisation by id, for publishing; one that is gone or never arrived is missing from the answer. */
export function openMedia(pool: pg.Pool, store: MediaStore) {
  return async (orgId: string, assetIds: readonly string[]): Promise<ReadonlyMap<string, MediaFile>> => {
    const rows = await asTenant(pool, orgId, (tx) =>
      tx.selectFrom('asset').selectAll().where('org_id', '=', orgId).where('id', '=', (eb) => eb.fn.any(eb.val([...assetIds]))).where('state', '=', 'ready').execute(),
    )
    return new Map(rows.map((row) => [row.id, mediaFile(store, row)]))
  }
}
