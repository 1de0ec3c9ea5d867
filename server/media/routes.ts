import * as contract from '#contract/media.ts'
import { fail } from '../errors.ts'
import { handle, handleBytes, handleDetached, type Route } from '../http/route.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { loadAsset } from './access.ts'
import { fit } from './fit.ts'
import { linkCard } from './linkCard.ts'
import { fileOf, thumbnailOf } from './links.ts'
import { presentAsset } from './present.ts'
import { sendCover, sendPreview, type FindPost } from './preview.ts'
import { redraw } from './redraw.ts'
import { sendFile } from './send.ts'
import type { MediaStore } from './store.ts'
import { removeThumbnail, setThumbnail } from './thumbnail.ts'
import { findUnfinished, removeUnfinished } from './unfinished.ts'
import { announce, type UploadContext } from './uploads.ts'

export type MediaDeps = { media: MediaStore; fetch: SafeFetch; uploads: UploadContext }

export function mediaRoutes({ media, fetch, uploads }: MediaDeps, findPost: FindPost): Route[] {
  return [
    handle(contract.createUpload, (c) => announce(c, uploads)),
    handle(contract.unfinishedUploads, findUnfinished),
    handle(contract.removeUnfinishedUpload, async (c) => {
      await removeUnfinished(c, uploads)
      return { message: 'Upload removed' }
    }),
    handle(contract.getAsset, async (c) => presentAsset(await loadAsset(c, c.params.assetId))),
    handleBytes(contract.readAsset, async (c) => {
      const asset = await loadAsset(c, c.params.assetId)
      if (asset.state !== 'ready') throw fail('NOT_FOUND')
      return await sendFile(media, fileOf(asset), c.request, FOR_EVER)
    }),
    handleBytes(contract.readPreview, (c) => sendPreview(c, media)),
    handleBytes(contract.readPostCover, (c) => sendCover(c, media, findPost)),
    handleBytes(contract.readThumbnail, async (c) => {
      const file = thumbnailOf(await loadAsset(c, c.params.assetId))
      if (!file) throw fail('NOT_FOUND')
      return await sendFile(media, file, c.request, FOR_EVER)
    }),
    handleDetached(contract.setThumbnail, async (c) => presentAsset(await setThumbnail(c, media))),
    handleDetached(contract.removeThumbnail, async (c) => presentAsset(await removeThumbnail(c, media))),
    handleDetached(contract.redrawAsset, (c) => redraw(c, media)),
    handleDetached(contract.fitAsset, (c) => fit(c, media)),
    handleDetached(contract.readLinkCard, (c) => linkCard(c, { fetch, media, databases: uploads.databases })),
  ]
}

/** What a URL returns never changes. */
const FOR_EVER = 'private, max-age=31536000, immutable'
