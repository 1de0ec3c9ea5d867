import * as contract from '#contract/media.ts'
import { fail } from '../errors.ts'
import { handle, handleBytes, handleDetached, type Bytes, type Route } from '../http/route.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { loadAsset, type AssetRow } from './access.ts'
import { fit } from './fit.ts'
import { linkCard } from './linkCard.ts'
import { presentAsset } from './present.ts'
import type { MediaStore } from './store.ts'
import { announce, type UploadDesk } from './uploads.ts'

export type MediaParts = { media: MediaStore; fetch: SafeFetch; uploads: UploadDesk }

export function mediaRoutes({ media, fetch, uploads }: MediaParts): Route[] {
  return [
    handle(contract.createUpload, (c) => announce(c, uploads)),
    handle(contract.getAsset, async (c) => presentAsset(await loadAsset(c, c.params.assetId))),
    handleBytes(contract.readAsset, async (c) => {
      const asset = await loadAsset(c, c.params.assetId)
      if (asset.state !== 'ready') throw fail('NOT_FOUND')
      return await bytesOf(media, asset)
    }),
    handleDetached(contract.fitAsset, (c) => fit(c, media)),
    handleDetached(contract.readLinkCard, (c) => linkCard(c, { fetch, media })),
  ]
}

/** A file under one id never changes; a browser that opens it as a page may run nothing in it. */
async function bytesOf(media: MediaStore, asset: AssetRow): Promise<Bytes> {
  return {
    bytes: await media.stream(asset.store_key),
    contentType: asset.content_type,
    length: asset.bytes,
    headers: {
      'content-disposition': `inline; filename="${asset.file_name}"`,
      'cache-control': 'private, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  }
}
