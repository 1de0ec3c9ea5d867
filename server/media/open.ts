import type pg from 'pg'
import { asTenant } from '../db/tenant.ts'
import type { MediaFile } from '../platforms/platform.ts'
import type { AssetRow } from './access.ts'
import { thumbnailOf, type MediaLinks } from './links.ts'
import type { MediaStore } from './store.ts'

/**
 * A stored file as adapters see it; its bytes are read on demand. Without `links`, platforms can't download it by URL.
 */
export function mediaFile(store: MediaStore, asset: AssetRow, links?: MediaLinks): MediaFile {
  const thumbnail = thumbnailFile(store, asset, links)
  return {
    assetId: asset.id,
    fileName: asset.file_name,
    contentType: asset.content_type,
    bytes: asset.bytes,
    width: asset.width,
    height: asset.height,
    seconds: asset.seconds,
    altText: asset.alt_text,
    ...bytesUnder(store, asset.store_key),
    url: () => links?.(asset, 'file') ?? null,
    ...(thumbnail && { thumbnail }),
    ...(asset.thumbnail_seconds !== null && { thumbnailSeconds: asset.thumbnail_seconds }),
  }
}

function thumbnailFile(store: MediaStore, asset: AssetRow, links: MediaLinks | undefined): MediaFile | undefined {
  const file = thumbnailOf(asset)
  if (!file) return undefined
  const { key, ...facts } = file
  return {
    assetId: asset.id,
    ...facts,
    width: asset.thumbnail_width,
    height: asset.thumbnail_height,
    seconds: null,
    altText: '',
    ...bytesUnder(store, key),
    url: () => links?.(asset, 'thumbnail') ?? null,
  }
}

const bytesUnder = (store: MediaStore, key: string): Pick<MediaFile, 'read' | 'stream'> => ({
  read: () => store.read(key),
  async *stream(range) {
    yield* await store.stream(key, range)
  },
})

/** Opens files of one organization by id, for publishing; deleted and unfinished ones are missing from the result. */
export function openMedia(pool: pg.Pool, store: MediaStore, links?: MediaLinks) {
  return async (orgId: string, assetIds: readonly string[]): Promise<ReadonlyMap<string, MediaFile>> => {
    const rows = await asTenant(pool, orgId, (tx) =>
      tx
        .selectFrom('asset')
        .selectAll()
        .where('org_id', '=', orgId)
        .where('id', '=', (eb) => eb.fn.any(eb.val([...assetIds])))
        .where('state', '=', 'ready')
        .execute(),
    )
    return new Map(rows.map((row) => [row.id, mediaFile(store, row, links)]))
  }
}
